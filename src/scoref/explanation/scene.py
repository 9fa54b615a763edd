"""Scene: one document as a reader sees it, with short names for entities and their mentions.

An explanation calls the entities of the key K1, K2, ... and those of the response R1, R2, ...
in the order in which they appear. Documents are cut out of the alignment once, so that a
corpus of many costs no more than its mentions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoref.alignment.alignment import Alignment
from scoref.base.arrays import Bools, Ints
from scoref.corpus.attributes import is_span
from scoref.corpus.corpus import Corpus
from scoref.corpus.spans import Links, Spans
from scoref.exceptions import UsageError
from scoref.explanation.words import Words
from scoref.metrics.types import cell_of
from scoref.overlap.mention_rows import MentionRows
from scoref.overlap.table import NOWHERE, Side, Table

ADDED = "added"
"""The id of an entity that no file has."""


class Name(NamedTuple):
    """The short name of an entity, and what its file calls it."""

    short: str
    id: str


class View(NamedTuple):
    """One side of a document: names, mentions and cells of its entities.

    `alone` are the mentions that the other side lacks.
    """

    side: str
    names: list[str]
    members: list[list[int]]
    cells: list[list[int]]
    alone: list[list[int]]

    @property
    def sizes(self) -> list[int]:
        """The number of mentions of each entity."""
        return [len(rows) for rows in self.members]


class Source:
    """The alignment that documents are cut out of; attributes are looked up once for all."""

    def __init__(self, alignment: Alignment, table: Table, *, words: bool) -> None:
        self.alignment = alignment
        self.rows: MentionRows = table.mentions
        self.words = Words(alignment) if words else None
        self._spans: dict[Side, Spans] = {}
        self._attributes: dict[tuple[Side, str], NDArray[Any] | None] = {}
        self._of_entities: dict[tuple[Side, str], NDArray[Any] | None] = {}

    @cached_property
    def type(self) -> Ints:
        """The type of each mention; raises an error that says what is missing."""
        return self.rows.type

    @cached_property
    def order(self) -> Ints:
        """The place of each mention in its text."""
        return self.rows.order

    def spans(self, side: Side) -> Spans:
        """Return the tokens of each mention on a side."""
        if side not in self._spans:
            self._spans[side] = self.rows.spans(side)
        return self._spans[side]

    def attribute(self, side: Side, name: str) -> NDArray[Any] | None:
        """Return what a side says of each mention, or None."""
        if (side, name) not in self._attributes:
            self._attributes[side, name] = self.rows.attribute(side, name)
        return self._attributes[side, name]

    def entity_attribute(self, side: Side, name: str) -> NDArray[Any] | None:
        """Return what a side says of each entity, or None."""
        if (side, name) not in self._of_entities:
            self._of_entities[side, name] = self.rows.entity_attribute(side, name)
        return self._of_entities[side, name]

    @property
    def has_spans(self) -> bool:
        """Whether mentions are token spans, and not labels."""
        corpora = (self.alignment.key_corpus, self.alignment.res_corpus)
        there = [corpus for corpus in corpora if corpus is not None and len(corpus)]
        return any(is_span(corpus.mention(0)) for corpus in there)

    def mention(self, row: int) -> str:
        """Name a mention as the user knows it: a label, or token positions from 0 and words."""
        at, other = int(self.alignment.key_row[row]), int(self.alignment.res_row[row])
        corpus = self.alignment.key_corpus if at != NOWHERE else self.alignment.res_corpus
        if corpus is None:
            raise UsageError("an alignment without corpora cannot be explained")
        label = corpus.mention(at if at != NOWHERE else other)
        if isinstance(label, tuple) and is_span(label):
            return f"{position(*label)} {self._words_of(row, *label)}".rstrip()
        return " ".join(str(label).split()) or repr(label)

    def _words_of(self, row: int, start: int, end: int) -> str:
        """Return the words of a mention; one that has parts, or is an empty node, shows none."""
        alignment = self.alignment
        sides = (alignment.key_corpus, alignment.key_row), (alignment.res_corpus, alignment.res_row)
        if self.words is None or any(
            corpus is not None and of_row[row] != NOWHERE and _has_parts(corpus, int(of_row[row]))
            for corpus, of_row in sides
        ):
            return ""
        return self.words.of(int(alignment.unit[row]), start, end)


def _has_parts(corpus: Corpus, row: int) -> bool:
    """Whether a mention is more or less than the tokens from its first to its last."""
    return "nodes" in corpus.attributes and bool(corpus.attributes["nodes"][row])


def position(start: int, end: int) -> str:
    """Write the place of a span."""
    return f"{start}" if start == end else f"{start}-{end}"


@dataclass(frozen=True, slots=True, eq=False)
class SceneRows:
    """The mentions of one document; `at` are their rows in the alignment."""

    source: Source
    document: int
    at: Ints
    key: Ints
    res: Ints

    @property
    def unit(self) -> Ints:
        """All are of the same document."""
        return np.zeros(len(self.at), dtype=np.int64)

    @property
    def type(self) -> Ints:
        """NAME, NOMINAL or PRONOUN."""
        return self.source.type[self.at]

    @property
    def order(self) -> Ints:
        """The place of each mention in the text."""
        return self.source.order[self.at]

    def spans(self, side: Side) -> Spans:
        """Return the tokens of each mention on a side."""
        return self.source.spans(side).where(self.at)._replace(document=self.unit)

    def attribute(self, side: Side, name: str) -> NDArray[Any] | None:
        """Return what a side says of each mention, or None."""
        values = self.source.attribute(side, name)
        return None if values is None else values[self.at]

    def entity_attribute(self, side: Side, name: str) -> NDArray[Any] | None:
        """Return what a side says of each entity of the document, or None."""
        values = self.source.entity_attribute(side, name)
        if values is None:
            return None
        whole, here = (
            (self.source.rows.key, self.key) if side == "key" else (self.source.rows.res, self.res)
        )
        found = np.zeros(int(here.max(initial=NOWHERE)) + 1, dtype=values.dtype)
        there = here != NOWHERE
        found[here[there]] = values[whole[self.at[there]]]
        return found

    def bridging(self, side: Side) -> Links:
        """Return the bridging links of the document on a side."""
        return self.source.rows.bridging(side).in_documents(self._only)

    def non_referring(self, side: Side) -> Spans:
        """Return the mentions of the document that refer to nothing on a side."""
        return self.source.rows.non_referring(side).in_documents(self._only)

    @property
    def _only(self) -> Ints:
        """The number of each document here: 0 for this one, none for the others."""
        number = np.full(len(self.source.alignment.units), NOWHERE, dtype=np.int64)
        number[self.document] = 0
        return number


@dataclass(frozen=True, eq=False)
class Scene:
    """One document: `key` and `res` are the entity of each mention, or NOWHERE."""

    document: str
    unit: int
    source: Source
    at: Ints
    key: Ints
    res: Ints
    key_names: tuple[Name, ...]
    res_names: tuple[Name, ...]
    limit: int

    @cached_property
    def rows(self) -> SceneRows:
        """The mentions, for measures that look at single ones."""
        return SceneRows(self.source, self.unit, self.at, self.key, self.res)

    @cached_property
    def table(self) -> Table:
        """How many mentions each key entity shares with each response entity."""
        nothing = np.full(len(self.at), NOWHERE, dtype=np.int64)
        alignment = Alignment(
            units=(self.document,),
            unit=self.rows.unit,
            key=self.key,
            res=self.res,
            key_row=nothing,
            res_row=nothing,
        )
        return replace(alignment.table(), rows=self.rows)

    @cached_property
    def keys(self) -> list[str]:
        """The short names of key entities."""
        return [name.short for name in self.key_names]

    @cached_property
    def responses(self) -> list[str]:
        """The short names of response entities."""
        return [name.short for name in self.res_names]

    @property
    def cell_keys(self) -> list[str]:
        """The short name of each cell's key entity."""
        return [self.key_names[at].short for at in self.table.cell_key.tolist()]

    @property
    def cell_responses(self) -> list[str]:
        """The short name of each cell's response entity."""
        return [self.res_names[at].short for at in self.table.cell_res.tolist()]

    def mention(self, row: int) -> str:
        """Name a mention of the document."""
        return self.source.mention(int(self.at[row]))

    def named(self, rows: list[int]) -> list[str]:
        """Name some mentions."""
        return [self.mention(row) for row in rows]

    @cached_property
    def key_members(self) -> list[list[int]]:
        """The mentions of each key entity, in the order of the key."""
        return _members(self.key, len(self.key_names), self.source.alignment.key_row[self.at])

    @cached_property
    def res_members(self) -> list[list[int]]:
        """The mentions of each response entity, in the order of the response."""
        return _members(self.res, len(self.res_names), self.source.alignment.res_row[self.at])

    @cached_property
    def cell_members(self) -> list[list[int]]:
        """The mentions of each cell."""
        shared = (self.key != NOWHERE) & (self.res != NOWHERE)
        cell = np.full(len(self.key), NOWHERE, dtype=np.int64)
        cell[shared] = cell_of(self.table, self.key[shared], self.res[shared])
        return _members(cell, len(self.table.count), self.source.alignment.key_row[self.at])

    @cached_property
    def key_view(self) -> View:
        """The key's side."""
        cells = _members(self.table.cell_key, len(self.key_names), self.table.cell_res)
        alone = _only(self.key_members, self.res)
        return View("key", self.keys, self.key_members, cells, alone)

    @cached_property
    def res_view(self) -> View:
        """The response's side."""
        cells = _members(self.table.cell_res, len(self.res_names), self.table.cell_key)
        alone = _only(self.res_members, self.key)
        return View("response", self.responses, self.res_members, cells, alone)

    def changed(self, key: Ints, res: Ints) -> Scene:
        """Return the same document with other partitions.

        Entities that were emptied go. Numbers beyond the known entities are new ones, which
        get the next names.
        """
        key, key_names = _renumber(key, self.key_names, "K")
        res, res_names = _renumber(res, self.res_names, "R")
        return replace(self, key=key, res=res, key_names=key_names, res_names=res_names)


