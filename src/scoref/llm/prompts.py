"""write_markup(): the documents of a corpus in a markup, as prompts or as training targets.

What is written is parsed again: a document whose own characters look like tags is written with
these characters escaped, so that a text without damage is always read back as it was.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from os import PathLike
from pathlib import Path

import numpy as np

from scoref.base.phrases import counted
from scoref.corpus.corpus import Corpus
from scoref.corpus.text import Text
from scoref.exceptions import UsageError
from scoref.formats.brackets.cells import is_next, runs, token_spans
from scoref.formats.conllu.nodes import Node, mention_nodes
from scoref.formats.io.output_files import all_or_nothing, write_whole
from scoref.llm.marked_text import MarkedText, QuoteList, read_stream
from scoref.llm.markups import find_markup, written_markups
from scoref.llm.markups.markup import DocumentToWrite, MentionToWrite, TextMarkup

_IS_WINDOWS = os.name == "nt"
_NO_FILE_NAME = re.compile(r'[\\:*?"<>|\x00-\x1f]')
"""What names a folder or a device on Windows, or a part of another file: `a:b` belongs to `a`."""


def write_markup(
    corpus: Corpus, path: str | PathLike[str], markup: str, *, blind: bool = False
) -> list[str]:
    """Write documents in a markup, and return notes on what it cannot express.

    A directory gets a file for each document, named after it. A file that ends in `.jsonl` gets a
    line for each document with the fields `doc_id`, `prompt` (the text without mentions) and
    `completion`. Any other file gets the document, or one line per document if there are several.
    `blind` writes the text without mentions.
    """
    chosen = find_markup(markup)
    if chosen.write is None:
        names = ", ".join(one.name for one in written_markups())
        message = f"the markup {chosen.name} can be read, but not written"
        raise UsageError(message, f"the markups that can be written are {names}")
    documents = _Documents(corpus, chosen)
    if str(path).endswith(("/", "\\")) or Path(path).is_dir():
        _write_folder(documents, Path(path), blind=blind)
    else:
        with write_whole(path) as stream:
            for line in _lines(documents, blind=blind, as_json=str(path).endswith(".jsonl")):
                stream.write(f"{line}\n".encode())
    return documents.notes()


def _write_folder(documents: _Documents, folder: Path, *, blind: bool) -> None:
    texts: dict[str, str] = {}
    for document in documents:
        name = f"{document.name.replace('/', '_')}.txt"
        if _IS_WINDOWS and _NO_FILE_NAME.search(name):
            raise UsageError(f"{name!r} is not a file name on Windows", "write a .jsonl file")
        if name in texts:
            raise UsageError(f"two documents would be written to {name}", "write a .jsonl file")
        texts[name] = write_document(documents.markup, document, blind=blind)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot write {folder}: {error.strerror or error}") from None
    with all_or_nothing():
        for name, text in texts.items():
            with write_whole(folder / name) as stream:
                stream.write(f"{text}\n".encode())


def _lines(documents: _Documents, *, blind: bool, as_json: bool) -> Iterator[str]:
    for document in documents:
        text = write_document(documents.markup, document, blind=blind)
        if as_json:
            prompt = write_document(documents.markup, document, blind=True)
            content = {"doc_id": document.name, "prompt": prompt}
            if not blind:
                content["completion"] = text
            yield json.dumps(content, ensure_ascii=False)
        else:
            yield text.replace("\n", " ") if len(documents) > 1 else text


def write_document(markup: TextMarkup, document: DocumentToWrite, *, blind: bool = False) -> str:
    """Write one document, so that it is read back as it is."""
    if markup.write is None:
        raise UsageError(f"the markup {markup.name} can be read, but not written")
    if blind:
        return _plain(document)
    for escaped in (False, True):
        text = markup.write(document, escaped=escaped)
        if _is_read_back(markup, document, text):
            return text
    raise UsageError(
        f"document {document.name} has mentions that {markup.name} cannot express",
        "mentions of one entity cross or touch: write another markup, such as crac-json",
    )


def _plain(document: DocumentToWrite) -> str:
    """Write the words of a document, without its empty nodes, one sentence per line."""
    at = 0
    lines = []
    for sentence in document.sentences:
        words = [word for place, word in enumerate(sentence, at) if place not in document.empties]
        lines.append(" ".join(words))
        at += len(sentence)
    return "\n".join(lines)


def _is_read_back(markup: TextMarkup, document: DocumentToWrite, text: str) -> bool:
    """Whether a text is parsed into the words and the mentions that were written."""
    parsed = markup.parse(text)
    if isinstance(parsed, MarkedText | QuoteList):
        return True  # JSON escapes its own characters
    marked = read_stream(parsed)
    words = [word for sentence in document.sentences for word in sentence]
    is_word = [at not in document.empties for at in range(len(words))]
    if marked.words != [word for at, word in enumerate(words) if is_word[at]]:
        return False
    before = np.cumsum([0, *is_word]).tolist()
    wanted = Counter(
        (before[one.start], before[one.end + 1], one.entity) for one in document.mentions
    )
    return wanted == Counter((mark.start, mark.end, mark.entity) for mark in marked.marks)


class _Documents:
    """The documents of a corpus as a markup writes them, and what it leaves out."""

    def __init__(self, corpus: Corpus, markup: TextMarkup) -> None:
        if corpus.text is None or "word" not in corpus.text:
            raise UsageError(f"{corpus.source} has no words, which {markup.name} requires")
        self.spans, _ = token_spans(corpus, markup.title)
        self.text: Text = corpus.text
        self.markup = markup
        self.left_out: Counter[str] = Counter()
        self.order = np.lexsort((self.spans.entity, -self.spans.end, self.spans.start))

    def __len__(self) -> int:
        return len(self.spans.documents)

    def __iter__(self) -> Iterator[DocumentToWrite]:
        self.left_out.clear()
        of_document = self.spans.document[self.order]
        rows = self.order[np.argsort(of_document, kind="stable")]
        counts = np.bincount(self.spans.document, minlength=len(self))
        for number, part in enumerate(np.split(rows, np.cumsum(counts)[:-1])):
            yield self._document(number, part.tolist())

    def _document(self, number: int, rows: Sequence[int]) -> DocumentToWrite:
        low, high = self.text.first[number : number + 2].tolist()
        words = list(self.text.columns["word"][low:high])
        mentions = [(row, kept) for row in rows if (kept := self._nodes(row))]
        empties = sorted({node for _, nodes in mentions for node in nodes if node[1]})
        nodes = sorted([*((word, 0) for word in range(len(words))), *empties])
        place = {node: at for at, node in enumerate(nodes)}
        starts = self.text.starts_sentence[low:high]
        sentences: list[list[str]] = []
        begun = -1  # the word whose sentence has begun, perhaps with an empty node before it
        for word, empty in nodes:
            if not sentences or (starts[word] and empty <= 0 and begun != word):
                sentences.append([])
                begun = word
            sentences[-1].append("##" if empty else words[word].replace(" ", "_") or "_")
        names: dict[int, str] = {}
        for row, _ in mentions:
            names.setdefault(int(self.spans.entity[row]), f"{self.markup.prefix}{len(names) + 1}")
        return DocumentToWrite(
            self.spans.documents[number].name,
            sentences,
            [
                MentionToWrite(place[kept[0]], place[kept[-1]], names[int(self.spans.entity[row])])
                for row, kept in mentions
            ],
            frozenset(place[node] for node in empties),
        )

    def _nodes(self, row: int) -> list[Node]:
        """Return the nodes of a mention that are written, or nothing if it is left out.

        A discontinuous mention is written as the part that contains its head, or its longest part.
        """
        nodes = mention_nodes(self.spans, row)
        if not self.markup.has_empty_nodes and any(empty for _, empty in nodes):
            self.left_out["empty nodes"] += 1
            nodes = [node for node in nodes if not node[1]]
            if not nodes:
                return []
        words = [word for word, empty in nodes if not empty]
        parts = runs(words, is_next)
        if len(parts) < 2:
            return nodes
        self.left_out["discontinuous"] += 1
        heads = self.spans.attributes.get("head_start")
        head = int(heads[row]) if heads is not None else -1
        low, high = max(parts, key=lambda part: (part[0] <= head <= part[1], part[1] - part[0]))
        return [node for node in nodes if low <= node[0] <= high]

    def notes(self) -> list[str]:
        """Return notes on mentions that were not written as they are."""
        notes = []
        if number := self.left_out["empty nodes"]:
            have = counted(number, "mention has", "mentions have")
            notes.append(f"{self.markup.name} does not support empty nodes, which {have}")
        if number := self.left_out["discontinuous"]:
            notes.append(
                f"{self.markup.name} does not support discontinuous mentions: of {number:,}, only"
                " the part with the head was written"
            )
        return notes
