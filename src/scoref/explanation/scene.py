"""Scene: one document as a reader sees it, with short names for entities and their mentions.

An explanation calls the entities of the key K1, K2, ... in the order in which they appear, and
those of the response R1, R2, ..., Ra, Rb, ... by `EntityNumbers`, as the report does. Documents are
cut out of the mentions once: a corpus of many documents costs no more than its mentions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoref.analysis.aligned_mentions import AlignedMentions
from scoref.analysis.entity_numbers import entity_name
from scoref.base.arrays import Floats, Ints
from scoref.corpus.attributes import is_span
from scoref.corpus.spans import Links, Spans
from scoref.explanation.blocks import GridColumns, LazyCells, MentionList
from scoref.matching.alignment import Alignment
from scoref.metrics.single_mentions import cell_of
from scoref.metrics.table import NOWHERE, MentionRows, SideName, Table

LONGEST = 28
"""The most characters that the words of a mention may have; longer texts lose their middle."""
_CUT = "..."


class Partition(NamedTuple):
    """One side of a document: its entities, their mentions and cells.

    `entity` is the entity of each mention of the document. `alone` are the mentions of each
    entity that the other side lacks. `ids` are the names of entities in their file.
    """

    side: SideName
    entity: Ints
    names: list[str]
    ids: list[str]
    members: list[list[int]]
    cells: list[list[int]]
    alone: list[list[int]]

    def named(self, entities: Ints) -> list[str]:
        """Name entities, with a dash for none."""
        return ["-" if entity == NOWHERE else self.names[entity] for entity in entities.tolist()]

    @property
    def sizes(self) -> Ints:
        """The number of mentions of each entity."""
        return np.array([len(rows) for rows in self.members], dtype=np.int64)

    @property
    def parts(self) -> Ints:
        """The number of parts into which the other side cuts each entity.

        A mention that the other side lacks is a part of its own.
        """
        parts = [len(c) + len(a) for c, a in zip(self.cells, self.alone, strict=True)]
        return np.array(parts, dtype=np.int64)


class CachedRows:
    """The mentions of all documents for metrics; what they say is looked up once for all."""

    def __init__(self, rows: MentionRows) -> None:
        self.all = rows
        self.spans = cache(rows.spans)
        self.attribute = cache(rows.attribute)
        self.entity_attribute = cache(rows.entity_attribute)
        self.bridging = cache(rows.bridging)
        self.non_referring = cache(rows.non_referring)


def position(start: int, end: int) -> str:
    """Write the place of a span."""
    return f"{start}" if start == end else f"{start}-{end}"


@dataclass(frozen=True, slots=True, eq=False)
class SceneRows:
    """The mentions of one document; `at` are their rows in the alignment, `unit` what to sum by."""

    source: CachedRows
    document: int
    documents: int
    at: Ints
    unit: Ints
    key: Ints
    res: Ints

    @property
    def type(self) -> Ints:
        """NAME, NOMINAL or PRONOUN."""
        return self.source.all.type[self.at]

    @property
    def order(self) -> Ints:
        """The place of each mention in the text."""
        return self.source.all.order[self.at]

    def spans(self, side: SideName) -> Spans:
        """Return the tokens of each mention on a side."""
        return (
            self.source.spans(side)
            .where(self.at)
            ._replace(document=np.zeros(len(self.at), dtype=np.int64))
        )

    def attribute(self, side: SideName, name: str) -> NDArray[Any] | None:
        """Return what a side says of each mention, or None."""
        values = self.source.attribute(side, name)
        return None if values is None else values[self.at]

    def entity_attribute(self, side: SideName, name: str) -> NDArray[Any] | None:
        """Return what a side says of each entity of the document, or None."""
        values = self.source.entity_attribute(side, name)
        if values is None:
            return None
        rows = self.source.all
        whole, here = (rows.key, self.key) if side == "key" else (rows.res, self.res)
        found = np.zeros(int(here.max(initial=NOWHERE)) + 1, dtype=values.dtype)
        there = here != NOWHERE
        found[here[there]] = values[whole[self.at[there]]]
        return found

    def memberships(self, side: SideName) -> tuple[Ints, Ints]:
        """Return pairs of a row and its entity on a side."""
        entity = self.key if side == "key" else self.res
        rows = np.flatnonzero(entity != NOWHERE)
        return rows, entity[rows]

    def bridging(self, side: SideName) -> Links:
        """Return the bridging links of the document on a side."""
        return self.source.bridging(side).in_documents(self._only)

    def non_referring(self, side: SideName) -> Spans:
        """Return the mentions of the document that refer to nothing on a side."""
        return self.source.non_referring(side).in_documents(self._only)

    @property
    def _only(self) -> Ints:
        """The number of each document here: 0 for this one, NOWHERE for the others."""
        number = np.full(self.documents, NOWHERE, dtype=np.int64)
        number[self.document] = 0
        return number


@dataclass(frozen=True, eq=False)
class Scene:
    """One document: `at` are its rows, `key` and `res` the entity of each row, or NOWHERE.

    `key_ids` and `res_ids` are the numbers of its entities in the whole table.
    """

    unit: int
    source: AlignedMentions
    cached: CachedRows
    at: Ints
    key: Ints
    res: Ints
    key_ids: Ints
    res_ids: Ints
    limit: int

    @classmethod
    def of(
        cls, unit: int, source: AlignedMentions, cached: CachedRows, at: Ints, limit: int
    ) -> Scene:
        """Cut some rows of a document out of all mentions."""
        numbers = source.numbers
        key, key_ids = _cut_out(source.key[at], numbers.key_number)
        res, res_ids = _cut_out(source.res[at], numbers.res_number)
        return cls(unit, source, cached, at, key, res, key_ids, res_ids, limit)

    def shared(self) -> Scene:
        """Return the same document with only the mentions that both sides have."""
        at = self.at[(self.key != NOWHERE) & (self.res != NOWHERE)]
        return Scene.of(self.unit, self.source, self.cached, at, self.limit)

    @property
    def document(self) -> str:
        """The name of the document."""
        return self.source.alignment.units[self.unit]

    @cached_property
    def rows(self) -> SceneRows:
        """The mentions, for metrics that look at single ones."""
        unit = np.zeros(len(self.at), dtype=np.int64)
        documents = len(self.source.alignment.units)
        return SceneRows(self.cached, self.unit, documents, self.at, unit, self.key, self.res)

    @cached_property
    def table(self) -> Table:
        """How many mentions each key entity shares with each response entity."""
        nothing = np.full(len(self.at), NOWHERE, dtype=np.int64)
        unit, units = self.rows.unit, (self.document,)
        alignment = Alignment(units, unit, self.key, self.res, key_row=nothing, res_row=nothing)
        return replace(alignment.table(), rows=self.rows)

    def count_per_mention(self, count: Callable[[Table], Floats]) -> Floats:
        """Count with a metric that sums over mentions; return what each mention adds.

        Each mention is a unit of its own, in the order of the text. Entities are in no unit, so a
        metric that sums over them fails.
        """
        rank = np.argsort(np.argsort(self.source.order[self.at]))
        rows = replace(self.rows, unit=rank)
        none = np.empty(0, dtype=np.int64)
        units = tuple(map(str, self.at))
        table = replace(self.table, units=units, key_unit=none, res_unit=none, rows=rows)
        return count(table)[rank]

    @property
    def cell_sizes(self) -> tuple[Ints, Ints, Ints]:
        """Of each cell, the n mentions that it has, and the sizes |k| and |r| of its entities."""
        return self.table.count, self.table.cell_key_size, self.table.cell_res_size

    @cached_property
    def cell_members(self) -> list[list[int]]:
        """The mentions of each cell."""
        shared = (self.key != NOWHERE) & (self.res != NOWHERE)
        cell = np.full(len(self.key), NOWHERE, dtype=np.int64)
        cell[shared] = cell_of(self.table, self.key[shared], self.res[shared])
        return _members(cell, len(self.table.count), self.source.alignment.key_row[self.at])

    @cached_property
    def sides(self) -> tuple[Partition, Partition]:
        """The key and the response."""
        alignment, table = self.source.alignment, self.table
        cells, swapped = (table.cell_key, table.cell_res), (table.cell_res, table.cell_key)
        rows = alignment.key_row[self.at], alignment.res_row[self.at]
        return (
            self._partition("key", self.key_ids, (self.key, self.res), cells, rows[0]),
            self._partition("response", self.res_ids, (self.res, self.key), swapped, rows[1]),
        )

    def _partition(
        self,
        side: SideName,
        ids: Ints,
        entities: tuple[Ints, Ints],
        cells: tuple[Ints, Ints],
        order: Ints,
    ) -> Partition:
        """Collect a side; `entities` and `cells` are its own first, then those of the other."""
        (entity, other), members = entities, _members(entities[0], len(ids), order)
        return Partition(
            side,
            entity,
            [entity_name(side, number) for number in self.source.numbers.of(side)[ids].tolist()],
            [self.source.names[side][number] for number in ids.tolist()],
            members,
            _members(cells[0], len(ids), cells[1]),
            [[at for at in rows if other[at] == NOWHERE] for rows in members],
        )

    @property
    def key_side(self) -> Partition:
        """The entities of the key."""
        return self.sides[0]

    @property
    def response_side(self) -> Partition:
        """The entities of the response."""
        return self.sides[1]

    @property
    def ratios(self) -> list[tuple[Partition, str]]:
        """The key, for recall, and the response, for precision, with a caption each."""
        names = zip(self.sides, ("recall", "precision"), strict=True)
        return [(side, f"For {name}, the entities of the {side.side}") for side, name in names]

    def mention(self, row: int) -> str:
        """Name a mention as the user knows it: a label, or token positions from 0 and words."""
        at = int(self.at[row])
        label = self.source.mention(at)
        if isinstance(label, tuple) and is_span(label):
            return f"{position(*label)} {shortened(self.source.words(at))}".rstrip()
        return " ".join(str(label).split()) or repr(label)

    def span(self, start: int, end: int, *, words: bool) -> str:
        """Name a span of the document by its position, and by its words if they are known."""
        shown = self.source.words_between(self.unit, [(start, end)]) if words else ""
        return f"{position(start, end)} {shortened(shown)}".rstrip()

    def mentions(self, rows: Sequence[int]) -> MentionList:
        """Name some mentions, the first ones if they are too many."""
        return self.listed([self.mention(row) for row in self.first(rows)], len(rows))

    def listed(self, names: Sequence[str], total: int) -> MentionList:
        """List names of mentions, and say how many more of the total there are."""
        separator = "; " if self.source.text is not None else ", "
        return MentionList(tuple(names), total - len(names), separator)

    def first(self, rows: Sequence[Any]) -> Sequence[Any]:
        """Return as many as are shown."""
        return rows[: self.limit] if self.limit else rows

    def pair_columns(self, key: Ints, response: Ints) -> GridColumns:
        """Name pairs of entities; a dash is for no entity."""
        return {"key": self.key_side.named(key), "response": self.response_side.named(response)}

    def mention_cells(self, rows: Ints) -> LazyCells:
        """Name the mention of each row, with a dash for none."""
        at = rows.tolist()
        return LazyCells(len(at), lambda n: "-" if at[n] == NOWHERE else self.mention(at[n]))

    def cell_columns(self) -> GridColumns:
        """Name the entities of each cell, and give the number of its mentions."""
        table = self.table
        return {**self.pair_columns(table.cell_key, table.cell_res), "n": self.cell_sizes[0]}


def _members(group: Ints, groups: int, order: Ints) -> list[list[int]]:
    """List the rows of each group, in some order."""
    lists: list[list[int]] = [[] for _ in range(groups)]
    in_group = np.flatnonzero(group != NOWHERE)
    in_group = in_group[np.argsort(order[in_group], kind="stable")]
    for row, at in zip(in_group.tolist(), group[in_group].tolist(), strict=True):
        lists[at].append(row)
    return lists


def _cut_out(entity: Ints, numbers: Ints) -> tuple[Ints, Ints]:
    """Number the entities of a document from 0, in the order of their names: 1, 2, ..., a, b."""
    used = np.unique(entity[entity != NOWHERE])
    order = np.lexsort((np.abs(numbers[used]), numbers[used] < 0))
    place = np.append(np.argsort(order), NOWHERE)  # of each entity, and of none
    there = np.where(entity == NOWHERE, NOWHERE, np.searchsorted(used, entity))
    return place[there], used[order]


class Scenes:
    """All documents of two aligned inputs, each cut out when it is looked at."""

    def __init__(self, mentions: AlignedMentions, limit: int) -> None:
        self.mentions, self.limit = mentions, limit
        self.documents = list(mentions.alignment.units)
        self._cached = CachedRows(mentions.table.mentions)
        self._at = np.argsort(mentions.unit, kind="stable")
        units = np.arange(len(self.documents) + 1)
        self._start = np.searchsorted(mentions.unit[self._at], units, side="left")

    def __len__(self) -> int:
        return len(self.documents)

    def __iter__(self) -> Iterator[Scene]:
        return (self.scene(unit) for unit in range(len(self)))

    @property
    def sizes(self) -> Ints:
        """How many mentions each document has, on either side."""
        return np.diff(self._start)

    def scene(self, unit: int) -> Scene:
        """Cut out one document."""
        at = self._at[self._start[unit] : self._start[unit + 1]]
        return Scene.of(unit, self.mentions, self._cached, at, self.limit)


def shortened(text: str) -> str:
    """Leave out the middle of a text that would be too long.

    Both ends keep as many whole words as fit. A single word that is too long keeps its ends.
    """
    if len(text) <= LONGEST:
        return text
    words, front, back = text.split(" "), 0, 0
    for turn in range(len(words)):
        more = (front + 1, back) if turn % 2 == 0 else (front, back + 1)
        if len(_cut(words, *more)) > LONGEST:
            break
        front, back = more
    if back:
        return _cut(words, front, back)
    half = (LONGEST - len(_CUT)) // 2
    return f"{text[:half].rstrip()}{_CUT}{text[-half:].lstrip()}"


def _cut(words: Sequence[str], front: int, back: int) -> str:
    return " ".join([*words[:front], _CUT, *words[len(words) - back :]])
