"""The mentions of a CoNLL-UA file, made of the brackets of a column when all of them were read.

All mentions are made at once. Only mentions in several parts, which share a MarkableID, are made
one at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Bools, Ints, pack
from scoref.base.phrases import counted
from scoref.formats.brackets.parsing import OPEN, Ids, sparse_column
from scoref.formats.conllu.bridging import ConlluaBridging
from scoref.formats.conllu.identity_cells import pair_by_ids
from scoref.formats.conllu.nodes import Nodes
from scoref.formats.conllu.reader import ConlluBrackets, EntityIndex
from scoref.formats.io.problems import Problems
from scoref.formats.io.text import is_whole_number

IDENTITY_FIELDS = ("EntityID", "MarkableID", "Min", "SemType", "ElementOf")
ATTRIBUTES = {"MarkableID": "markable", "SemType": "semtype", "ElementOf": "element_of"}
_NON_REFERRING = "-Pseudo"
_NOTHING = -1


class ConlluaMentions(NamedTuple):
    """Mentions: first and last node, the bracket with their fields, and the closing bracket.

    `until` is the last node of the first part.
    """

    document: Ints
    first: Ints
    last: Ints
    bracket: Ints
    ended: Ints
    until: Ints

    def where(self, rows: Ints | Bools) -> ConlluaMentions:
        """Keep some, or put them into another order."""
        return ConlluaMentions._make(column[rows] for column in self)


@dataclass(frozen=True, slots=True, eq=False)
class ConlluaAnnotation:
    """Makes mentions of brackets, and reports wrong brackets.

    `overlapping` are the lines of markables whose parts overlap.
    """

    titles: Sequence[str]
    nodes: Nodes
    ids: Ids
    problems: Problems
    overlapping: list[int] = field(default_factory=list)

    def columns(
        self, brackets: ConlluBrackets, bridging: ConlluaBridging | None, title: str
    ) -> dict[str, Any]:
        """Return the columns of a corpus, from the brackets of the column `title` and bridging."""
        everyone, parts = self._mentions(brackets)
        rows = np.flatnonzero(np.isin(everyone.bracket, list(parts))).tolist()
        in_parts = {row: parts[int(everyone.bracket[row])] for row in rows}
        spans = self.nodes.spans(everyone.document, everyone.first, everyone.last, in_parts)
        entity = brackets.field("EntityID")[everyone.bracket]
        markable = brackets.field("MarkableID")[everyone.bracket]
        names, which = self.ids.decode_all(entity)
        refers = ~np.array([name.endswith(_NON_REFERRING) for name in names], dtype=bool)[which]
        found, own = everyone.where(refers), spans.where(np.flatnonzero(refers))
        index = EntityIndex.of(found.document, entity[refers])
        columns = {name: brackets.field(field)[found.bracket] for field, name in ATTRIBUTES.items()}
        attributes = {
            name: self.ids.column(codes) for name, codes in columns.items() if codes.any()
        }
        if bridging is not None:
            attributes |= bridging.attributes(found.document, markable[refers])
        if own.nodes is not None and own.unusual.any():
            attributes["nodes"] = own.nodes
        self._check_minima(brackets)
        minima, note = self._minimal_spans(brackets, found)
        links, lost = (None, 0) if bridging is None else bridging.links(spans, markable, entity)
        return {
            "spans": own,
            "index": index,
            "line": brackets.line[found.bracket],
            "attributes": attributes | minima,
            "entity_attributes": self._split_antecedents(brackets, found, index.places),
            "bridging": links,
            "non_referring": spans.where(np.flatnonzero(~refers)),
            "notes": tuple(self._notes(int(np.count_nonzero(~refers)), note, lost, title)),
        }

    def pairs(self, brackets: ConlluBrackets) -> ConlluaMentions:
        """Pair brackets, and report brackets without a partner."""
        document = self.nodes.document(brackets.node)
        texts, which = self.ids.decode_all(brackets.name)
        texts = [text.removeprefix("MarkableID=").removeprefix("EntityID=") for text in texts]
        values = [self.ids.code(text.encode()) for text in texts]
        closes = np.array(values, dtype=np.int64)[which]
        ids = [brackets.field(name) for name in ("MarkableID", "EntityID")]
        opening, closing, unmatched = pair_by_ids(brackets.kind, document, closes, ids)
        for row in unmatched.tolist():
            line, opens = int(brackets.line[row]), bool(brackets.kind[row] == OPEN)
            fields = {name: self.ids.decode(int(f[row])) for name, f in brackets.fields.items()}
            shown = "|".join(f"{name}={text}" for name, text in fields.items() if text)
            opened = f"({shown[:60] or 'EntityID=...'}"
            closed = f"{self.ids.decode(int(brackets.name[row]))})"
            title = self.titles[document[row]]
            self.problems.add_unmatched(line, opened, closed, title, opens=opens)
        first, last = brackets.node[opening], brackets.node[closing]
        return ConlluaMentions(document[opening], first, last, opening, closing, last)

    def _mentions(self, brackets: ConlluBrackets) -> tuple[ConlluaMentions, dict[int, list[int]]]:
        """Make mentions of pairs of brackets, in text order.

        Also return the nodes of mentions in parts, by the bracket of the first part.
        """
        found = self.pairs(brackets)
        entity = brackets.field("EntityID")
        markable = brackets.field("MarkableID")[found.bracket]
        group = np.unique(pack(found.document, markable), return_inverse=True)[1]
        in_parts = (np.bincount(group, minlength=1)[group] > 1) & (markable != 0)
        groups: dict[int, list[int]] = {}
        rows = np.flatnonzero(in_parts)
        for row in rows[np.lexsort((found.ended[rows], found.first[rows]))].tolist():
            groups.setdefault(int(group[row]), []).append(row)
        parts: dict[int, list[int]] = {}
        kept = ~in_parts
        last, ended = found.last.copy(), found.ended.copy()
        for members in groups.values():
            head = members[0]
            ranges = [range(found.first[row], found.last[row] + 1) for row in members]
            parts[int(found.bracket[head])] = nodes = sorted(set().union(*ranges))
            if len(nodes) < sum(map(len, ranges)):
                self.overlapping.append(int(brackets.line[found.bracket[members[-1]]]))
            last[head], ended[head] = nodes[-1], found.ended[members].min()
            kept[head] = self._is_of_one_entity(brackets, found.bracket[members])
        alone = entity[found.bracket] == 0
        for row in np.flatnonzero(alone & kept).tolist():
            line = int(brackets.line[found.bracket[row]])
            self._refuse_entity(line, "a mention without EntityID")
        found = found._replace(last=last, ended=ended).where(kept & ~alone)
        return found.where(np.lexsort((found.ended, -found.until, found.first))), parts

    def _is_of_one_entity(self, brackets: ConlluBrackets, rows: Ints) -> bool:
        codes = brackets.field("EntityID")[rows].tolist()
        if not codes[0] or len(set(codes)) == 1:
            return True  # a mention without an entity is refused later
        markable = self.ids.decode(int(brackets.field("MarkableID")[rows[0]]))
        names = ", ".join(sorted({self.ids.decode(code) for code in codes}))
        line = int(brackets.line[rows[-1]])
        self._refuse_entity(line, f"MarkableID {markable} in entities {names}")
        return False

    def _refuse_entity(self, line: int, found: str) -> None:
        hint = "parts of one mention share its MarkableID, other mentions have their own"
        self.problems.add(line, found, "one EntityID", hint)

    def _split_antecedents(
        self, brackets: ConlluBrackets, found: ConlluaMentions, places: Sequence[tuple[int, int]]
    ) -> dict[str, NDArray[Any]]:
        """Return the names of the elements of each entity that has elements."""
        members: dict[tuple[int, int], dict[str, None]] = {}
        names = ("EntityID", "ElementOf")
        entity, element_of = (brackets.field(name)[found.bracket] for name in names)
        for row in np.flatnonzero(element_of).tolist():
            member = self.ids.decode(int(entity[row]))
            for whole in filter(None, self.ids.decode(int(element_of[row])).split(",")):
                place = int(found.document[row]), self.ids.code(whole.encode())
                members.setdefault(place, {})[member] = None
        texts = {at: ",".join(members[one]) for at, one in enumerate(places) if one in members}
        return {"split_antecedents": sparse_column(texts, len(places))} if members else {}

    def _check_minima(self, brackets: ConlluBrackets) -> None:
        """Refuse values of `Min` that are not numbers, also in brackets whose `Min` is not used.

        `Min=3m6)` is what is left of two brackets: that of a mention, and the one that closes it.
        """
        codes = brackets.field("Min")
        rows = np.flatnonzero(codes)
        texts, which = self.ids.decode_all(codes[rows])
        for at in [at for at, text in enumerate(texts) if _parse_min(text) is None]:
            for number in brackets.line[rows[which == at]].tolist():
                shown, hint = f"`Min={texts[at][:40]}`", "count the rows of the document from 1"
                self.problems.add(number, shown, "`Min=3` or `Min=3,5`", hint)

    def _minimal_spans(
        self, brackets: ConlluBrackets, found: ConlluaMentions
    ) -> tuple[dict[str, NDArray[Any]], str]:
        """Return the minimal spans of mentions, and a note on those outside their mentions.

        `Min=3` or `Min=3,5` counts rows of the document from 1. Each distinct value is parsed once.
        A mention whose `Min` is outside is its own minimal span.
        """
        codes = brackets.field("Min")[found.bracket]
        rows = np.flatnonzero(codes)
        if not len(rows):
            return {}, ""
        line, document = brackets.line[found.bracket[rows]], found.document[rows]
        texts, which = self.ids.decode_all(codes[rows])
        parsed = [_parse_min(text) for text in texts]
        ends = np.array([ends or (_NOTHING, _NOTHING) for ends in parsed], dtype=np.int64)[which]
        low, high = ends.T + self.nodes.first_node[document]
        inside = (found.first[rows] <= low) & (low <= high) & (high <= found.last[rows])
        if not inside.any():
            note = f"ignored all {len(rows)} values of Min, which are outside their mentions"
            return {}, f"{note}; the first is in line {line[0]}"
        low, high = np.where(inside, (low, high), (found.first[rows], found.last[rows]))
        columns = {}
        for name, node in (("min_start", low), ("min_end", high)):
            columns[name] = np.full(len(codes), _NOTHING)
            columns[name][rows] = self.nodes.word(node, document)
        if inside.all():
            return columns, ""
        note = (
            f"the minimal span of {counted(int(np.count_nonzero(~inside)), 'mention')} is the whole"
            f" mention, because Min is outside; the first is in line {line[~inside][0]}"
        )
        return columns, note

    def _notes(self, non_referring: int, min_note: str, lost: int, title: str) -> Iterator[str]:
        path = self.problems.path
        if non_referring:
            yield f"{path}: ignored {counted(non_referring, 'non-referring mention')}"
        if min_note:
            yield f"{path}: {min_note}"
        if self.overlapping:
            found = counted(len(self.overlapping), "markable has", "markables have")
            yield f"{path}: {found} parts that overlap; the first is in line {self.overlapping[0]}"
        if lost:
            yield (
                f"{path}: ignored {counted(lost, 'bridging markable')} without a mention of the"
                f" markable or of its anchor in the column {title}"
            )


def _parse_min(text: str) -> tuple[int, int] | None:
    """Return the first and the last row from 0, or None if the text is not valid."""
    ends = text.split(",")
    if len(ends) > 2 or not all(map(is_whole_number, ends)):
        return None
    return int(ends[0]) - 1, int(ends[-1]) - 1
