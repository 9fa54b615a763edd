"""Factorizer: ids numbered in the order in which they appear, over many batches of rows.

A dictionary looks up one id at a time. In a shuffled table of ten million rows that took longer
than everything else.
"""

from __future__ import annotations

import numpy as np

from scoref.base.arrays import Ints, number_by_appearance

_WIDEST = 1 << 24


class Factorizer:
    """Numbers integer ids as they appear, like `pandas.factorize` in batches.

    Ids in a narrow range are looked up in an array, others in a sorted list.
    """

    def __init__(self) -> None:
        self._count = 0
        self._low, self._dense = 0, np.zeros(0, dtype=np.int32)
        self._ids = self._numbers = np.zeros(0, dtype=np.int64)
        self._is_dense = True

    def __len__(self) -> int:
        return self._count

    def add(self, ids: Ints) -> Ints:
        """Return the number of each id; ids that were not met before get the next numbers."""
        found = self.find(ids)
        new = np.flatnonzero(found < 0)
        if len(new):
            number, first = number_by_appearance(ids[new])
            found[new] = self._count + number
            self._insert(ids[new[first]])
        return found

    def find(self, ids: Ints) -> Ints:
        """Return the number of each id, -1 for ids that were not met before."""
        found = np.full(len(ids), -1, dtype=np.int64)
        if self._is_dense:
            inside = np.flatnonzero((ids >= self._low) & (ids < self._low + len(self._dense)))
            found[inside] = self._dense[ids[inside] - self._low]
        elif len(self._ids):
            at = np.minimum(np.searchsorted(self._ids, ids), len(self._ids) - 1)
            there = self._ids[at] == ids
            found[there] = self._numbers[at[there]]
        return found

    def _insert(self, ids: Ints) -> None:
        """Give the next numbers to ids that are all different and new."""
        numbers = np.arange(self._count, self._count + len(ids))
        self._count += len(ids)
        if self._is_dense and not self._widen(int(ids.min()), int(ids.max())):
            known = np.flatnonzero(self._dense >= 0)
            self._ids, self._numbers = known + self._low, self._dense[known].astype(np.int64)
            self._is_dense, self._dense = False, np.zeros(0, dtype=np.int32)
        if self._is_dense:
            self._dense[ids - self._low] = numbers
            return
        order = np.argsort(ids)
        at = np.searchsorted(self._ids, ids[order])
        self._ids = np.insert(self._ids, at, ids[order])
        self._numbers = np.insert(self._numbers, at, numbers[order])

    def _widen(self, low: int, high: int) -> bool:
        """Make room for ids from `low` to `high`, unless the range is too wide."""
        if len(self._dense):
            low, high = min(low, self._low), max(high, self._low + len(self._dense) - 1)
        if high - low >= _WIDEST:
            return False
        if not len(self._dense):
            self._low = low
        before = self._low - low
        if before or high - low >= len(self._dense):
            # Twice what is needed: ids that rise are not copied at every batch.
            room = min(max(high - low + 1, 2 * len(self._dense)), _WIDEST)
            wider = np.full(room, -1, dtype=np.int32)
            wider[before : before + len(self._dense)] = self._dense
            self._low, self._dense = low, wider
        return True
