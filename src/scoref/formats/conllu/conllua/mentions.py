"""The mentions of a CoNLL-UA file, made of the brackets of a column when all are read.

All mentions are made at once. Only those in several parts, which share a MarkableID, those with
empty nodes, and what is said of few, bridging and plurals, are looked at one by one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Bools, Ints, number_by_appearance, pack
from scoref.corpus.corpus import Corpus
from scoref.corpus.spans import Links, Spans, nearest
from scoref.formats.brackets.ids import EntityNames, Ids, sparse_column
from scoref.formats.conllu.conllua.cells import pair
from scoref.formats.conllu.lines import Begun
from scoref.formats.conllu.nodes import Empty, Nodes

KEPT = {"MarkableID": "markable", "SemType": "semtype", "ElementOf": "element_of"}
_BRIDGES = {"MentionAnchor": "bridge", "EntityAnchor": "bridge_entity", "Rel": "bridge_relation"}
_NON_REFERRING = "-Pseudo"
_BEFORE = 1000
_NOTHING = -1
_NO_MIN = (_NOTHING, _NOTHING)

Complain = Callable[[int, str, str, str], None]
"""Takes a line, what was found, what was expected, and a hint."""


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """The brackets of a column: what each does, at which node and line, and what it says.

    `closes` is what stands before a closing bracket, `value` the id in it; `fields` are those of
    openings. All are codes of `Ids`, and 0 stands for nothing.
    """

    kind: Ints
    node: Ints
    line: Ints
    closes: Ints
    value: Ints
    fields: dict[str, Ints]

    @classmethod
    def join(cls, parts: Sequence[Column], names: Sequence[str]) -> Column:
        """Put the brackets of consecutive blocks together."""
        nothing = np.zeros(0, dtype=np.int64)
        kind, node, line, closes, value = (
            np.concatenate([nothing, *(getattr(part, column) for part in parts)])
            for column in ("kind", "node", "line", "closes", "value")
        )
        fields = {
            name: np.concatenate([nothing, *(part.fields[name] for part in parts)])
            for name in names
        }
        return cls(kind, node, line, closes, value, fields)


class _Mentions(NamedTuple):
    """Mentions: first and last node, the bracket whose fields they have, when they were ended.

    `until` is where the first part ends.
    """

    document: Ints
    first: Ints
    last: Ints
    bracket: Ints
    ended: Ints
    until: Ints

    def where(self, rows: Ints | Bools) -> _Mentions:
        return _Mentions._make(column[rows] for column in self)


class _Bridge(NamedTuple):
    """What a bracket says of bridging, by codes: of which markable, its anchor and relation."""

    document: int
    markable: int
    anchor: int
    entity: int
    relation: int


@dataclass(eq=False)
class Annotation:
    """What is needed to make mentions of brackets, and what there is to note about them."""

    documents: Sequence[Begun]
    titles: Sequence[str]
    empties: Sequence[tuple[int, int]]
    ids: Ids
    complain: Complain
    mins: int = 0
    bad_min: list[int] = field(default_factory=list)
    non_referring: int = 0
    lost_bridges: int = 0

    @cached_property
    def first_node(self) -> Ints:
        """The node with which each document starts."""
        return np.array([document.nodes for document in self.documents], dtype=np.int64)

    @cached_property
    def first_word(self) -> Ints:
        """The word with which each document starts."""
        return np.array([document.words for document in self.documents], dtype=np.int64)

    @cached_property
    def nodes(self) -> Nodes:
        """The empty nodes: numbered behind the word that they follow, or before the first one."""
        found: list[Empty] = []
        starts = self.first_node.tolist()
        for node, words in self.empties:
            document = self.documents[bisect_right(starts, node) - 1]
            follows = bool(found) and found[-1].node == node - 1 >= document.nodes
            number = found[-1].decimal + 1 if follows else 1
            if words > document.words:
                found.append(Empty(node, words - 1, number))
            else:
                found.append(Empty(node, words, number if follows else 1 - _BEFORE))
        return Nodes(found)

    def corpus(self, column: Column, bridging: Column | None) -> Corpus:
        """Make the corpus of a column, with what another one says of bridging."""
        everyone, pieces = self._whole(column)
        code = column.fields["EntityID"][everyone.bracket]
        texts, which = self.ids.decode_all(code)
        referring = ~np.array([t.endswith(_NON_REFERRING) for t in texts], dtype=bool)[which]
        self.non_referring = int(np.count_nonzero(~referring))
        found = everyone.where(referring)
        bridges = None if bridging is None else self._read_bridges(bridging)
        markable = column.fields["MarkableID"][found.bracket]
        code = column.fields["EntityID"][found.bracket]
        entity, at = number_by_appearance(pack(found.document, code))
        names = list(zip(found.document[at].tolist(), code[at].tolist(), strict=True))
        first = self.first_word[found.document]
        told = {
            name: self.ids.column(codes)
            for key, name in KEPT.items()
            if (codes := column.fields[key][found.bracket]).any()
        }
        return Corpus(
            documents=(),
            document=found.document,
            start=self.nodes.word(found.first) - first,
            end=self.nodes.word(found.last) - first,
            entity=entity,
            entity_names=EntityNames(code[at], self.ids),
            line=column.line[found.bracket],
            attributes={
                **told,
                **self._bridges(bridges, found.document, markable),
                **self._node_texts(found, pieces),
                **self._minima(column, found),
            },
            entity_attributes=self._split_antecedents(column, found, names),
            bridging=self._links(column, everyone, pieces, bridges),
            non_referring=self._spans(everyone.where(~referring), pieces),
        )

    def _spans(self, found: _Mentions, pieces: dict[int, list[int]]) -> Spans:
        """Return the tokens of mentions."""
        first = self.first_word[found.document]
        start, end = (self.nodes.word(node) - first for node in (found.first, found.last))
        return Spans(found.document, start, end, self._node_texts(found, pieces).get("nodes"))

    def _whole(self, column: Column) -> tuple[_Mentions, dict[int, list[int]]]:
        """Make mentions of pairs of brackets, in text order; also list the nodes of parts.

        Those are by the bracket of the mention's first part.
        """
        found = self._pairs(column)
        markable = column.fields["MarkableID"][found.bracket]
        group = np.unique(pack(found.document, markable), return_inverse=True)[1]
        in_parts = (np.bincount(group, minlength=1)[group] > 1) & (markable != 0)
        groups: dict[int, list[int]] = {}
        rows = np.flatnonzero(in_parts)
        for row in rows[np.lexsort((found.ended[rows], found.first[rows]))].tolist():
            groups.setdefault(int(group[row]), []).append(row)
        pieces: dict[int, list[int]] = {}
        kept = ~in_parts
        last, ended = found.last.copy(), found.ended.copy()
        for parts in groups.values():
            head = parts[0]
            ranges = [range(found.first[row], found.last[row] + 1) for row in parts]
            pieces[int(found.bracket[head])] = nodes = sorted(set().union(*ranges))
            last[head], ended[head] = nodes[-1], found.ended[parts].min()
            kept[head] = self._is_of_one_entity(column, found.bracket[parts])
        alone = column.fields["EntityID"][found.bracket] == 0
        for row in np.flatnonzero(alone & kept).tolist():
            self._refuse_entity(int(column.line[found.bracket[row]]), "a mention without EntityID")
        found = found._replace(last=last, ended=ended).where(kept & ~alone)
        order = np.lexsort((found.ended, -found.until, found.first))
        return found.where(order), pieces

    def _is_of_one_entity(self, column: Column, brackets: Ints) -> bool:
        codes = column.fields["EntityID"][brackets].tolist()
        if not codes[0] or len(set(codes)) == 1:
            return True  # one without an entity is refused as others are
        markable = self.ids.decode(int(column.fields["MarkableID"][brackets[0]]))
        names = ", ".join(sorted({self.ids.decode(code) for code in codes}))
        line = int(column.line[brackets[-1]])
        self._refuse_entity(line, f"MarkableID {markable} in entities {names}")
        return False

    def _refuse_entity(self, line: int, found: str) -> None:
        hint = "parts of one mention share its MarkableID, other mentions have their own"
        self.complain(line, found, "one EntityID", hint)

    def _pairs(self, column: Column) -> _Mentions:
        """Pair brackets, and complain about those that have no partner."""
        document = np.searchsorted(self.first_node, column.node, side="right") - 1
        names = [column.fields[name] for name in ("MarkableID", "EntityID")]
        paired = pair(column.kind, document, column.value, names)
        for row in paired.unopened:
            shown = f"`{self.ids.decode(int(column.closes[row]))})`"
            expected = f"an open mention in document {self.titles[document[row]]}"
            hint = "write `(EntityID=...` on the first row of the mention, or remove the bracket"
            self.complain(int(column.line[row]), shown, expected, hint)
        for row in paired.unclosed:
            fields = {name: self.ids.decode(int(c[row])) for name, c in column.fields.items()}
            shown = "|".join(f"{name}={text}" for name, text in fields.items() if text)
            expected = f"its `)` before document {self.titles[document[row]]} ends"
            hint = "write `)` on the last row of the mention, or remove the bracket"
            self.complain(int(column.line[row]), f"`({shown[:60]}`", expected, hint)
        opening, closing = paired.opening, paired.closing
        first, last = column.node[opening], column.node[closing]
        return _Mentions(document[opening], first, last, opening, closing, last)

    def _read_bridges(self, column: Column) -> list[_Bridge]:
        """Return what the bridging column says, in the order in which brackets end."""
        if not len(column.kind):
            return []
        found = self._pairs(column)
        found = found.where(np.argsort(found.ended))
        told = [column.fields[key][found.bracket].tolist() for key in ("MarkableID", *_BRIDGES)]
        return [_Bridge(*one) for one in zip(found.document.tolist(), *told, strict=True)]

    def _bridges(
        self, bridges: list[_Bridge] | None, document: Ints, markable: Ints
    ) -> dict[str, NDArray[Any]]:
        """Return what is said of bridging markables; each is of the first mention."""
        told = {(bridge.document, bridge.markable): bridge for bridge in bridges or ()}
        if not told:
            return {}
        columns: dict[str, dict[int, str]] = {name: {} for name in _BRIDGES.values()}
        for row, place in enumerate(zip(document.tolist(), markable.tolist(), strict=True)):
            if place in told:
                bridge = told.pop(place)
                for name, code in zip(_BRIDGES.values(), bridge[2:], strict=True):
                    if code:
                        columns[name][row] = self.ids.decode(code)
        return {name: sparse_column(t, len(document)) for name, t in columns.items() if t}

    def _links(
        self,
        column: Column,
        found: _Mentions,
        pieces: dict[int, list[int]],
        bridges: list[_Bridge] | None,
    ) -> Links | None:
        """Return all bridging links between mentions, referring or not; count those between others.

        An anchor of which only the entity is named is the nearest mention of it.
        """
        if bridges is None:
            return None
        of_markable: dict[tuple[int, int], int] = {}
        of_entity: dict[tuple[int, int], list[int]] = {}
        if bridges:
            markable, entity = (
                column.fields[key][found.bracket].tolist() for key in ("MarkableID", "EntityID")
            )
            for row, document in enumerate(found.document.tolist()):
                if markable[row]:
                    of_markable.setdefault((document, markable[row]), row)
                of_entity.setdefault((document, entity[row]), []).append(row)
        rows = []
        for bridge in bridges:
            anaphor = of_markable.get((bridge.document, bridge.markable))
            anchors = [
                of_markable.get((bridge.document, self.ids.code(name.encode())))
                for name in filter(None, self.ids.decode(bridge.anchor).split(","))
            ]
            if anaphor is not None and not anchors:
                mentions = of_entity.get((bridge.document, bridge.entity), [])
                anchors = [nearest(mentions, anaphor)]
            if anaphor is None or None in anchors:
                self.lost_bridges += 1
            rows.extend([(anaphor, at) for at in anchors if anaphor is not None and at is not None])
        ends = np.array(rows, dtype=np.int64).reshape(-1, 2).T
        return Links(*(self._spans(found.where(at), pieces) for at in ends))

    def _node_texts(
        self, found: _Mentions, pieces: dict[int, list[int]]
    ) -> dict[str, NDArray[Any]]:
        """Return the nodes of mentions that are not all words from their start to their end."""
        texts = {}
        unusual = self.nodes.has_empty(found.first, found.last)
        unusual |= np.isin(found.bracket, np.array(list(pieces), dtype=np.int64))
        for row in np.flatnonzero(unusual).tolist():
            low, high = int(found.first[row]), int(found.last[row])
            nodes = pieces.get(int(found.bracket[row]), range(low, high + 1))
            words = int(self.nodes.word(found.last[row]) - self.nodes.word(found.first[row])) + 1
            if len(nodes) != words or any(map(self.nodes.is_empty, nodes)):
                first = int(self.first_word[found.document[row]])
                texts[row] = self.nodes.show_all(nodes, first)
        return {"nodes": sparse_column(texts, len(found.first))} if texts else {}

    def _minima(self, column: Column, found: _Mentions) -> dict[str, NDArray[Any]]:
        """Read each Min, `3` or `3,5`: rows of the document, counted from 1, end inclusive.

        Many are equal, so each value is read once, as text.
        """
        codes = column.fields["Min"][found.bracket]
        rows = np.flatnonzero(codes)
        self.mins = len(rows)
        if not self.mins:
            return {}
        texts, which = self.ids.decode_all(codes[rows])
        read = [_minimum(text) for text in texts]
        for at in [at for at, ends in enumerate(read) if ends is None]:
            for row in rows[which == at].tolist():
                hint = "rows of the document, counted from 1"
                shown = f"`Min={texts[at][:40]}`"
                line = int(column.line[found.bracket[row]])
                self.complain(line, shown, "`Min=3` or `Min=3,5`", hint)
        ends = np.array([ends or _NO_MIN for ends in read], dtype=np.int64)[which]
        start = self.first_node[found.document[rows]]
        low, high = ends[:, 0] + start, ends[:, 1] + start
        inside = (found.first[rows] <= low) & (low <= high) & (high <= found.last[rows])
        self.bad_min = column.line[found.bracket[rows[~inside]]].tolist()
        if not inside.any():
            return {}
        columns = {}
        first = self.first_word[found.document[rows[inside]]]
        for name, node in (("min_start", low[inside]), ("min_end", high[inside])):
            columns[name] = np.full(len(found.first), _NOTHING)
            columns[name][rows[inside]] = self.nodes.word(node) - first
        return columns

    def _split_antecedents(
        self, column: Column, found: _Mentions, names: Sequence[tuple[int, int]]
    ) -> dict[str, NDArray[Any]]:
        """Return, of entities that others are elements of, the names of these."""
        members: dict[tuple[int, int], dict[str, None]] = {}
        element_of = column.fields["ElementOf"][found.bracket]
        for row in np.flatnonzero(element_of).tolist():
            member = self.ids.decode(int(column.fields["EntityID"][found.bracket[row]]))
            for whole in filter(None, self.ids.decode(int(element_of[row])).split(",")):
                place = int(found.document[row]), self.ids.code(whole.encode())
                members.setdefault(place, {})[member] = None
        texts = {at: ",".join(members[place]) for at, place in enumerate(names) if place in members}
        return {"split_antecedents": sparse_column(texts, len(names))} if members else {}

    def notes(self, path: str, column: str) -> Iterator[str]:
        """Say what was left out."""
        if self.non_referring:
            yield f"{path}: {self.non_referring} non-referring mentions are left out"
        if self.bad_min:
            yield (
                f"{path}: {len(self.bad_min)} of {self.mins} values of Min are outside their"
                f" mentions and are not used; the first is in line {self.bad_min[0]}"
            )
        if self.lost_bridges:
            yield (
                f"{path}: {self.lost_bridges} bridging markables, or their anchors, are no mentions"
                f" of the column {column} and are left out"
            )


def _minimum(text: str) -> tuple[int, int] | None:
    """Read a Min as rows from 0, or None if it is none."""
    ends = text.split(",")
    if len(ends) > 2 or not all(end.isascii() and end.isdecimal() for end in ends):
        return None
    return int(ends[0][:18]) - 1, int(ends[-1][:18]) - 1
