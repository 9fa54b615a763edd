"""How many marked bytes precede each place of a block, without a list of the places.

Marks are packed to bits, and the bits of 64 bytes are counted at once. For a megabyte with a tab
in every fourth byte, this takes a fifth of the time of listing the tabs.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Bools, Ints

_BITS = 64
NEAR = 32
_LOWER: NDArray[np.uint64] = (np.uint64(1) << np.arange(_BITS, dtype=np.uint64)) - np.uint64(1)
"""Masks of the bits below each bit."""


class MarkedBytes:
    """The marks of a block, which can be counted up to any place."""

    def __init__(self, marks: Bools) -> None:
        packed = np.packbits(marks, bitorder="little")
        words = np.zeros(len(marks) // _BITS + 1, dtype=np.uint64)
        words.view(np.uint8)[: len(packed)] = packed
        self._words: NDArray[np.uint64] = words.astype("<u8", copy=False)
        self._before = np.zeros(len(words) + 1, dtype=np.int64)
        np.cumsum(np.bitwise_count(self._words), out=self._before[1:])

    def __len__(self) -> int:
        return int(self._before[-1])

    def before(self, places: Ints) -> Ints:
        """Return how many marks are before each place."""
        word = places >> 6
        lower = self._words[word] & _LOWER[places & (_BITS - 1)]
        found: Ints = self._before[word] + np.bitwise_count(lower)
        return found

    def distance(self, places: Ints) -> Ints:
        """Return how far before each place its last mark is, or `NEAR + 1` if it is farther.

        Each place must have a mark before it.
        """
        word, bit = places >> 6, (places & (_BITS - 1)).astype(np.uint64)
        last = (self._words[word] << (np.uint64(_BITS) - bit)) | (self._words[word - 1] >> bit)
        length = np.frexp((last >> np.uint64(NEAR)).astype(np.float64))[1]  # exact for 32 bits
        distance: Ints = NEAR + 1 - length.astype(np.int64)
        return distance
