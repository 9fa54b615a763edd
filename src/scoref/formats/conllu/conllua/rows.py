"""The rows of CoNLL-UA and their cells, found as bytes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scoref.base.arrays import Bools, Bytes, Ints
from scoref.formats.conllu.lines import Lines
from scoref.formats.io.lines import IS_BLANK

_OPEN, _CLOSE, _EQUALS, _TAB, _I, _D = b"()=\tID"
TABS = 9
"""Rows with more tabs have a cell between any two tabs; in other rows, blanks separate cells."""
_IS_NULL: Bools = np.zeros(256, dtype=bool)
_IS_NULL[list(b"_-")] = True


def annotated_rows(lines: Lines) -> Ints:
    """Return the rows that have a bracket or a field `...ID=`: others have no mentions."""
    data = lines.block.data
    equals = np.flatnonzero(data == _EQUALS)
    equals = equals[(data[equals - 1] == _D) & (data[equals - 2] == _I)]
    brackets = np.flatnonzero((data == _OPEN) | (data == _CLOSE))
    marked = np.zeros(len(lines.is_word), dtype=bool)
    for places in (equals, brackets):
        marked[np.searchsorted(lines.block.start, places, side="right") - 1] = True
    return np.flatnonzero(marked & (lines.is_word | lines.is_empty))


@dataclass(frozen=True, slots=True, eq=False)
class ConlluaRows:
    """Rows of a block: where each starts and ends, and how many cells it has.

    `spaced` are the rows in which blanks separate cells. `first` is the first tab of a row, or the
    first cell of a spaced row, among all of the block, so that its columns need no search.
    """

    data: Bytes
    start: Ints
    end: Ints
    count: Ints
    first: Ints
    spaced: Ints
    tabs: Ints
    cells: tuple[Ints, Ints]

    @classmethod
    def of(cls, lines: Lines, rows: Ints) -> ConlluaRows:
        """Find the cells of rows."""
        data, low, high = lines.block.data, lines.block.start[rows], lines.block.full_end[rows]
        tabs = np.flatnonzero(data == _TAB)
        first = np.searchsorted(tabs, low)
        count = np.searchsorted(tabs, high) - first + 1
        spaced = np.flatnonzero(count <= TABS + 1)
        starts = stops = np.zeros(0, dtype=np.int64)
        if len(spaced):
            blank = IS_BLANK[data]
            blank[lines.block.full_end] = True
            edges = np.flatnonzero(np.diff(blank, prepend=True))  # a block ends with a blank
            starts, stops = edges[0::2], edges[1::2]
            first[spaced] = np.searchsorted(starts, low[spaced])
            count[spaced] = np.searchsorted(starts, high[spaced]) - first[spaced]
        return cls(data, low, high, count, first, spaced, tabs, (starts, stops))

    def column(self, column: int) -> tuple[Ints, Ints]:
        """Return where the cells of a column start and end, without blanks around them.

        The cell of a row that is too short is empty.
        """
        ends = np.append(self.tabs, [len(self.data)] * (column + 2))
        at = np.minimum(self.first, len(self.tabs))
        start = ends[at + column - 1] + 1 if column else self.start
        start, end = np.minimum(start, self.end), np.minimum(ends[at + column], self.end)
        if len(self.spaced):
            there = column < self.count[self.spaced]
            at = np.where(there, self.first[self.spaced] + column, 0)
            starts, stops = (np.append(edge, 0)[at] for edge in self.cells)
            start[self.spaced] = np.where(there, starts, self.end[self.spaced])
            end[self.spaced] = np.where(there, stops, self.end[self.spaced])
        return strip(self.data, start, end)


def strip(data: Bytes, start: Ints, end: Ints) -> tuple[Ints, Ints]:
    """Strip the blanks around texts."""
    start, end = start.copy(), end.copy()
    at = np.flatnonzero(start < end)
    while len(at := at[IS_BLANK[data[start[at]]]]):
        start[at] += 1
        at = at[start[at] < end[at]]
    at = np.flatnonzero(start < end)
    while len(at := at[IS_BLANK[data[end[at] - 1]]]):
        end[at] -= 1
        at = at[start[at] < end[at]]
    return start, end


def has_annotation(data: Bytes, start: Ints, end: Ints) -> Bools:
    """Mark the cells that are not empty, `_` or `-`."""
    marked = end > start
    single = np.flatnonzero(end - start == 1)
    marked[single] = ~_IS_NULL[data[start[single]]]
    return marked
