"""The number of columns of each line, and whether a line has lost or gained a cell.

Entities are in the last column. If a line lost its last cell, the cell before it would be read
instead, so the number of columns must not change within a sentence. It differs between sentences
only in CoNLL-2012 and SemEval-2010, where each predicate of a sentence adds a column to a dozen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Bools, Ints
from scoref.base.phrases import counted
from scoref.formats.io.lines import IS_BLANK, Block
from scoref.formats.io.marked_bytes import NEAR, MarkedBytes
from scoref.formats.io.problems import Problems

VARIABLE = 12
"""From so many columns on, the sentences of a document can have different numbers of columns."""

UNKNOWN = -1
_NONE = 0
_TAB = 9


class Separators:
    """What separates the columns of a block: tabs in a line with tabs, otherwise runs of blanks.

    `all` are the tabs of each line, and `inner` those that are not among its trailing blanks.
    """

    def __init__(self, block: Block) -> None:
        self._block = block
        self._tabs = tabs = MarkedBytes(block.data == _TAB)
        before = tabs.before(block.full_end)
        first = np.concatenate(([0], before[:-1]))  # a line starts where the last one ends
        self.all: Ints = before - first
        self.inner: Ints = tabs.before(block.end) - first if block.tabbed.any() else self.all

    def last_tabs(self, lines: Ints) -> Ints:
        """Return the place of the last tab of each line, or -1 if it has none nearby."""
        end = self._block.end[lines]
        distance = self._tabs.distance(end)
        return np.where((self.inner[lines] > 0) & (distance <= NEAR), end - distance, UNKNOWN)

    def columns(self, tabs: Ints, lines: Ints) -> Ints:
        """Return the number of columns of some lines, of which the tabs are given."""
        spaced = np.flatnonzero(tabs == 0)
        columns = tabs + 1
        if len(spaced):
            at = lines[spaced]
            start, end = self._block.start[at], self._block.end[at]
            is_blank = IS_BLANK[self._block.data]
            begins = is_blank.copy()
            begins[1:] &= ~is_blank[:-1]
            runs = MarkedBytes(begins)
            columns[spaced] += runs.before(end) - runs.before(start) - is_blank[start]
        return columns


class Boundaries(NamedTuple):
    """The lines that end a sentence, as marks, and the lines that begin or end a document."""

    is_break: Bools
    edges: Ints


@dataclass(slots=True)
class ColumnCheck:
    """Finds lines with other columns than the lines before them, block by block.

    `columns` and `line` are those of the last token so far, 0 before the first one. `usual` are
    the columns before the last line that was reported. The number of columns is negative if blanks
    separate them, and positive if tabs do: two lines with blanks that a tab joined can have as many
    columns as one.
    """

    problems: Problems
    columns: int = _NONE
    line: int = 0
    usual: int = _NONE
    new_sentence: bool = True
    new_document: bool = True

    def add(self, block: Block, rows: Ints, columns: Ints, boundaries: Boundaries) -> None:
        """Check the tokens on the lines `rows`, which have so many columns."""
        is_break, edges = boundaries
        if not len(rows):
            self.new_sentence |= bool(is_break.any())
            self.new_document |= bool(len(edges))
            return
        before = np.concatenate(([self.columns], columns[:-1]))
        changed = np.flatnonzero(columns != before)
        if len(changed):
            allowed = self._allowed(rows, changed, boundaries)
            found, other = columns[changed], before[changed]
            varies = (np.minimum(abs(found), abs(other)) >= VARIABLE) & (found * other > 0)
            allowed = np.where(varies, allowed > 0, allowed > 1)
            lines = block.first_line + rows
            earlier = np.concatenate(([self.line], lines[:-1]))
            changes = (lines[changed], found, earlier[changed], other, allowed)
            self._report(*map(np.ndarray.tolist, changes))
        self.columns, self.line = int(columns[-1]), block.first_line + int(rows[-1])
        self.new_sentence = bool(is_break[rows[-1] :].any())
        self.new_document = bool((edges > rows[-1]).any())

    def _allowed(self, rows: Ints, changed: Ints, boundaries: Boundaries) -> Ints:
        """Return what begins at each changed token: 2 a document, 1 a sentence, 0 nothing."""
        breaks = np.cumsum(boundaries.is_break)
        at, last = rows[changed], rows[np.maximum(changed - 1, 0)]
        sentence = breaks[at] > breaks[last]
        document = np.searchsorted(boundaries.edges, at)
        begun = document > np.searchsorted(boundaries.edges, last)
        if changed[0] == 0:
            sentence[0] = self.new_sentence or breaks[at[0]] > 0
            begun[0] = self.new_document or document[0] > 0
        return np.where(begun, 2, sentence)

    def _report(
        self,
        lines: list[int],
        columns: list[int],
        earlier: list[int],
        before: list[int],
        allowed: list[bool],
    ) -> None:
        """Report changes that are not allowed, except for a return to what is usual."""
        for line, found, other, expected, is_fine in zip(
            lines, columns, earlier, before, allowed, strict=True
        ):
            if is_fine or found == self.usual:
                self.usual = _NONE
                continue
            if self.usual == _NONE:
                self.usual = expected
            if abs(found) == abs(expected):
                self.problems.add(
                    line,
                    f"columns separated by {_separator(found)}",
                    f"{_separator(expected)} as in line {other}",
                    "separate all columns of a document in the same way; are these two lines?",
                )
                continue
            self.problems.add(
                line,
                f"a line of {counted(abs(found), 'column')}",
                f"{abs(expected)} as in line {other}",
                "add the cell that is missing, or remove the cell that is too many",
            )


def _separator(columns: int) -> str:
    return "tabs" if columns > 0 else "blanks"
