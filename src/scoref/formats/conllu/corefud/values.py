"""The values of attributes in MISC, such as `Entity=(e1-person-3-`, found as bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Bools, Ints
from scoref.formats.conllu.lines import Lines

_TAB, _BAR, _EQUALS = b"\t|="


class MiscValues(NamedTuple):
    """Values of an attribute in MISC: where each starts and ends, and its line in the block."""

    start: Ints
    end: Ints
    line: Ints

    @classmethod
    def find(cls, lines: Lines, names: Iterable[bytes]) -> Iterator[MiscValues]:
        """Find the values of each of the named attributes.

        One pass over the bytes finds the equals signs of all attributes. Names are compared from
        their ends, where a few letters rule out most of the equals signs.
        """
        data = lines.block.data
        equals = np.flatnonzero(data == _EQUALS)
        breaks = np.append(np.flatnonzero((data == _BAR) | (data == _TAB)), len(data))
        for name in names:
            at = equals
            for offset, letter in enumerate(reversed(name), 1):
                at = at[data[at - offset] == letter]
            before = data[at - len(name) - 1]
            start = at[(before == _TAB) | (before == _BAR)] + 1
            line = np.searchsorted(lines.block.start, start, side="right") - 1
            start, line = start[~lines.is_comment[line]], line[~lines.is_comment[line]]
            end = np.minimum(breaks[np.searchsorted(breaks, start)], lines.block.end[line])
            yield cls(start, np.maximum(start, end), line)

    def where(self, rows: Bools | slice) -> MiscValues:
        """Keep some."""
        return MiscValues._make(column[rows] for column in self)

    def text(self, lines: Lines, row: int) -> str:
        """Return one value as it is written."""
        return lines.raw[self.start[row] : self.end[row]].decode()
