"""The writer of CoNLL-UA.

Closing brackets have no ids, so mentions that cross are written in parts that nest.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, BinaryIO

import numpy as np

from scoref.corpus.corpus import Corpus
from scoref.formats.brackets.cells import (
    BracketCells,
    check_tokens,
    is_next,
    plain_names,
    runs,
    token_spans,
)
from scoref.formats.conllu.conllua import reader
from scoref.formats.conllu.nodes import Node, fill_empty, mention_nodes, word_cells
from scoref.formats.written_names import CONTROL, LINE, NameRule, WrittenNames

_HEADER = (
    "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC"
    " IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM\n"
)
_IDENTITY = 10
_WIDTH = 15
_SPECIAL = "()|=@, \t\n\r"
_FIELD = NameRule(rf"[()|=@,\s{CONTROL}]|-(?=Pseudo$)", is_printable=True)
NAMES = WrittenNames(
    document=LINE,
    entity=_FIELD,
    word=LINE,
    attributes={"semtype": _FIELD},
    has_unnamed=True,
)


def write(corpus: Corpus, stream: BinaryIO) -> None:
    """Write a corpus of token spans, with its words if it has them."""
    spans, lengths = token_spans(corpus, "CoNLL-UA")
    check_tokens(spans.documents, lengths, "CoNLL-UA")
    writer = _BracketWriter(spans)
    stream.write(_HEADER.encode())
    for number, (document, length) in enumerate(zip(spans.documents, lengths, strict=True)):
        rows = np.flatnonzero(spans.document == number).tolist()
        mentions = {row: mention_nodes(spans, row) for row in rows}
        empty = {node for nodes in mentions.values() for node in nodes if node[1]}
        nodes = sorted([*((word, 0) for word in range(length)), *{*fill_empty(empty)}])
        name = "" if document.is_unnamed else f" id = {document.name}"
        stream.write(f"# newdoc{name}\n".encode())
        cells = _cells(writer, mentions, {node: at for at, node in enumerate(nodes)})
        stream.writelines(line.encode() for line in _lines(corpus, number, nodes, cells))
        stream.write(b"\n")


def _cells(
    writer: _BracketWriter, mentions: dict[int, list[Node]], place: dict[Node, int]
) -> BracketCells:
    """Put the brackets of a document on its rows, longer parts outside.

    Parts nest, so on the last row of a part no longer part opens.
    """
    cells = BracketCells()
    queue: list[tuple[int, int, int]] = []
    for row, nodes in mentions.items():
        for first, last in runs((place[node] for node in nodes), is_next):
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
        cells.add(first, last, f"({writer.fields(row, place)}", ")")
    return cells


class _BracketWriter:
    """Writes the fields of brackets, with the file's own ids where these are plain and unique."""

    def __init__(self, spans: Corpus) -> None:
        self.spans = spans
        self.entities = list(spans.entity_names)
        markables = spans.attributes.get("markable", np.full(len(spans), "")).tolist()
        self.markables = plain_names(markables, "markable_", _SPECIAL, spans.document.tolist())

    def fields(self, row: int, place: dict[Node, int]) -> str:
        """Return the fields of an opening bracket."""
        fields = {"EntityID": self.entities[self.spans.entity[row]]}
        fields["MarkableID"] = self.markables[row]
        low, high = (self.attribute(f"min_{end}", row) for end in ("start", "end"))
        ends = place.get((low, 0), -1) + 1, place.get((high, 0), -1) + 1
        if all(ends):
            fields["Min"] = ",".join(map(str, dict.fromkeys(ends)))
        if kind := self.attribute("semtype", row):
            fields["SemType"] = kind
        wholes = str(self.attribute("element_of", row) or "").split(",")
        if known := [_FIELD.write(whole) for whole in wholes if whole]:
            fields["ElementOf"] = ",".join(known)
        return "|".join(f"{key}={value}" for key, value in fields.items())

    def attribute(self, name: str, row: int) -> Any:
        """Return the value of an attribute of a mention, or None."""
        values = self.spans.attributes.get(name)
        return None if values is None else values[row : row + 1].tolist()[0]


def _lines(corpus: Corpus, document: int, nodes: list[Node], cells: BracketCells) -> Iterator[str]:
    text = corpus.text
    first = int(text.first[document]) if text is not None else 0
    behind = 0
    word = 0
    for at, (number, empty) in enumerate(nodes):
        behind = behind + 1 if empty else 0
        word = word if empty else number + 1
        if text is not None and not empty and word > 1 and text.starts_sentence[first + number]:
            yield "\n"
        line = word_cells(None if empty else text, first + number, _WIDTH)
        line[0] = f"{word}.{behind}" if empty else str(word)
        line[_IDENTITY] = "".join(cells.at(at, closings_first=False)) or "_"
        yield "\t".join(line) + "\n"


FORMAT = replace(reader.FORMAT, write=write, names=NAMES)
