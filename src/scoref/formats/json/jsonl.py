"""JSON lines of neural systems: one document per line, entities as lists of offsets.

Systems differ: offsets count tokens, subtokens or characters, and the end of a span is its last
token or the token after it. If the name of the field does not say which, the offsets of the file
decide. A file whose offsets fit both conventions is refused.

    sentences, clusters             e2e, LingMess, BookCoref: tokens, end detected
    sentences, subtoken_map, ...    minimized: subtokens, end inclusive
    cased_words, span_clusters      wl-coref: tokens, end exclusive
    tokens, clusters_token_offsets  maverick: tokens, end inclusive; xCoRe: documents of tokens, too
    text, clusters                  fastcoref: characters, end exclusive
    offsets                         written by scoref: states what offsets count
"""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, pairwise
from typing import Any, BinaryIO

import numpy as np

from scoref.base.arrays import Ints
from scoref.corpus.builder import CorpusBuilder, TextBuilder
from scoref.corpus.corpus import Corpus
from scoref.corpus.document import distinct_names
from scoref.corpus.spans import Spans
from scoref.exceptions import Problem, UsageError
from scoref.formats.brackets.cells import check_contiguous, written_lengths
from scoref.formats.brackets.parsing import EntityNames
from scoref.formats.format import Format, Wanted
from scoref.formats.io.lines import Stream
from scoref.formats.io.problems import Problems
from scoref.formats.json.json_text import (
    MENTION_MARKS,
    JsonLine,
    first_keys,
    parse_lines,
    without_garbage_collection,
)
from scoref.formats.json.jsonl_document import (
    CHARACTER,
    EXCLUSIVE,
    INCLUSIVE,
    MARKS,
    OF_PARTS,
    JsonlDocument,
    add_text,
    parse_document,
)
from scoref.formats.json.several_documents import split_documents
from scoref.formats.written_names import NameRule, WrittenNames

_CORENLP = re.compile(rb'"sentences"\s*:\s*\[\s*\{')
_SHOWN = 60
_HINT = "name the kind of ends with --format jsonl-inclusive or --format jsonl-exclusive"
_CHARACTERS = (
    "; for spans of characters, replace `sentences` by `text` and add"
    ' `"offsets": "character-exclusive"`'
)
NAMES = WrittenNames(document=NameRule(), word=NameRule(), has_unnamed=True)


def read(
    end: str | None, stream: Stream, path: str, wanted: Wanted
) -> tuple[Corpus, list[Problem]]:
    """Read a file whose ends are inclusive, exclusive, or to be detected."""
    problems = Problems(path)
    with without_garbage_collection():
        corpus = JsonlReader(problems, wanted, end).read(parse_lines(stream, problems))
    return corpus, problems


