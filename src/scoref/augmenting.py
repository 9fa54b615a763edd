"""The best alignment of a few rows and columns by shortest augmenting paths.

Rows find their place one after the other. A row that finds its best column taken pushes the
row that has it to another one, if that is worth more in total. Each row also has a column of
its own that stands for "nothing". Potentials of rows and columns keep the cost of every edge
at zero or above, so that paths are found as Dijkstra found them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from heapq import heappop, heappush

import numpy as np

from scoref.arrays import Floats, Ints

_NOTHING = -1


@dataclass(slots=True)
class _Search:
    """Paths from one row: how far columns are, how they were reached, which are settled."""

    distance: dict[int, float] = field(default_factory=dict)
    reached: dict[int, tuple[int, int]] = field(default_factory=dict)
    settled: set[int] = field(default_factory=set)
    waiting: list[tuple[float, int]] = field(default_factory=list)

    def reach(self, column: int, length: float, row: int, edge: int) -> None:
        """Note a way to a column, if it is shorter than those before.

        A settled column has its shortest way; rounding must not find a shorter one.
        """
        if column not in self.settled and length < self.distance.get(column, math.inf):
            self.distance[column], self.reached[column] = length, (row, edge)
            heappush(self.waiting, (length, column))

    def nearest(self) -> tuple[float, int]:
        """Return the nearest column that is not settled."""
        while True:
            length, column = heappop(self.waiting)
            if column not in self.settled:
                return length, column


class _Alignment:
    """Rows that have found their place, and the potentials of all."""

    def __init__(self, row: Ints, column: Ints, weight: Floats) -> None:
        rows, columns = int(row.max()) + 1, int(column.max()) + 1
        self.edges: list[list[tuple[int, float, int]]] = [
            [(columns + at, 0.0, _NOTHING)] for at in range(rows)
        ]
        listed = zip(row.tolist(), column.tolist(), weight.tolist(), strict=True)
        for edge, (at, other, worth) in enumerate(listed):
            self.edges[at].append((other, -worth, edge))
        self.of_row = [min(cost for _, cost, _ in edges) for edges in self.edges]
        self.of_column = [0.0] * (columns + rows)
        self.owner: dict[int, int] = {}
        self.place: dict[int, tuple[int, int]] = {}  # of each row: its column and the edge to it

    def insert(self, start: int) -> None:
        """Give a row its place."""
        search = _Search()
        row, length = start, 0.0
        while True:
            for column, cost, edge in self.edges[row]:
                step = cost - self.of_row[row] - self.of_column[column]
                search.reach(column, length + step, row, edge)
            length, column = search.nearest()
            if column not in self.owner:
                break
            search.settled.add(column)
            row = self.owner[column]
        self.of_row[start] += length
        for settled in search.settled:
            shift = length - search.distance[settled]
            self.of_column[settled] -= shift
            self.of_row[self.owner[settled]] += shift
        self._move_along(search, column)

    def _move_along(self, search: _Search, column: int) -> None:
        """Move each row of the path to the column after it."""
        while True:
            row, edge = search.reached[column]
            before = self.place.get(row)
            self.owner[column], self.place[row] = row, (column, edge)
            if before is None:
                return
            column = before[0]


def align_by_paths(row: Ints, column: Ints, weight: Floats) -> Ints:
    """Return the positions of the edges of an alignment of the greatest total weight."""
    alignment = _Alignment(row, column, weight)
    for start in range(len(alignment.edges)):
        alignment.insert(start)
    taken = [edge for _, edge in alignment.place.values() if edge != _NOTHING]
    return np.array(taken, dtype=np.int64)
