"""Table: how many mentions each key entity shares with each response entity."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, Literal, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Floats, Ints, exact_sum_by
from scoref.exceptions import UsageError

if TYPE_CHECKING:
    from scoref.overlap.mention_rows import MentionRows

Derived = TypeVar("Derived")
Side = Literal["key", "response"]

NOWHERE = -1
"""The entity of a mention on the side that lacks the mention."""

NAME, NOMINAL, PRONOUN = range(3)
"""Mention types, the most informative first."""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Table:
    """Overlaps between key and response entities, over a whole corpus.

    Entities are numbered once for the corpus, so documents need no loop: a document is a
    label to sum by. Only pairs of entities that share a mention have a cell, in the order
    of their numbers. Sizes are stored as well, because a mention that only one side has is
    in no cell. `histogram.py` has a table in which one row represents many equal entities.

    Sums are exact: the order of entities changes no bit of a count.

    * `units`: The names of the documents, or of other units.
    * `key_unit`, `res_unit`: The unit of each key entity, and of each response entity.
    * `key_size`, `res_size`: The number of mentions of each entity.
    * `cell_key`, `cell_res`: The key entity and the response entity of each cell.
    * `count`: The number of mentions that the two entities of a cell share.
    * `rows`: The single mentions, if a metric requires them.
    """

    units: tuple[str, ...]
    key_unit: Ints
    key_size: Ints
    res_unit: Ints
    res_size: Ints
    cell_key: Ints
    cell_res: Ints
    count: Ints
    rows: MentionRows | None = None

    @property
    def mentions(self) -> MentionRows:
        """The mentions behind the table."""
        if self.rows is None:
            raise UsageError("this metric requires single mentions, but the table has none")
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
        return np.bincount(self.cell_key, self.count, len(self.key_size)).astype(np.int64)

    @property
    def res_kept(self) -> Ints:
        """How many mentions of each response entity the key has."""
        return np.bincount(self.cell_res, self.count, len(self.res_size)).astype(np.int64)

    def sum_keys(self, values: NDArray[Any]) -> Floats:
        """Sum one value per key entity into one value per unit."""
        return exact_sum_by(self.key_unit, values, len(self.units))

    def sum_responses(self, values: NDArray[Any]) -> Floats:
        """Sum one value per response entity into one value per unit."""
        return exact_sum_by(self.res_unit, values, len(self.units))

    def sum_cells(self, values: NDArray[Any]) -> Floats:
        """Sum one value per cell into one value per unit."""
        return exact_sum_by(self.cell_unit, values, len(self.units))


def cached_per_table(function: Callable[[Table], Derived]) -> Callable[[Table], Derived]:
    """Cache what a function of a table returns as long as the table exists.

    Metrics of one family share what they derive, such as the types in each entity.
    """
    cache: WeakKeyDictionary[Table, Derived] = WeakKeyDictionary()

    @wraps(function)
    def cached(table: Table) -> Derived:
        if table not in cache:
            cache[table] = function(table)
        return cache[table]

    return cached
