"""Alignment of two short sequences of pieces: exact dynamic programming with affine gaps.

The cost of an alignment is the sum of

* 0 for two equal pieces,
* SUBSTITUTION to SUBSTITUTION + DIFFERENCE for two different pieces, less the more pairs of
  letters they share, and KIND more if only one of them is a word or a number,
* MERGE for one piece that is spelled like two to four pieces of the other side,
* OPEN + n * EXTEND for n pieces in a row that have no partner.

So a piece that was replaced by another one in the same place keeps its place, and a passage of more
than three pieces in which nothing is similar is left without partners.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Bools, Ints
from scoref.llm.pieces import Pieces, bigram_mask

SUBSTITUTION, DIFFERENCE, KIND, MERGE, OPEN, EXTEND = 4, 12, 4, 2, 6, 6
MOST_MERGED = 4
_MOST_CELLS = 4_000_000
_FAR = 1 << 30
_DIAGONAL, _DOWN, _RIGHT = 1, 2, 3  # moves; merges are 10 + n down and 20 + n to the right


class Link(NamedTuple):
    """Pieces `rows` and `columns` (first, end) that correspond."""

    rows: tuple[int, int]
    columns: tuple[int, int]


def align_gap(rows: Pieces, columns: Pieces) -> tuple[int, list[Link]]:
    """Return the cost and the links of a cheapest alignment of two sequences.

    Sequences with more than four million pairs are cut into parts of equal shares first, so that
    the time does not grow with the product of their lengths. They do not occur in a text that
    resembles its source.
    """
    if len(rows) > len(columns):
        cost, links = align_gap(columns, rows)
        return cost, [Link(link.columns, link.rows) for link in links]
    if not len(rows):
        return (OPEN + EXTEND * len(columns) if len(columns) else 0), []
    parts = math.isqrt(len(rows) * len(columns) // _MOST_CELLS)
    if parts > 1:
        return _align_parts(rows, columns, min(parts + 1, len(rows)))
    return _Grid(rows, columns).solve()


def _align_parts(rows: Pieces, columns: Pieces, parts: int) -> tuple[int, list[Link]]:
    total, links = 0, []
    for part in range(parts):
        low, high = (at * len(rows) // parts for at in (part, part + 1))
        left, right = (at * len(columns) // parts for at in (part, part + 1))
        cost, found = _Grid(rows[low:high], columns[left:right]).solve()
        total += cost
        links += [
            Link((one[0] + low, one[1] + low), (other[0] + left, other[1] + left))
            for one, other in found
        ]
    return total, links


class _Grid:
    """The table of one gap, filled row by row; the shorter sequence is that of the rows."""

    def __init__(self, rows: Pieces, columns: Pieces) -> None:
        self.rows, self.columns = rows, columns
        self.height, self.width = len(rows), len(columns)
        self.masks = np.array([bigram_mask(key) for key in columns.keys], dtype=np.uint64)
        self.bits = np.bitwise_count(self.masks).astype(np.int64)
        self.is_word = np.array([_is_word(key) for key in columns.keys], dtype=bool)
        self.merged = _merged(columns, _numbers(rows))
        self.numbers = _numbers(columns)

    def _substitution(self, row: int) -> Ints:
        """Return the cost of each piece of the columns as a partner of a piece of the rows."""
        key = self.rows.keys[row]
        mask = bigram_mask(key)
        shared = np.bitwise_count(self.masks & np.uint64(mask)).astype(np.int64)
        total = self.bits + mask.bit_count()
        cost: Ints = SUBSTITUTION + DIFFERENCE - (2 * DIFFERENCE * shared) // np.maximum(total, 1)
        cost += KIND * (self.is_word != _is_word(key))
        cost[self.columns.number == self.rows.number[row]] = 0
        return cost

    def solve(self) -> tuple[int, list[Link]]:
        """Fill the table, and walk back from its last corner."""
        width = self.width
        steps = EXTEND * np.arange(width + 1)
        best = np.full((MOST_MERGED + 1, width + 1), _FAR, dtype=np.int64)
        best[0] = OPEN + steps
        best[0, 0] = 0
        down = np.full(width + 1, _FAR, dtype=np.int64)
        moves = np.zeros((self.height + 1, width + 1), dtype=np.int8)
        moves[0, 1:] = _RIGHT
        opened_down = np.zeros((self.height + 1, width + 1), dtype=bool)
        opened_right = np.zeros((self.height + 1, width + 1), dtype=bool)
        opened_right[0, 1:2] = True
        for row in range(1, self.height + 1):
            best[1:] = best[:-1].copy()
            previous = best[1]
            new_down = previous + OPEN + EXTEND
            longer = down + EXTEND
            opened_down[row] = new_down <= longer
            down = np.minimum(new_down, longer)
            current = np.full(width + 1, _FAR, dtype=np.int64)
            current[1:] = previous[:-1] + self._substitution(row - 1)
            move = np.full(width + 1, _DIAGONAL, dtype=np.int8)
            self._merge(row, best, current, move)
            better = down < current
            current[better], move[better] = down[better], _DOWN
            # An opened run to the right never follows another one, so a running minimum is exact.
            start = np.minimum.accumulate(current - steps)
            right = np.full(width + 1, _FAR, dtype=np.int64)
            right[1:] = start[:-1] + OPEN + steps[1:]
            opened_right[row, 1:] = current[:-1] + OPEN + EXTEND <= right[1:]
            better = right < current
            current[better], move[better] = right[better], _RIGHT
            best[0], moves[row] = current, move
        return int(best[0, width]), self._walk(moves, opened_down, opened_right)

    def _merge(
        self, row: int, best: NDArray[np.int64], current: Ints, move: NDArray[np.int8]
    ) -> None:
        """Improve a row by pieces that are spelled like several pieces of the other side."""
        keys = self.rows.keys
        for size in range(2, MOST_MERGED + 1):
            if size <= row:
                number = self.numbers.get("".join(keys[row - size : row]), None)
                if number is not None:
                    at = np.flatnonzero(self.columns.number == number) + 1
                    cost = best[size, at - 1] + MERGE
                    chosen = at[cost < current[at]]
                    current[chosen], move[chosen] = best[size, chosen - 1] + MERGE, 10 + size
            if size in self.merged:
                ends = self.merged[size].get(int(self.rows.number[row - 1]))
                if ends is not None:
                    cost = best[1, ends - size] + MERGE
                    chosen = ends[cost < current[ends]]
                    current[chosen], move[chosen] = best[1, chosen - size] + MERGE, 20 + size

    def _walk(self, moves: NDArray[np.int8], opened_down: Bools, opened_right: Bools) -> list[Link]:
        row, column = self.height, self.width
        links = []
        while row > 0 or column > 0:
            move = int(moves[row, column])
            if move == _DIAGONAL:
                links.append(Link((row - 1, row), (column - 1, column)))
                row, column = row - 1, column - 1
            elif move == _DOWN:
                while not opened_down[row, column]:
                    row -= 1
                row -= 1
            elif move == _RIGHT:
                while not opened_right[row, column]:
                    column -= 1
                column -= 1
            elif move > 20:
                links.append(Link((row - 1, row), (column - move + 20, column)))
                row, column = row - 1, column - move + 20
            else:
                links.append(Link((row - move + 10, row), (column - 1, column)))
                row, column = row - move + 10, column - 1
        return links[::-1]


def _numbers(pieces: Pieces) -> dict[str, int]:
    return dict(zip(pieces.keys, pieces.number.tolist(), strict=True))


def _is_word(key: str) -> bool:
    return key[:1].isalnum()


def _merged(columns: Pieces, numbers: dict[str, int]) -> dict[int, dict[int, Ints]]:
    """Return, by size and number of a piece of the rows, after which columns it is spelled."""
    found: dict[int, dict[int, Ints]] = {}
    for size in range(2, MOST_MERGED + 1):
        places: dict[int, list[int]] = {}
        for end in range(size, len(columns) + 1):
            number = numbers.get("".join(columns.keys[end - size : end]))
            if number is not None:
                places.setdefault(number, []).append(end)
        if places:
            found[size] = {number: np.array(at) for number, at in places.items()}
    return found
