"""Table: how many mentions each key entity shares with each response entity; MentionRows: these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Floats, Ints
from scoref.base.exact_sums import exact_sum_by
from scoref.exceptions import UsageError

if TYPE_CHECKING:
    from scoref.corpus.spans import Links, Spans

SideName = Literal["key", "response"]

NOWHERE = -1
"""The entity of a mention on the side that lacks the mention."""

NAME, NOMINAL, PRONOUN = range(3)
"""Mention types, the most informative first."""


class MentionRows(Protocol):
    """The mentions behind a table, one row per mention that either side has.

    Metrics that need more than overlaps read them. A property or method raises a `UsageError`
    that names what is missing if the corpus does not have the information.
    """

    @property
    def unit(self) -> Ints:
        """The document of each mention."""

    @property
    def key(self) -> Ints:
        """The key entity of each mention in the table, or NOWHERE."""

    @property
    def res(self) -> Ints:
        """The response entity of each mention in the table, or NOWHERE."""

    @property
    def type(self) -> Ints:
        """The type of each mention: NAME, NOMINAL or PRONOUN."""

    @property
    def order(self) -> Ints:
        """The position of each mention in the text, comparable within a document."""

    def memberships(self, side: SideName) -> tuple[Ints, Ints]:
        """Pairs of a row and an entity that has the mention on a side, in any numbers."""

    def spans(self, side: SideName) -> Spans:
        """The tokens of each mention on a side."""

    def attribute(self, side: SideName, name: str) -> NDArray[Any] | None:
        """An attribute of each mention on a side, or None if the side does not have it."""

    def entity_attribute(self, side: SideName, name: str) -> NDArray[Any] | None:
        """An attribute of each entity of a side, or None if the side does not have it."""

    def bridging(self, side: SideName) -> Links:
        """The bridging links of a side, by unit."""

    def non_referring(self, side: SideName) -> Spans:
        """The mentions of a side that refer to nothing, by unit."""


class Windows(NamedTuple):
    """The window of each entity on both sides, the unit of each window, and rows by window."""

    key: Ints
    res: Ints
    unit: Ints
    rows: MentionRows


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
    * `windows`: The windows of the units, if links may not cross these either.
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
    windows: Windows | None = None

    @property
    def by_window(self) -> Table:
        """The same table with windows as its units, or this table if it has none."""
        if self.windows is None:
            return self
        key, res, document, rows = self.windows
        units = ("",) * len(document)
        return replace(self, units=units, key_unit=key, res_unit=res, rows=rows, windows=None)

    @property
    def best(self) -> Mapping[int, float] | None:
        """The totals of CEAF's best alignments by phi, if single entities are not at hand."""
        return None

    def best_of(self, phi: int) -> Floats:
        """Return such a total, as the value of each unit."""
        if self.best is None or phi not in self.best:
            raise UsageError(
                "this kind of CEAF aligns single entities, but only a histogram of them is left",
                "score a table that fits into memory, or leave the metric out",
            )
        return np.array([self.best[phi]])

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

    def sum_aligned(self, worth: Floats, pairs: tuple[Ints, Ints] | None = None) -> Floats:
        """Sum the best one-to-one alignment of each unit, given what pairs of entities are worth.

        The pairs are the cells, or `pairs` of key and response entities.
        """
        from scoref.metrics.assignment.solver import best_total  # noqa: PLC0415  # only CEAF

        key, response = pairs or (self.cell_key, self.cell_res)
        unit = self.key_unit[key] if pairs else self.cell_unit
        return best_total(key, response, worth, unit, len(self.units))
