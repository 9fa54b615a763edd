"""The cells of a large unit, as far as CEAF must align them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from scoref.assignment.solver import best_alignment
from scoref.base.arrays import Bools, Ints
from scoref.base.memory import format_size, round_up_size
from scoref.exceptions import UsageError
from scoref.metrics.ceaf import worth_of
from scoref.overlap.histogram import distinct_rows

CELL_BYTES = 400
"""Memory that a cell takes while it is aligned."""


class Alignable:
    """Collects cells for the best one-to-one alignments of some similarities.

    A cell that is the only one of both its entities belongs to every best alignment, so that only
    its shape is kept; the others are kept one by one.
    """

    def __init__(self, phis: Sequence[int]) -> None:
        self._phis = tuple(phis)
        self._cells: list[list[Ints]] = [[] for _ in range(5)]
        self._lonely: list[list[Ints]] = []

    def add(self, key: Ints, res: Ints, shape: tuple[Ints, Ints, Ints], lonely: Bools) -> None:
        """Add cells: their entities, and the mentions shared and the sizes of both."""
        if not self._phis:
            return
        self._lonely.append(distinct_rows([column[lonely] for column in shape]))
        for kept, column in zip(self._cells, (key, res, *shape), strict=True):
            kept.append(column[~lonely])

    def best(self, memory: int) -> dict[int, float]:
        """Return what the best alignments are worth, by the number of their similarity."""
        if not self._phis:
            return {}
        cells = sum(map(len, self._cells[0]))
        needed = cells * CELL_BYTES
        if needed > memory:
            raise UsageError(
                f"CEAF aligns entities that share mentions in {cells:,} ways, which"
                f" takes about {format_size(needed)} of memory",
                f"--memory {round_up_size(needed)}, or other measures:"
                " -m mentions -m muc -m b3 -m blanc -m lea",
            )
        key, res, *shape = map(np.concatenate, self._cells)
        key, res = (np.unique(ids, return_inverse=True)[1].astype(np.int64) for ids in (key, res))
        return {phi: self._best(phi, key, res, shape) for phi in self._phis}

    def _best(self, phi: int, key: Ints, res: Ints, shape: list[Ints]) -> float:
        worth = worth_of(shape[0], shape[1], shape[2], phi)
        chosen = best_alignment(key, res, worth)
        lonely = [
            worth_of(shared, ours, theirs, phi) * times
            for shared, ours, theirs, times in self._lonely
        ]
        return math.fsum(np.concatenate([worth[chosen], *lonely]).tolist())
