"""Table: how many mentions each key entity shares with each response entity."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Literal, Protocol, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Floats, Ints, sum_by
from scoref.corpus.spans import Links, Spans
from scoref.exceptions import UsageError

Found = TypeVar("Found")

NOWHERE = -1
"""The entity of a mention on the side that lacks it."""

Side = Literal["key", "response"]

NAME, NOMINAL, PRONOUN = range(3)
"""Mention types, the most telling first."""


class Rows(Protocol):
    """The mentions behind a table, one row each, for measures that look at more than overlaps.

    `key` and `res` are the entities of the table that a mention is in, or NOWHERE.
    """

    @property
    def unit(self) -> Ints:
        """The document of each mention."""
        ...

    @property
    def key(self) -> Ints:
        """Its key entity."""
        ...

    @property
    def res(self) -> Ints:
        """Its response entity."""
        ...

    @property
    def type(self) -> Ints:
        """NAME, NOMINAL or PRONOUN; raises an error that says what is missing."""
        ...

    @property
    def order(self) -> Ints:
        """The place of each mention in its text, comparable within a document."""
        ...

    def spans(self, side: Side) -> Spans:
        """The tokens of each mention on a side; raises an error if mentions are no spans."""
        ...

    def attribute(self, side: Side, name: str) -> NDArray[Any] | None:
        """What a side says of each mention, or None if it says nothing of that name."""
        ...

    def entity_attribute(self, side: Side, name: str) -> NDArray[Any] | None:
        """What a side says of each of its entities in the table, or None."""
        ...

    def bridging(self, side: Side) -> Links:
        """The bridging links of a side, by unit; raises an error if it cannot have any."""
        ...

    def non_referring(self, side: Side) -> Spans:
        """The mentions of a side that refer to nothing, by unit; raises an error likewise."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Times:
    """How many entities and cells each row of a histogram stands for (see `histogram.py`).

    `best` says by its phi what the best one-to-one alignment of CEAF is worth: the one thing
    that rows which stand for many cannot tell.
    """

    key: Ints
    res: Ints
    cell: Ints
    best: Mapping[int, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Table:
    """Overlaps between key and response entities, over a whole corpus.

    Entities are numbered once for the corpus, so documents need no loop: a document is a
    label to sum by. Only pairs of entities that share a mention have a cell, in the order
    of their numbers. Sizes are kept beside the cells because a mention that only one side
    has is in no cell. In a table with `times`, which has one unit, rows stand for many
    entities and cells.
    """

    units: tuple[str, ...]
    key_unit: Ints
    key_size: Ints
    res_unit: Ints
    res_size: Ints
    cell_key: Ints
    cell_res: Ints
    count: Ints
    rows: Rows | None = None
    times: Times | None = None

    @property
    def mentions(self) -> Rows:
        """The mentions behind the table."""
        if self.rows is None:
            raise UsageError(
                "this measure looks at single mentions, which this table does not have"
            )
        return self.rows

    @property
    def cell_key_size(self) -> Ints:
        """The size of each cell's key entity."""
        return self.key_size[self.cell_key]

    @property
    def cell_res_size(self) -> Ints:
        """The size of each cell's response entity."""
        return self.res_size[self.cell_res]

    @property
    def cell_unit(self) -> Ints:
        """The unit of each cell."""
        return self.key_unit[self.cell_key]

    @property
    def key_kept(self) -> Ints:
        """How many mentions of each key entity the response has."""
        return self._kept(self.cell_key, self.key_size, self._times("key"))

    @property
    def res_kept(self) -> Ints:
        """How many mentions of each response entity the key has."""
        return self._kept(self.cell_res, self.res_size, self._times("res"))

    def sum_keys(self, values: NDArray[Any]) -> Floats:
        """Sum one value per key entity into one value per unit."""
        return self._sum_by(self.key_unit, values, self._times("key"))

    def sum_responses(self, values: NDArray[Any]) -> Floats:
        """Sum one value per response entity into one value per unit."""
        return self._sum_by(self.res_unit, values, self._times("res"))

    def sum_cells(self, values: NDArray[Any]) -> Floats:
        """Sum one value per cell into one value per unit."""
        return self._sum_by(self.cell_unit, values, self._times("cell"))

    def _times(self, rows: Literal["key", "res", "cell"]) -> Ints | None:
        return None if self.times is None else getattr(self.times, rows)

    def _sum_by(self, unit: Ints, values: NDArray[Any], times: Ints | None) -> Floats:
        if times is None:
            return sum_by(unit, values, len(self.units))
        return np.array([math.fsum((values * times).tolist())])

    def _kept(self, entity: Ints, size: Ints, times: Ints | None) -> Ints:
        """Sum the cells of each entity; alike entities share the sum of their cells equally."""
        if self.times is None or times is None:
            kept = np.bincount(entity, weights=self.count, minlength=len(size))
            return kept.astype(np.int64)
        kept = np.zeros(len(size), dtype=np.int64)
        np.add.at(kept, entity, self.count * self.times.cell)
        return kept // times


def once_per_table(function: Callable[[Table], Found]) -> Callable[[Table], Found]:
    """Remember what a function of a table returned as long as the table lives.

    Measures of one family share what they look at: the types in each entity, the mentions
    that both sides have.
    """
    known: WeakKeyDictionary[Table, Found] = WeakKeyDictionary()

    @wraps(function)
    def remembering(table: Table) -> Found:
        if table not in known:
            known[table] = function(table)
        return known[table]

    return remembering
