"""Texts of the island: from an annotated source to a corpus, and from a corpus to its sentences.

A source has a line `# NAME` for each document, and below it one sentence per line, with spaces
between tokens. Mentions are in brackets, `[her]#nell`, with the name of their entity.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import scoref
from scoref.llm.marked_text import read_stream
from scoref.llm.markups.brackets import HASH

Sentences = list[list[str]]
Clusters = list[list[tuple[int, int]]]

_TITLE = re.compile(r"^# (.+)$", re.MULTILINE)


def read_source(path: Path) -> scoref.Corpus:
    """Read an annotated source."""
    documents, entities = {}, {}
    for name, marked in _documents(path.read_text("utf-8")):
        text = read_stream(HASH.parse(marked))
        if wrong := [*text.damage, *(word for word in text.words if re.search(r"[][#]", word))]:
            raise SystemExit(f"{path}: document {name} has invalid tags: {', '.join(wrong)}")
        edges = [*text.lines, len(text.words)]
        documents[name] = [text.words[a:b] for a, b in pairwise(edges)]
        clusters: dict[str, list[tuple[int, int]]] = {}
        for mark in sorted(text.marks, key=lambda mark: (mark.start, -mark.end)):
            clusters.setdefault(mark.entity, []).append((mark.start, mark.end - 1))
        entities[name] = list(clusters.values())
    return build(path.name, documents, entities)


def build(
    name: str, documents: Mapping[str, Sentences], entities: Mapping[str, Clusters]
) -> scoref.Corpus:
    """Build a corpus from sentences and spans; entities are numbered by their first mention."""
    builder = scoref.CorpusBuilder(name, text=True)
    for title, sentences in documents.items():
        number = builder.document(title, length=sum(map(len, sentences)))
        for sentence in sentences:
            builder.sentence(word=sentence)
        for label, spans in enumerate(sorted(entities[title], key=_first_mention), 1):
            entity = builder.entity(number, str(label))
            for span in spans:
                builder.mention(number, span, entity)
    return builder.corpus()


def write_conll(corpus: scoref.Corpus, path: Path) -> None:
    """Write the columns that are not empty: name, part, number, word and entities."""
    corpus.write(path)
    lines = path.read_text("utf-8").splitlines()
    rows = (line.split("\t") for line in lines)
    path.write_text("".join("\t".join([*row[:4], *row[4:][-1:]]) + "\n" for row in rows), "utf-8")


def sentences_of(corpus: scoref.Corpus) -> dict[str, Sentences]:
    """Return the sentences of each document."""
    text = corpus.text
    if text is None:
        raise ValueError(f"{corpus.source} has no words")
    found: dict[str, Sentences] = {}
    for number, document in enumerate(corpus.documents):
        sentences = found.setdefault(document.name, [])
        for row in range(*text.first[number : number + 2].tolist()):
            if text.starts_sentence[row]:
                sentences.append([])
            sentences[-1].append(text.columns["word"][row])
    return found


def _documents(text: str) -> Iterator[tuple[str, str]]:
    _, *parts = _TITLE.split(text)
    yield from zip(parts[::2], (part.strip() for part in parts[1::2]), strict=True)


def _first_mention(spans: Sequence[tuple[int, int]]) -> tuple[int, int]:
    start, end = min(spans, key=lambda span: (span[0], -span[1]))
    return start, -end
