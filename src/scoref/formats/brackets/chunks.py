"""The brackets in the cells of a file, found in one array of bytes without a loop over cells."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Bools, Bytes, Ints
from scoref.formats.brackets.pairing import CLOSE, INSIDE, OPEN, SINGLE

_OPEN, _CLOSE, _BAR = b"()|"


class Chunks(NamedTuple):
    """Texts between brackets in the order of the file.

    `data[start:end]` is the text, `cell` the number of its cell, and `kind` says which brackets
    are around it.
    """

    data: Bytes
    cell: Ints
    kind: Ints
    start: Ints
    end: Ints

    @classmethod
    def find(
        cls,
        cells: tuple[Bytes, Ints, Ints],
        *,
        separator: int = _BAR,
        prefix: int | None = None,
        allowed: int | None = None,
    ) -> tuple[Chunks, Ints]:
        """Find the brackets of cells `data[start:end]`; also list the cells with anything else.

        A bracket without text is wrong, and so is text without a bracket, except for chunks of
        the kind `allowed`. A `separator` divides chunks. A `prefix` before an opening bracket is
        ignored.
        """
        data, owner = _gather(*cells, separator)
        breaks = np.flatnonzero((data == _OPEN) | (data == _CLOSE) | (data == separator))
        left, right = breaks[:-1], breaks[1:]
        opens, closes = data[left] == _OPEN, data[right] == _CLOSE
        kind = np.where(opens, np.where(closes, SINGLE, OPEN), np.where(closes, CLOSE, INSIDE))
        start, end = left + 1, right
        if prefix is not None and prefix in data:
            end = end - ((data[end - 1] == prefix) & (data[end] == _OPEN))
        has_text, has_bracket = end > start, opens | closes
        wrong = has_text != has_bracket
        if allowed is not None:
            wrong &= kind != allowed
        rows = np.flatnonzero((has_text | has_bracket) & ~wrong)
        chunks = cls(data, owner[left[rows]], kind[rows], start[rows], end[rows])
        return chunks, np.unique(owner[left[wrong]])

    def where(self, rows: Bools) -> Chunks:
        """Keep some."""
        return Chunks(self.data, *(column[rows] for column in self[1:]))

    def text(self, row: int) -> bytes:
        """Return one of them."""
        return self.data[self.start[row] : self.end[row]].tobytes()

    def contain(self, byte: int) -> Bools:
        """Mark the chunks that contain a byte."""
        places = np.flatnonzero(self.data == byte)
        return np.searchsorted(places, self.end) > np.searchsorted(places, self.start)


def _gather(data: Bytes, start: Ints, end: Ints, separator: int) -> tuple[Bytes, Ints]:
    """Copy cells into one array, with a separator before each cell and one after the last.

    Also return the cell of each byte.
    """
    length = end - start + 1
    first = np.cumsum(length) - length
    owner = np.repeat(np.arange(len(start)), length)
    index = np.arange(len(owner)) + (start - 1 - first)[owner]
    gathered = np.empty(len(owner) + 1, dtype=np.uint8)
    gathered[:-1] = data[index]
    gathered[first] = separator
    gathered[-1] = separator
    return gathered, owner
