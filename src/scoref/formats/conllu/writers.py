"""The writers of CorefUD and CoNLL-UA: rows of words and of the empty nodes of mentions.

CorefUD has entities in MISC. In CoNLL-UA, closing brackets have no ids, so mentions that cross are
written in parts that nest.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, BinaryIO, NoReturn

import numpy as np

from scoref.base.arrays import Bools, first_of_run
from scoref.corpus.corpus import Corpus
from scoref.corpus.document import Document
from scoref.corpus.spans import place_of
from scoref.corpus.split_antecedents import members_of
from scoref.corpus.text import Text
from scoref.exceptions import UsageError
from scoref.formats.brackets.cells import (
    BracketCells,
    check_nesting,
    check_tokens,
    is_next,
    runs,
    token_spans,
)
from scoref.formats.conllu import conllua, corefud
from scoref.formats.conllu.nodes import BEFORE, Node, fill_empty, mention_nodes, word_cells
from scoref.formats.conllu.zero_sentences import sentences_of_zeros
from scoref.formats.written_names import CONTROL, LINE, NameRule, WrittenNames

_ENTITY_HEADER = "# global.Entity = eid-etype-head-other\n"
_COLUMNS_HEADER = f"# global.columns = {' '.join(conllua.NAMES)}\n"
_DEPENDENCIES, _MISC, _IDENTITY = 8, 9, 10
_COREFUD_FIELD = NameRule(rf"[-()\[\]|=,\s{CONTROL}]", is_printable=True)
_CONLLUA_FIELD = NameRule(rf"[()|=@,\s{CONTROL}]|-(?=Pseudo$)", is_printable=True)
_PLAIN = re.compile(r"[^()|=@, \t\n\r]+(?<!-Pseudo)")


def _newdoc(document: Document) -> str:
    """Return the comment that starts a document."""
    return "# newdoc\n" if document.is_unnamed else f"# newdoc id = {document.name}\n"


@dataclass(slots=True)
class _DocumentNodes:
    """The brackets of a document by node, and its empty nodes with their dependencies by word."""

    brackets: BracketCells = field(default_factory=BracketCells)
    empty: dict[int, dict[Node, str]] = field(default_factory=dict)
    ends: dict[int, Node] = field(default_factory=dict)
    """The last node of the latest mention with gaps of each entity."""

    def follows(self, one: Node, other: Node) -> bool:
        """Whether no word and no empty node is between two nodes: a bracket would have it."""
        if other[0] > one[0] + 1:
            return False
        between = [(one[0], 0), (other[0], 0)]
        for word in {one[0], other[0]}.intersection(self.empty):
            between += self.empty[word]
        return not any(one < node < other for node in between)

    def has_empty(self, nodes: Sequence[Node]) -> bool:
        """Whether an empty node is from the first to the last of some nodes."""
        return bool(self.empty) and any(
            nodes[0] <= empty <= nodes[-1]
            for word in range(nodes[0][0], nodes[-1][0] + 1)
            if word in self.empty
            for empty in self.empty[word]
        )


def write_corefud(corpus: Corpus, stream: BinaryIO) -> None:
    """Write documents as CorefUD; unknown values of a word are `_`."""
    spans, lengths = token_spans(corpus, "CorefUD")
    check_tokens(spans.documents, lengths, "CorefUD")
    whole = spans.attributes.get("nodes", np.full(len(spans), "")) == ""
    check_nesting(spans.where(whole), touching=False)
    _check_sentences(spans)
    documents = _documents(spans)
    order = np.argsort(spans.document, kind="stable")
    first_row = np.searchsorted(spans.document[order], np.arange(len(lengths) + 1))
    for number, (document, length) in enumerate(zip(spans.documents, lengths, strict=True)):
        if spans.text is None:
            own = order[first_row[number] : first_row[number + 1]]
            starts = sentences_of_zeros(spans, own, length)
        else:
            first = int(spans.text.first[number])
            starts = spans.text.starts_sentence[first : first + length]
        stream.write(f"{_newdoc(document)}{_ENTITY_HEADER}".encode())
        lines = _corefud_lines(spans.text, number, starts.tolist(), documents[number])
        stream.writelines(line.encode() for line in lines)


def _check_sentences(spans: Corpus) -> None:
    """Refuse mentions across sentences, which the format does not allow."""
    if spans.text is None or not len(spans):
        return
    sentence = np.cumsum(spans.text.starts_sentence)
    first = spans.text.first[spans.document]
    across = sentence[first + spans.start] != sentence[first + spans.end]
    if across.any():
        row = int(np.argmax(across))
        document = spans.documents[spans.document[row]].name
        raise UsageError(
            f"document {document} has the mention {spans.mention(row)} across sentences, which"
            " CorefUD cannot express",
            "write another format, for example with --to jsonl",
        )


def _documents(spans: Corpus) -> list[_DocumentNodes]:
    """Put the brackets of all mentions on their nodes, longer mentions outside."""
    zeros = spans.attributes.get("zero", np.full(len(spans), "")).tolist()
    heads = spans.attributes.get("head_start", np.full(len(spans), -1)).tolist()
    types = spans.entity_attributes.get("type", np.full(spans.entity_count, "")).tolist()
    names = list(spans.entity_names)
    documents = [_DocumentNodes() for _ in spans.documents]
    _add_empty_nodes(spans, zeros, documents)
    nested = _nested_entities(spans)
    mentions = []
    for rank, row in enumerate(np.lexsort((np.arange(len(spans)), spans.entity)).tolist()):
        document = documents[spans.document[row]]
        nodes = mention_nodes(spans, row)
        pieces = runs(nodes, document.follows)
        # The reader puts these in the order in which they end: of equal ones, the last that opens.
        is_late = len(pieces) > 1 or nested[spans.entity[row]] or document.has_empty(nodes)
        first = -rank if is_late and pieces[-1][0] != pieces[-1][1] else rank
        mentions.append(((nodes[0][0], -nodes[-1][0], first), row, nodes, pieces))
    for _, row, nodes, pieces in sorted(mentions):
        document = documents[spans.document[row]]
        entity = int(spans.entity[row])
        head = place_of(zeros[row]) if zeros[row] else (heads[row], 0)
        place = str(nodes.index(head) + 1) if head in nodes else ""
        if len(pieces) > 1:
            if nodes[0] < document.ends.get(entity, nodes[0]):
                _refuse_overlap(spans.documents[spans.document[row]].name, names[entity])
            document.ends[entity] = nodes[-1]
        for number, (start, end) in enumerate(pieces, 1):
            name = names[entity] + (f"[{number}/{len(pieces)}]" if len(pieces) > 1 else "")
            fields = f"{name}-{types[entity]}-{place}".rstrip("-")
            document.brackets.add(start, end, f"({fields}", f"{name})")
    return documents


def _nested_entities(spans: Corpus) -> Bools:
    """Mark the entities that have a mention of several words inside another one, or twice."""
    rows = np.lexsort((-spans.end, spans.start, spans.entity))
    entity, start, end = (column[rows] for column in (spans.entity, spans.start, spans.end))
    far = int(spans.end.max(initial=0)) + 1
    latest = np.maximum.accumulate(np.append(-1, end + entity * far))[:-1] - entity * far
    first = first_of_run(entity)
    inside = ~first & ((start < latest) | np.append(False, start[1:] == start[:-1])[: len(start)])
    found = np.zeros(spans.entity_count, dtype=bool)
    found[entity[inside & (end > start)]] = True
    return found


def _add_empty_nodes(
    spans: Corpus, zeros: Sequence[str], documents: Sequence[_DocumentNodes]
) -> None:
    """Add the empty nodes of mentions, and those that must come before them."""
    nodes, dependencies = (
        spans.attributes.get(name, np.full(len(spans), "")).tolist()
        for name in ("nodes", "zero_deps")
    )
    known = {
        (int(spans.document[row]), place_of(zeros[row])): dependencies[row].partition(" ")[2]
        for row in np.flatnonzero(np.array(dependencies, dtype=object) != "").tolist()
        if zeros[row]
    }
    for row in range(len(spans)):
        if "." not in nodes[row]:
            continue
        number = int(spans.document[row])
        for node in mention_nodes(spans, row):
            if node[1]:
                here = documents[number].empty.setdefault(node[0], {})
                here.setdefault(node, known.get((number, node)) or "_")
    for document in documents:
        for here in document.empty.values():
            for node in fill_empty([*here]):
                here.setdefault(node, "_")


def _refuse_overlap(document: str, entity: str) -> NoReturn:
    raise UsageError(
        f"document {document} has two mentions with gaps of entity {entity} that overlap, whose"
        " parts CorefUD cannot tell apart",
        "write another format, for example with --to csv",
    )


def _corefud_lines(
    text: Text | None, number: int, starts: Sequence[bool], document: _DocumentNodes
) -> Iterator[str]:
    """Yield the lines of a document, whose sentences start at the marked words."""
    first = int(text.first[number]) if text is not None else 0
    in_sentence = 0
    for word, starts_sentence in enumerate(starts):
        if starts_sentence or word == 0:
            yield ("\n" if word else "") + f"# sent_id = {number + 1}-{word + 1}\n"
            in_sentence = 0
        empty = document.empty.get(word, {})
        for node in sorted([(word, 0), *empty]):
            cells = word_cells(text if node[1] == 0 else None, first + word)
            if node[1] < 0:
                cells[0] = f"{in_sentence}.{node[1] + BEFORE}"
            elif node[1] > 0:
                cells[0] = f"{in_sentence}.{node[1]}"
            else:
                in_sentence += 1
                cells[0] = str(in_sentence)
            cells[_DEPENDENCIES] = empty.get(node, "_")
            if brackets := "".join(document.brackets.at(node)):
                cells[_MISC] = f"Entity={brackets}"
            yield "\t".join(cells) + "\n"
    yield "\n"


def write_conllua(corpus: Corpus, stream: BinaryIO) -> None:
    """Write a corpus of token spans as CoNLL-UA, with its words if it has them."""
    spans, lengths = token_spans(corpus, "CoNLL-UA")
    check_tokens(spans.documents, lengths, "CoNLL-UA")
    writer = _BracketWriter(spans)
    stream.write(_COLUMNS_HEADER.encode())
    for number, (document, length) in enumerate(zip(spans.documents, lengths, strict=True)):
        rows = np.flatnonzero(spans.document == number).tolist()
        mentions = {row: mention_nodes(spans, row) for row in rows}
        empty = {node for nodes in mentions.values() for node in nodes if node[1]}
        nodes = sorted([*((word, 0) for word in range(length)), *{*fill_empty(empty)}])
        stream.write(_newdoc(document).encode())
        cells = _nested_cells(writer, mentions, {node: at for at, node in enumerate(nodes)})
        stream.writelines(line.encode() for line in _conllua_lines(corpus, number, nodes, cells))
        stream.write(b"\n")


def _nested_cells(
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
        names = spans.attributes.get("markable", np.full(len(spans), "")).tolist()
        places = set(zip(spans.document.tolist(), names, strict=True))
        if len(places) < len(names) or not all(map(_PLAIN.fullmatch, names)):
            names = [f"markable_{number}" for number in range(1, len(names) + 1)]
        self.markables = names
        self.wholes: dict[int, list[str]] = {}
        first = np.full(len(self.entities), len(spans), dtype=np.int64)
        np.minimum.at(first, spans.entity, np.arange(len(spans)))
        for whole, members in members_of(spans).items():
            for member in [one for one in members if one is not None]:
                self.wholes.setdefault(int(first[member]), []).append(self.entities[whole])

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
        known = [_CONLLUA_FIELD.write(whole) for whole in wholes if whole]
        if known := list(dict.fromkeys([*known, *self.wholes.get(row, ())])):
            fields["ElementOf"] = ",".join(known)
        return "|".join(f"{key}={value}" for key, value in fields.items())

    def attribute(self, name: str, row: int) -> Any:
        """Return the value of an attribute of a mention, or None."""
        values = self.spans.attributes.get(name)
        return None if values is None else values[row : row + 1].tolist()[0]


def _conllua_lines(
    corpus: Corpus, document: int, nodes: list[Node], cells: BracketCells
) -> Iterator[str]:
    text = corpus.text
    first = int(text.first[document]) if text is not None else 0
    behind = 0
    word = 0
    for at, (number, empty) in enumerate(nodes):
        behind = behind + 1 if empty else 0
        word = word if empty else number + 1
        if text is not None and not empty and word > 1 and text.starts_sentence[first + number]:
            yield "\n"
        line = word_cells(None if empty else text, first + number, len(conllua.NAMES))
        line[0] = f"{word}.{behind}" if empty else str(word)
        line[_IDENTITY] = "".join(cells.at(at, closings_first=False)) or "_"
        yield "\t".join(line) + "\n"


COREFUD = replace(
    corefud.FORMAT,
    write=write_corefud,
    names=WrittenNames(
        document=LINE,
        entity=_COREFUD_FIELD,
        word=LINE,
        attributes={"entity type": _COREFUD_FIELD},
        has_unnamed=True,
        are_global=True,
    ),
)
CONLLUA = replace(
    conllua.FORMAT,
    write=write_conllua,
    names=WrittenNames(
        document=LINE,
        entity=_CONLLUA_FIELD,
        word=LINE,
        attributes={"semtype": _CONLLUA_FIELD},
        has_unnamed=True,
    ),
)
