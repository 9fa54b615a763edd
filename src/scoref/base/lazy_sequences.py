"""Sequences whose members are made on access, from columns that take less memory.

`ByteTexts` are texts inside the bytes of a file: compared as bytes, and decoded when requested.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar, overload

import numpy as np

from scoref.base.arrays import Bools, Bytes, Ints

Member = TypeVar("Member")

ASCII_BLANKS = " \t\n\v\f\r"
_WIDE_BLANKS = "\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)
BLANKS = ASCII_BLANKS + _WIDE_BLANKS
"""The characters that can be around a text without being seen, such as U+00A0 and U+3000."""

_IS_BLANK: Bools = np.zeros(256, dtype=bool)
_IS_BLANK[list(ASCII_BLANKS.encode())] = True
_WIDE_CODES = [int.from_bytes(one.encode()) for one in _WIDE_BLANKS]
_CAN_BEGIN, _CAN_END = _IS_BLANK.copy(), _IS_BLANK.copy()
_CAN_BEGIN[[one.encode()[0] for one in _WIDE_BLANKS]] = True
_CAN_END[[one.encode()[-1] for one in _WIDE_BLANKS]] = True


class LazySequence(Sequence[Member]):
    """A sequence whose subclass defines only `__len__` and `make`."""

    __slots__ = ()

    @abstractmethod
    def make(self, at: int) -> Member:
        """Make the member at a non-negative index."""

    def __iter__(self) -> Iterator[Member]:
        return map(self.make, range(len(self)))

    @overload
    def __getitem__(self, index: int) -> Member: ...
    @overload
    def __getitem__(self, index: slice) -> list[Member]: ...
    def __getitem__(self, index: int | slice) -> Member | list[Member]:
        places = range(len(self))[index]
        return self.make(places) if isinstance(places, int) else [self.make(at) for at in places]


@dataclass(frozen=True, slots=True, eq=False)
class ByteTexts(LazySequence[str]):
    """Texts as positions in bytes: a million texts are two arrays instead of a million objects."""

    raw: bytes
    start: Ints
    end: Ints
    edged: Ints | None = field(default=None, init=False, repr=False)

    def __len__(self) -> int:
        return len(self.start)

    def make(self, at: int) -> str:
        """Decode one text."""
        return self.raw[self.start[at] : self.end[at]].decode()

    def __iter__(self) -> Iterator[str]:
        places = zip(self.start.tolist(), self.end.tolist(), strict=True)
        if self.raw.isascii():  # every character is one byte, so the bytes are decoded once
            text = self.raw.decode()
            return (text[start:end] for start, end in places)
        return (self.raw[start:end].decode() for start, end in places)

    def empty(self) -> Bools:
        """Mark the empty texts."""
        return np.equal(self.start, self.end)

    def find(self, text: str) -> list[int]:
        """Return the indices of all texts that are equal to this text."""
        data = text.encode()
        same = (self.end - self.start == len(data)).nonzero()[0].tolist()
        return [at for at in same if self.raw[self.start[at] : self.end[at]] == data]

    def with_outer_blanks(self) -> Ints:
        """Return the indices of all texts that begin or end with a blank; they are cached."""
        if (edged := self.edged) is None:
            view = np.frombuffer(self.raw, dtype=np.uint8)
            edged = with_outer_blanks(view, self.start, self.end)
            object.__setattr__(self, "edged", edged)
        return edged

    def pick(self, at: Ints | Bools) -> ByteTexts:
        """Return some of the texts."""
        return ByteTexts(self.raw, self.start[at], self.end[at])


def with_outer_blanks(data: Bytes, start: Ints, end: Ints) -> Ints:
    """Return the indices of all texts in some bytes that begin or end with a blank."""
    if not len(data):
        return np.zeros(0, dtype=np.int64)
    first, last = data[np.minimum(start, len(data) - 1)], data[end - 1]
    at = np.flatnonzero(_CAN_BEGIN[first] | _CAN_END[last])
    at = at[end[at] > start[at]]  # what is before and after an empty text may be a blank
    start, end = start[at], end[at]
    edged = _IS_BLANK[data[start]] | _IS_BLANK[data[end - 1]]
    for size in (2, 3):
        for places in (start, np.maximum(end - size, 0)):
            code = np.zeros(len(at), dtype=np.int64)
            for offset in range(size):
                code = code << 8 | data[np.minimum(places + offset, len(data) - 1)]
            edged |= np.isin(code, _WIDE_CODES)
    return at[edged]