@dataclass(slots=True)
class JsonlReader:
    """Collects the documents of a file; `end` says whether ends are inclusive, if that is known."""

    problems: Problems
    wanted: Wanted
    end: str | None
    documents: list[JsonlDocument] = field(default_factory=list)
    text: TextBuilder | None = None
    # The words of the first document whose ends no field settles.
    open_words: list[str] | None = None
    # The number of entities that documents share, so far.
    shared: int = 0

    def read(self, lines: Iterable[JsonLine]) -> Corpus:
        """Read the lines of a file; with problems, the corpus is empty."""
        if self.wanted.columns:
            self.text = TextBuilder()
        for line in lines:
            self.add_line(line)
        documents, problems = self.documents, self.problems
        if not documents and not problems:
            problems.add(0, "no documents", "one JSON object per line", "is the file complete?")
        if len({one.unit == CHARACTER for one in documents}) > 1:
            problems.add(0, "offsets of tokens and offsets of characters", "one kind in a file")
        first: dict[str, JsonlDocument] = {}
        for one in documents:  # of two documents of one name, only one can be paired
            if one.name and (before := first.setdefault(one.name, one)) is not one:
                problems.add_duplicate(one.line, one.name, before.line)
        spans = join_spans(documents)
        end = self.end or infer_ends(documents, spans, self.open_words or [], problems)
        is_exclusive = np.array(
            [(self.end or one.end or end) == EXCLUSIVE for one in documents], dtype=np.int64
        )
        if not problems:
            check_spans(documents, spans, is_exclusive, problems)
        if problems:
            return Corpus.without_mentions((), problems.path)
        return self.corpus(spans._replace(end=spans.end - is_exclusive[spans.document]))

    def add_line(self, line: JsonLine) -> None:
        """Add the documents of a line."""
        documents = split_documents(line, self.problems)
        for one, entities in documents:
            self.add(one, None if entities is None else entities + self.shared)
        if len(documents) != 1 or documents[0].entities is not None:
            self.shared += len(line.value[OF_PARTS])

    def add(self, line: JsonLine, entities: Ints | None = None) -> None:
        """Add a document, and its words if they are wanted."""
        predicted, by_sentence = self.wanted.predicted, self.text is not None
        found = parse_document(line, self.problems, predicted=predicted, by_sentence=by_sentence)
        if found is None:
            return
        document, text = found
        self.documents.append(document._replace(entities=entities))
        stated = str(line.value.get("offsets", ""))
        if self.end and stated and not stated.endswith(self.end):
            expected = f"{self.end} ends, as --format says"
            hint = "the file says what its ends are: leave out --format, or write --format jsonl"
            self.problems.add(line.number, f"`offsets` with `{stated}`", expected, hint)
        if document.end is None and self.open_words is None and len(document.offsets):
            self.open_words = list(chain.from_iterable(text.sentences))
        if self.text is not None:
            self.text.document()
            if document.unit != CHARACTER:
                add_text(self.text, text, line.value, document.to_token, self.wanted.columns)

    def corpus(self, spans: Spans) -> Corpus:
        """Return the corpus of all documents."""
        documents, path = self.documents, self.problems.path
        builder = CorpusBuilder(path)
        for one in documents:
            length = 1 + one.to_token[-1] if one.to_token else one.length
            builder.document(one.name, length, one.line)
        sizes = np.concatenate([np.zeros(0, np.int64), *(one.sizes for one in documents)])
        entities = np.array([len(one.sizes) for one in documents], dtype=np.int64)
        first_entity = np.repeat(np.cumsum(entities) - entities, entities)
        names = np.arange(len(sizes)) - first_entity
        if shared := [one.entities for one in documents if one.entities is not None]:
            is_shared = np.array([one.entities is not None for one in documents])
            names[np.repeat(is_shared, entities)] = np.concatenate(shared)
        characters = documents[0].unit == CHARACTER
        notes = [f"{path}: the predicted entities are read, not the annotated entities"]
        return Corpus(
            documents=distinct_names(builder.documents),
            document=spans.document,
            start=map_to_tokens(documents, spans.document, spans.start),
            end=map_to_tokens(documents, spans.document, spans.end),
            entity=np.repeat(np.arange(len(sizes)), sizes),
            entity_names=EntityNames(names, str),
            line=np.array([one.line for one in documents], dtype=np.int64)[spans.document],
            text=self.text.text() if self.text is not None else None,
            characters=tuple(one.characters for one in documents) if characters else (),
            source=path,
            notes=tuple(notes) if any(one.beside_gold for one in documents) else (),
        )


