"""Texts that stand in the bytes of a file: compared and counted there, decoded when asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Bools, Ints
from scoref.base.lazy_sequences import Lazy

_WORD = 8


@dataclass(frozen=True, slots=True, eq=False)
class Slices(Lazy[str]):
    """Texts as places in some bytes: a million of them are two arrays instead of objects."""

    raw: bytes
    start: Ints
    end: Ints

    def __len__(self) -> int:
        return len(self.start)

    def make(self, at: int) -> str:
        """Decode one of them."""
        return self.raw[self.start[at] : self.end[at]].decode()

    def __iter__(self) -> Iterator[str]:
        places = zip(self.start.tolist(), self.end.tolist(), strict=True)
        if self.raw.isascii():  # where a character is a byte, one decoding serves all
            text = self.raw.decode()
            return (text[start:end] for start, end in places)
        return (self.raw[start:end].decode() for start, end in places)

    def empty(self) -> Bools:
        """Mark the texts without a character."""
        return np.equal(self.start, self.end)

    def find(self, text: str) -> list[int]:
        """Return the places of a text."""
        data = text.encode()
        same = (self.end - self.start == len(data)).nonzero()[0].tolist()
        return [at for at in same if self.raw[self.start[at] : self.end[at]] == data]

    def pick(self, at: Ints | Bools) -> Slices:
        """Return some of them."""
        return Slices(self.raw, self.start[at], self.end[at])

    def short_codes(self) -> NDArray[np.uint64] | None:
        """Return an integer for each, the same for the same text; None if one is too long."""
        length = self.end - self.start
        if length.max(initial=0) >= _WORD or self.end.min(initial=_WORD) < _WORD:
            return None
        # The eight bytes up to the end, of which those before the start are shifted out; the
        # length stands in their place, since a text may begin with a NUL.
        words = np.ndarray((len(self.raw) - 7,), dtype="<u8", buffer=self.raw, strides=(1,))
        shift = (_WORD - length.astype(np.uint64)) * np.uint64(8)
        codes = words[self.end - _WORD] >> np.minimum(shift, np.uint64(63))
        return np.where(length, codes << np.uint64(8), 0) + length.astype(np.uint64)
