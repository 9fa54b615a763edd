"""The best alignment of rows and columns that no edge dominates, and the proof that it is best.

This is a primal-dual method. Every row and every column has a price (a dual variable) of at least
zero, and no edge is worth more than the prices of its ends together. So the sum of all prices is an
upper bound at any time. A taken edge is worth exactly the prices of its ends: it is tight. Once
every row and column without a partner has the price zero, the alignment is worth as much as the
bound, and nothing is better.

1. `bid`: an auction (Bertsekas). A row offers its best column the difference to its second best, or
   to nothing, and pushes out the row that had it, which bids next. A row stalls if two equally good
   columns are both taken, or if it has bid often. Eight passes: with one, random CEAFe weights take
   1.6 times as long.
2. `walk`: stalled rows follow tight edges to a free column, all at once, as long as this places
   many. Without it, random CEAFm weights (ties) take twice as long.
3. `search`: each row that is left finds its place by a shortest augmenting path (Dijkstra). It
   takes a column, the row that had it takes another, and so on up to a free column, or a row that
   does as well with nothing. The length of an edge is what it lacks to be tight; prices change so
   that the edges of the path become tight. Without it, random CEAFe weights take twice as long.
4. `reprice` and `descend`: when searches become long, all prices change at once (`distances.py`),
   and rows follow tight edges, each step nearer to an end (Hopcroft and Karp). Without `reprice`,
   random weights take four times as long and more; without `descend`, a grid of ties twice.

The figures are for 300,000 cells and more. Worths are integers: no sum or comparison is rounded.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from heapq import heappop, heappush

import numpy as np

from scoref.base.arrays import Bools, Ints
from scoref.base.progress import progress
from scoref.metrics.assignment.distances import PathLengths
from scoref.metrics.table import NOWHERE

_PASSES = 8
_MOST_BIDS = 20  # of a row, per edge
_WORTH_A_WALK = 0.9  # go on while a walk places one of ten rows
_LONG_SEARCH = 2000  # columns to settle, plus one per ten edges, before all prices change


def place(row: Ints, column: Ints, worth: Ints) -> Bools:
    """Align rows and columns for the greatest total worth; mark the edges taken.

    Edges are grouped by row; rows and columns are numbered from 0, without gaps, and worths
    are positive.
    """
    market = _Market(row, column, worth)
    waiting = list(range(len(market.edges)))
    for _ in range(_PASSES):
        waiting = market.bid(waiting)
    waiting = market.walk_on(waiting)
    with progress("aligning entities", len(waiting)) as advance:
        while waiting:
            before, waiting = len(waiting), market.search(waiting)
            if waiting:
                market.reprice()
                waiting = market.descend(waiting)
            advance(before - len(waiting))
    taken: Bools = np.array(market.partner, dtype=np.int64)[row] == column
    return taken


class _Market:
    """Prices, and the owner of each column; consistent after each bid and each path."""

    def __init__(self, row: Ints, column: Ints, worth: Ints) -> None:
        self._given = row, column, worth
        ends = np.cumsum(np.bincount(row))
        pairs = list(zip(column.tolist(), worth.tolist(), strict=True))
        starts = [0, *ends[:-1].tolist()]
        self.edges: list[list[tuple[int, int]]] = [
            pairs[start:end] for start, end in zip(starts, ends.tolist(), strict=True)
        ]
        self.row_price: list[int] = np.maximum.reduceat(worth, starts).tolist()
        columns = int(column.max()) + 1
        self.price = [0] * columns
        self.owner = [NOWHERE] * columns
        self.partner = [NOWHERE] * len(starts)
        self.bids = [0] * len(starts)
        self.steps: list[int] = []

    def bid(self, waiting: Iterable[int]) -> list[int]:
        """Let rows bid, and the rows that they push out; return the rows that stall."""
        edges, price, owner, partner = self.edges, self.price, self.owner, self.partner
        stalled = []
        for start in waiting:
            row = start
            while row != NOWHERE:
                best, second, at = 0, 0, NOWHERE
                for column, worth in edges[row]:
                    value = worth - price[column]
                    if value > second:
                        if value > best:
                            best, second, at = value, best, column
                        else:
                            second = value
                self.row_price[row] = best
                if not best:
                    break
                if best == second and owner[at] != NOWHERE:
                    at = self._free_column(row, best)
                if at == NOWHERE or self.bids[row] >= _MOST_BIDS * len(edges[row]):
                    stalled.append(row)
                    break
                self.bids[row] += 1
                self.row_price[row] = second
                price[at] += best - second
                partner[row] = at
                row, owner[at] = owner[at], row
                if row != NOWHERE:
                    partner[row] = NOWHERE
        return stalled

    def _free_column(self, row: int, value: int) -> int:
        """Return the first free column of some value to a row."""
        for column, worth in self.edges[row]:
            if worth - self.price[column] == value and self.owner[column] == NOWHERE:
                return column
        return NOWHERE

    def walk(self, waiting: Iterable[int]) -> list[int]:
        """Place rows along tight edges; return the rows that found no path.

        All rows start together, and no column is reached twice: many rows take as long as one.
        """
        edges, price, owner, row_price = self.edges, self.price, self.owner, self.row_price
        start_of = {row: row for row in waiting}
        reached: dict[int, int] = {}
        placed = set()
        walking = list(start_of)
        for row in walking:
            start = start_of[row]
            if start in placed:
                continue
            if row == start:
                row_price[row] = max(0, *(worth - price[column] for column, worth in edges[row]))
                if not row_price[row]:
                    placed.add(row)
                    continue
            for column, worth in edges[row]:
                if worth - price[column] != row_price[row] or column in reached:
                    continue
                reached[column] = row
                holder = owner[column]
                if holder == NOWHERE or not row_price[holder]:
                    self._move(reached, holder, column)
                    placed.add(start)
                    break
                start_of[holder] = start
                walking.append(holder)
        return [row for row in waiting if row not in placed]

    def walk_on(self, waiting: list[int]) -> list[int]:
        """Walk as long as this places many rows; return the rows that found no path."""
        before = 2 * len(waiting)
        while len(waiting) < _WORTH_A_WALK * before:
            before, waiting = len(waiting), self.walk(waiting)
        return waiting

    def search(self, waiting: list[int]) -> list[int]:
        """Place rows until searches have become long; return the rows that still wait."""
        settled, enough = 0, _LONG_SEARCH + len(self._given[0]) // 10
        for at, row in enumerate(waiting):
            if settled > enough:
                return waiting[at:]
            settled += self.augment(row)
        return []

    @cached_property
    def _lengths(self) -> PathLengths:
        return PathLengths(*self._given)

    def reprice(self) -> None:
        """Change all prices so that each waiting row has a path of tight edges."""
        arrays = (self.row_price, self.price, self.partner, self.owner)
        row_price, price, partner, owner = map(np.array, arrays)
        far = self._lengths.distances(row_price, price, partner, owner)
        price[partner[partner != NOWHERE]] += far[partner != NOWHERE]
        row_price -= far
        self.row_price, self.price = row_price.tolist(), price.tolist()
        self.steps = self._lengths.steps(row_price, price, partner, owner).tolist()

    def descend(self, waiting: list[int]) -> list[int]:
        """Place rows along tight edges, each step nearer to an end; return the rows that stall."""
        edges, price, owner, row_price = self.edges, self.price, self.owner, self.row_price
        steps = self.steps
        reached: dict[int, int] = {}
        stalled = []
        for start in waiting:
            path = [(start, iter(edges[start]))] if row_price[start] else []
            while path:
                row, ways = path[-1]
                for column, worth in ways:
                    if column in reached or worth - price[column] != row_price[row]:
                        continue
                    holder = owner[column]
                    if holder == NOWHERE or not row_price[holder]:
                        reached[column] = row
                        self._move(reached, holder, column)
                        path = []
                        break
                    if steps[holder] < steps[row]:
                        reached[column] = row
                        path.append((holder, iter(edges[holder])))
                        break
                else:
                    path.pop()
                    if not path:
                        stalled.append(start)
        return stalled

    def augment(self, start: int) -> int:
        """Place a row by the shortest path to a free column or to a row that gives up its place.

        Return the number of columns settled by the search.
        """
        edges, price, owner, row_price = self.edges, self.price, self.owner, self.row_price
        distance: dict[int, int] = {}
        reached: dict[int, int] = {}  # the row that each column was reached from
        settled: list[tuple[int, int]] = []
        heap: list[tuple[int, int]] = []
        length, row = 0, start
        nearest, last = row_price[start], NOWHERE  # it gets no column
        while True:
            so_far = length + row_price[row]
            for column, worth in edges[row]:
                far = so_far + price[column] - worth
                if far < nearest and far < distance.get(column, nearest):
                    distance[column], reached[column] = far, row
                    if owner[column] == NOWHERE:
                        nearest, last = far, column
                    else:
                        heappush(heap, (far, column))
            while heap and heap[0][0] > distance[heap[0][1]]:
                heappop(heap)
            if not heap or heap[0][0] >= nearest:
                break
            length, column = heappop(heap)
            settled.append((length, column))
            row = owner[column]
            if length + row_price[row] < nearest:
                nearest, last = length + row_price[row], column
        row_price[start] -= nearest
        for length, column in settled:
            price[column] += nearest - length
            row_price[owner[column]] -= nearest - length
        if last != NOWHERE:
            self._move(reached, owner[last], last)
        return len(settled)

    def _move(self, reached: dict[int, int], holder: int, column: int) -> None:
        """Move each row of a path to its next column; the holder of the last column loses it."""
        if holder != NOWHERE:
            self.partner[holder] = NOWHERE
        while column != NOWHERE:
            row = reached[column]
            self.owner[column] = row
            column, self.partner[row] = self.partner[row], column