def _members(group: Ints, groups: int, order: Ints) -> list[list[int]]:
    """List the rows of each group, in some order."""
    lists: list[list[int]] = [[] for _ in range(groups)]
    in_group = np.flatnonzero(group != NOWHERE)
    in_group = in_group[np.argsort(order[in_group], kind="stable")]
    for row, at in zip(in_group.tolist(), group[in_group].tolist(), strict=True):
        lists[at].append(row)
    return lists


def _only(members: list[list[int]], other: Ints) -> list[list[int]]:
    """Return the mentions of each entity that the other side lacks."""
    entity = other.tolist()
    return [[row for row in rows if entity[row] == NOWHERE] for rows in members]


def _renumber(entity: Ints, names: tuple[Name, ...], side: str) -> tuple[Ints, tuple[Name, ...]]:
    used = np.unique(entity[entity != NOWHERE])
    following = max((int(name.short[1:]) for name in names), default=0) + 1
    kept = [
        names[at] if at < len(names) else Name(f"{side}{following + at - len(names)}", ADDED)
        for at in used.tolist()
    ]
    number = np.searchsorted(used, entity)
    return np.where(entity == NOWHERE, NOWHERE, number), tuple(kept)


class Scenes:
    """All documents of an alignment, each cut out when it is looked at."""

    def __init__(
        self, alignment: Alignment, table: Table, limit: int, *, words: bool = True
    ) -> None:
        self.source = Source(alignment, table, words=words)
        self.limit = limit
        self._at = np.argsort(alignment.unit, kind="stable")
        self._start = np.searchsorted(
            alignment.unit[self._at], np.arange(len(alignment.units) + 1), side="left"
        )

    def __len__(self) -> int:
        return len(self.source.alignment.units)

    def __iter__(self) -> Iterator[Scene]:
        return (self.scene(unit) for unit in range(len(self)))

    @property
    def documents(self) -> list[str]:
        """The names of all documents."""
        return list(self.source.alignment.units)

    def mentions(self) -> Ints:
        """Return how many mentions each document has, on either side."""
        return np.diff(self._start)

    def scene(self, unit: int) -> Scene:
        """Cut out one document."""
        alignment = self.source.alignment
        at = self._at[self._start[unit] : self._start[unit + 1]]
        key, key_names = _named(alignment.key[at], alignment.key_corpus, "K")
        res, res_names = _named(alignment.res[at], alignment.res_corpus, "R")
        return Scene(
            document=alignment.units[unit],
            unit=unit,
            source=self.source,
            at=at,
            key=key,
            res=res,
            key_names=key_names,
            res_names=res_names,
            limit=self.limit,
        )


def _named(entity: Ints, corpus: Corpus | None, side: str) -> tuple[Ints, tuple[Name, ...]]:
    """Number the entities of a document in the order of their corpus, and name them."""
    there: Bools = entity != NOWHERE
    used = np.unique(entity[there])
    ids = corpus.entity_names if corpus is not None else ()
    names = tuple(Name(f"{side}{n}", str(ids[at])) for n, at in enumerate(used.tolist(), 1))
    return np.where(there, np.searchsorted(used, entity), NOWHERE), names