def join_spans(documents: Sequence[JsonlDocument]) -> Spans:
    """Return the mentions of all documents, with ends as written."""
    offsets = np.concatenate([np.zeros(0, np.int64), *(one.offsets for one in documents)])
    mentions = [len(one.offsets) // 2 for one in documents]
    return Spans(np.repeat(np.arange(len(documents)), mentions), offsets[::2], offsets[1::2])


def infer_ends(
    documents: Sequence[JsonlDocument], spans: Spans, open_words: Sequence[str], problems: Problems
) -> str:
    """Infer from the offsets of the file whether ends are inclusive, where no field says so.

    A span [3, 3] can only be inclusive, and one that ends behind the last token only exclusive.
    `open_words` are the words of the first document whose ends no field settles.
    """
    is_open = np.array([one.end is None for one in documents], dtype=bool)[spans.document]
    if not is_open.any():
        return INCLUSIVE
    length = np.array([one.length for one in documents], dtype=np.int64)
    inclusive = np.flatnonzero(is_open & (spans.start == spans.end))
    exclusive = np.flatnonzero(is_open & (spans.end == length[spans.document]))

    def shown(row: int) -> tuple[int, int, int]:
        line = documents[int(spans.document[row])].line
        return int(spans.start[row]), int(spans.end[row]), line

    if len(inclusive) and len(exclusive):
        start, end, line = shown(exclusive[0])
        other_start, other_end, other_line = shown(inclusive[0])
        found = (
            f"the span [{start}, {end}], whose end can only be exclusive, and in line {other_line}"
            f" [{other_start}, {other_end}], whose end can only be inclusive"
        )
        problems.add(line, found, "ends of one kind", _HINT)
    elif not len(inclusive) and not len(exclusive):
        start, end, line = shown(int(np.argmax(is_open)))
        readings = (" ".join(open_words[start : end + 1]), " ".join(open_words[start:end]))
        both = " or ".join(
            f"`{text if len(text) <= _SHOWN else f'{text[: _SHOWN - 3]}...'}`" for text in readings
        )
        found = f"only spans such as [{start}, {end}], which can mean {both}"
        problems.add(line, found, "a span that shows whether ends are inclusive", _HINT)
    return INCLUSIVE if len(inclusive) else EXCLUSIVE


def check_spans(
    documents: Sequence[JsonlDocument], spans: Spans, is_exclusive: Ints, problems: Problems
) -> None:
    """Add the spans that are not in their texts to the problems."""
    length = np.array([one.length for one in documents], dtype=np.int64)
    last = spans.end - is_exclusive[spans.document]
    fits = (spans.start >= 0) & (spans.start <= last) & (last < length[spans.document])
    for row in np.flatnonzero(~fits).tolist():
        number = int(spans.document[row])
        one, last_offset = documents[number], length[number] + is_exclusive[number] - 1
        found = f"the span [{spans.start[row]}, {spans.end[row]}] in document {one.name}"
        expected = f"offsets from 0 to {last_offset}, the end not before the start"
        beyond = last[row] >= length[number]
        problems.add(one.line, found, expected, f"{_HINT}{_CHARACTERS}" if beyond else _HINT)


def map_to_tokens(documents: Sequence[JsonlDocument], document: Ints, place: Ints) -> Ints:
    """Return the token of each subtoken; places in documents without a map stay as they are."""
    maps = [one.to_token if one.to_token is not None else array("q") for one in documents]
    sizes = np.array([len(one) for one in maps], dtype=np.int64)
    if not sizes.any():
        return place
    first = np.cumsum(sizes) - sizes
    mapped = sizes[document] > 0
    token, found = np.frombuffer(b"".join(maps), dtype=np.int64), place.copy()
    found[mapped] = token[first[document[mapped]] + place[mapped]]
    return found


def write(corpus: Corpus, stream: BinaryIO) -> None:
    """Write one document per line: tokens, speakers, and entities with inclusive ends."""
    spans = corpus.as_spans()
    if spans is None:
        raise UsageError("the format jsonl has spans, but the mentions of the corpus are not spans")
    check_contiguous(spans, "jsonl")
    _check_characters(spans)
    entities: dict[int, dict[int, list[list[int]]]] = {}
    rows = zip(
        *(c.tolist() for c in (spans.document, spans.entity, spans.start, spans.end)), strict=True
    )
    for document, entity, start, end in rows:
        entities.setdefault(document, {}).setdefault(entity, []).append([start, end])
    lengths = [0] * len(corpus.documents) if corpus.characters else written_lengths(spans, "jsonl")
    for number, document in enumerate(corpus.documents):
        content: dict[str, Any] = {} if document.is_unnamed else {"doc_key": document.name}
        if corpus.characters:
            content["text"] = corpus.characters[number]
        else:
            content.update(_sentences(corpus, number, lengths[number]))
        content["offsets"] = f"{corpus.unit}-inclusive"
        content["clusters"] = list(entities.get(number, {}).values())
        stream.write((json.dumps(content, ensure_ascii=False) + "\n").encode())


def _check_characters(spans: Corpus) -> None:
    """Refuse characters whose text is not known, as that of APF files: jsonl has the text."""
    length = np.array([len(text) for text in spans.characters], dtype=np.int64)
    if not len(length) or np.all(spans.end < length[spans.document]):
        return
    row = int(np.argmax(spans.end >= length[spans.document]))
    name = spans.documents[spans.document[row]].name
    message = f"jsonl has the text of character spans, but the text of document {name} is not known"
    raise UsageError(message, "write a table with --to csv")


def _sentences(corpus: Corpus, document: int, length: int) -> dict[str, Any]:
    """Return the words of a document by sentence, and its speakers if the text has them."""
    text = corpus.text
    if text is None or "word" not in text:
        return {"sentences": [["_"] * length] if length else []}
    first = int(text.first[document])
    bounds = [*(np.flatnonzero(text.starts_sentence[first : first + length]).tolist()), length]
    if bounds[0]:
        bounds.insert(0, 0)

    def split(column: str) -> Iterable[list[str]]:
        values = text.columns[column]
        for low, high in pairwise(bounds):
            yield list(values[first + low : first + high])

    found = {"sentences": list(split("word"))}
    if "speaker" in text:
        found["speakers"] = list(split("speaker"))
    return found


def _recognise(head: bytes) -> bool:
    """Whether a file starts with an object that has a field of one of these systems."""
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    keys = first_keys(start.removeprefix(b"["))
    if keys is None or _CORENLP.search(start):
        return False
    return bool(keys & MARKS) and not keys & MENTION_MARKS


FORMAT = Format(
    name="jsonl",
    title="JSON lines of neural systems",
    recognise=_recognise,
    read=partial(read, None),
    write=write,
    suffix=".jsonl",
    names=NAMES,
    supports=frozenset({"word", "speaker"}),
    sees_words=True,
)
WITH_INCLUSIVE_ENDS = replace(
    FORMAT,
    name="jsonl-inclusive",
    title="JSON lines, ends inclusive",
    read=partial(read, INCLUSIVE),
)
WITH_EXCLUSIVE_ENDS = replace(
    FORMAT,
    name="jsonl-exclusive",
    title="JSON lines, ends exclusive",
    read=partial(read, EXCLUSIVE),
    write=None,
)
