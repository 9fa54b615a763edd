"""Writing CoNLL-UA: brackets without ids, so that mentions that cross become parts that nest."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from typing import Any, BinaryIO

import numpy as np

from scoref.corpus.corpus import Corpus
from scoref.exceptions import UsageError

_HEADER = (
    "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC"
    " IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM\n"
)
_TEXT = {1: "word", 2: "lemma", 3: "pos", 6: "head", 7: "deprel"}
_IDENTITY = 10
_WIDTH = 15

Node = tuple[int, int]


def write(corpus: Corpus, stream: BinaryIO) -> None:
    """Write a corpus of token spans, with its words if it has them."""
    spans = corpus.as_spans()
    if spans is None or corpus.unit != "token":
        raise UsageError("only mentions that are token spans can be written as CoNLL-UA")
    if odd := [d.name for d in corpus.documents if d.name != " ".join(d.name.split())]:
        raise UsageError(f"the document name {odd[0]!r} cannot be written in CoNLL-UA")
    naming = _Naming(spans)
    stream.write(_HEADER.encode())
    lengths = np.array([document.length for document in spans.documents], dtype=np.int64)
    np.maximum.at(lengths, spans.document, spans.end + 1)
    for number, document in enumerate(spans.documents):
        rows = np.flatnonzero(spans.document == number).tolist()
        mentions = {row: _nodes(spans, row) for row in rows}
        empty = {node for nodes in mentions.values() for node in nodes if node[1]}
        words = [(word, 0) for word in range(max(int(lengths[number]), 0))]
        nodes = sorted([*words, *empty])
        name = "" if document.is_unnamed else f" id = {document.name}"
        stream.write(f"# newdoc{name}\n".encode())
        cells = _cells(naming, mentions, {node: at for at, node in enumerate(nodes)})
        stream.writelines(line.encode() for line in _lines(corpus, number, nodes, cells))
        stream.write(b"\n")


def _nodes(spans: Corpus, row: int) -> list[Node]:
    """Return the nodes of a mention in order."""
    told = spans.attributes.get("nodes")
    if told is None or not told[row]:
        return [(word, 0) for word in range(int(spans.start[row]), int(spans.end[row]) + 1)]
    pairs = (text.partition(".") for text in str(told[row]).split())
    return sorted((int(word), int(empty or 0)) for word, _, empty in pairs)


def _cells(
    naming: _Naming, mentions: dict[int, list[Node]], place: dict[Node, int]
) -> dict[int, str]:
    """Put the brackets of a document on its rows, longer parts outside.

    Parts nest, so a row where an earlier part ends opens none that goes on.
    """
    opened: dict[int, list[str]] = {}
    within: dict[int, list[str]] = {}
    closed: dict[int, int] = {}
    queue: list[tuple[int, int, int]] = []
    for row, nodes in mentions.items():
        for first, last in _runs([place[node] for node in nodes]):
            heapq.heappush(queue, (first, -last, row))
    ends: list[int] = []
    while queue:
        first, last, row = heapq.heappop(queue)
        last = -last
        while ends and ends[-1] < first:
            ends.pop()
        if ends and ends[-1] < last:  # it would cross: its rest becomes a part of its own
            heapq.heappush(queue, (ends[-1] + 1, -last, row))
            last = ends[-1]
        ends.append(last)
        bracket = f"({naming.fields(row, place)}"
        if first == last:
            within.setdefault(first, []).append(f"{bracket})")
        else:
            opened.setdefault(first, []).append(bracket)
            closed[last] = closed.get(last, 0) + 1
    return {
        at: "".join([*opened.get(at, []), *within.get(at, []), ")" * closed.get(at, 0)])
        for at in {*opened, *within, *closed}
    }


def _runs(places: list[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and last of each run of rows."""
    start = previous = places[0]
    for place in places[1:]:
        if place != previous + 1:
            yield start, previous
            start = place
        previous = place
    yield start, previous


class _Naming:
    """The ids of entities and mentions: their own where these will do."""

    def __init__(self, spans: Corpus) -> None:
        self.spans = spans
        own = [str(name) for name in spans.entity_names]
        document = np.zeros(len(own), dtype=np.int64)
        document[spans.entity] = spans.document
        self.entities = own
        if not _will_do(own, document.tolist()):
            self.entities = [f"e{number}" for number in range(1, len(own) + 1)]
        self.of_own = dict(
            zip(zip(document.tolist(), own, strict=True), self.entities, strict=True)
        )
        markables = spans.attributes.get("markable", np.zeros(0)).tolist()
        self.markables = [f"markable_{row + 1}" for row in range(len(spans))]
        if markables and _will_do(markables, spans.document.tolist()):
            self.markables = markables

    def fields(self, row: int, place: dict[Node, int]) -> str:
        """Write what an opening bracket says."""
        told = {"EntityID": self.entities[self.spans.entity[row]]}
        told["MarkableID"] = self.markables[row]
        low, high = (self.attribute(f"min_{end}", row) for end in ("start", "end"))
        if low not in {None, -1} and high not in {None, -1}:
            ends = (place[low, 0] + 1, place[high, 0] + 1)
            told["Min"] = ",".join(map(str, dict.fromkeys(ends)))
        if kind := self.attribute("semtype", row):
            told["SemType"] = kind
        document = int(self.spans.document[row])
        wholes = str(self.attribute("element_of", row) or "").split(",")
        known = [self.of_own.get((document, whole), whole) for whole in wholes if whole]
        if known and all(map(_is_plain, known)):
            told["ElementOf"] = ",".join(known)
        return "|".join(f"{key}={value}" for key, value in told.items())

    def attribute(self, name: str, row: int) -> Any:
        """Return what is known of a mention."""
        values = self.spans.attributes.get(name)
        return None if values is None else values[row : row + 1].tolist()[0]


def _will_do(names: list[str], documents: list[int]) -> bool:
    """Whether names are plain, and different within each document."""
    pairs = set(zip(documents, names, strict=True))
    return len(pairs) == len(names) and all(map(_is_plain, names))


def _is_plain(text: str) -> bool:
    return bool(text) and not set(text) & set("()|=@, \t\n\r") and not text.endswith("-Pseudo")


def _lines(
    corpus: Corpus, document: int, nodes: list[Node], cells: dict[int, str]
) -> Iterator[str]:
    text = corpus.text
    first = int(text.first[document]) if text is not None else 0
    behind = 0
    word = 0
    for at, (number, empty) in enumerate(nodes):
        behind = behind + 1 if empty else 0
        word = word if empty else number + 1
        line = ["_"] * _WIDTH
        line[0] = f"{word}.{behind}" if empty else str(word)
        if text is not None and not empty:
            if word > 1 and text.starts_sentence[first + number]:
                yield "\n"
            for column, name in _TEXT.items():
                if name in text:
                    line[column] = text.columns[name][first + number] or "_"
        line[_IDENTITY] = cells.get(at, "_")
        yield "\t".join(line) + "\n"
