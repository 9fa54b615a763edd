"""Table: how many mentions each key entity shares with each response entity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoref.arrays import Floats, Ints


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Overlaps between key and response entities, over a whole corpus.

    Entities are numbered once for the corpus, so documents need no loop: a document is a
    label to sum by. Only pairs of entities that share a mention have a cell, in the order
    of their numbers. Sizes are kept beside the cells because a mention that only one side
    has is in no cell.
    """

    units: tuple[str, ...]
    key_unit: Ints
    key_size: Ints
    res_unit: Ints
    res_size: Ints
    cell_key: Ints
    cell_res: Ints
    count: Ints

    @property
    def cell_key_size(self) -> Ints:
        """The size of each cell's key entity."""
        return self.key_size[self.cell_key]

    @property
    def cell_res_size(self) -> Ints:
        """The size of each cell's response entity."""
        return self.res_size[self.cell_res]

    def sum_keys(self, values: NDArray[Any]) -> Floats:
        """Sum one value per key entity into one value per unit."""
        return self._sum_by(self.key_unit, values)

    def sum_responses(self, values: NDArray[Any]) -> Floats:
        """Sum one value per response entity into one value per unit."""
        return self._sum_by(self.res_unit, values)

    def sum_cells(self, values: NDArray[Any]) -> Floats:
        """Sum one value per cell into one value per unit."""
        return self._sum_by(self.key_unit[self.cell_key], values)

    def _sum_by(self, unit: Ints, values: NDArray[Any]) -> Floats:
        sums = np.bincount(unit, weights=values, minlength=len(self.units))
        return sums.astype(np.float64, copy=False)
