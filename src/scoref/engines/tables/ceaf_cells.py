"""CeafCells: the cells of one large unit, as far as CEAF must align them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from scoref.assignment.solver import best_alignment
from scoref.base.arrays import Bools, Ints
from scoref.base.memory import shown, written
from scoref.engines.one_unit import WITHOUT_CEAF
from scoref.exceptions import UsageError
from scoref.metrics.ceaf import worth_of
from scoref.overlap.histogram import distinct_rows

CELL_BYTES = 400
"""Memory that a cell takes while it is aligned."""


class CeafCells:
    """Collects cells for the best one-to-one alignments of entities, by several similarities.

    A cell that is the only one of both its entities belongs to every best alignment, so only its
    numbers are kept. Other cells are kept with their entities.
    """

    def __init__(self, phis: Sequence[int]) -> None:
        self._phis = tuple(phis)
        self._cells: list[list[Ints]] = [[] for _ in range(5)]
        self._lonely: list[list[Ints]] = []

    def add(self, key: Ints, res: Ints, sizes: tuple[Ints, Ints, Ints], lonely: Bools) -> None:
        """Add cells: their entities, and the mentions shared and the sizes of both entities."""
        if not self._phis:
            return
        self._lonely.append(distinct_rows([column[lonely] for column in sizes]))
        for kept, column in zip(self._cells, (key, res, *sizes), strict=True):
            kept.append(column[~lonely])

    def best_totals(self, memory: int) -> dict[int, float]:
        """Return the total similarity of the best alignments, by the number of the similarity."""
        if not self._phis:
            return {}
        cells = sum(map(len, self._cells[0]))
        needed = cells * CELL_BYTES
        if needed > memory:
            raise UsageError(
                f"CEAF aligns {cells:,} pairs of entities that share mentions, which takes about"
                f" {shown(needed)} of memory",
                f"--memory {written(needed)}, or {WITHOUT_CEAF}",
            )
        key, res, *sizes = map(np.concatenate, self._cells)
        key, res = (np.unique(ids, return_inverse=True)[1].astype(np.int64) for ids in (key, res))
        return {phi: self._best_total(phi, key, res, sizes) for phi in self._phis}

    def _best_total(self, phi: int, key: Ints, res: Ints, sizes: list[Ints]) -> float:
        worth = worth_of(sizes[0], sizes[1], sizes[2], phi)
        chosen = best_alignment(key, res, worth)
        lonely = [
            worth_of(shared, key_size, res_size, phi) * times
            for shared, key_size, res_size, times in self._lonely
        ]
        return math.fsum(np.concatenate([worth[chosen], *lonely]).tolist())
