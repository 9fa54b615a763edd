"""The distance of each row from the end of an augmenting path, for all rows at once.

The prices of `augmenting_paths` guide a row that waits only locally: where many edges tie or few
columns are free, each row would search half of the others for the nearest end of a path. This
module computes all distances back from the ends. If the price of each row then falls by its
distance, and the price of its column rises by as much, the prices remain valid, and every waiting
row has a path of tight edges.
"""

from __future__ import annotations

import numpy as np

from scoref.base.arrays import Ints, expand_ranges
from scoref.metrics.table import NOWHERE


class PathLengths:
    """The edges, grouped by the column that they lead to.

    A row without a partner, or a column without an owner, has NOWHERE instead.
    """

    def __init__(self, row: Ints, column: Ints, worth: Ints) -> None:
        order = np.argsort(column, kind="stable")
        self._row, self._column, self._worth = row[order], column[order], worth[order]
        self._end = np.cumsum(np.bincount(column))
        self._start = self._end - np.bincount(column)

    def distances(self, row_price: Ints, price: Ints, partner: Ints, owner: Ints) -> Ints:
        """Return the length of the shortest path from each row to an end.

        A path ends in a free column, or in a row that gives up its price and gets no column. The
        length of an edge is the difference between the prices of its ends and its worth.
        """
        length = self._lengths(row_price, price)
        far = row_price.copy()
        nearer = np.arange(len(owner))  # columns whose distance to an end has become shorter
        while len(nearer):
            to_go = np.where(owner[nearer] == NOWHERE, 0, far[owner[nearer]])
            at, edges = expand_ranges(self._start[nearer], self._end[nearer])
            way = length[edges] + to_go[at]
            row = self._row[edges]
            shorter = way < far[row]
            row = row[shorter]
            np.minimum.at(far, row, way[shorter])
            nearer = _partners(row, partner)
        return far

    def steps(self, row_price: Ints, price: Ints, partner: Ints, owner: Ints) -> Ints:
        """Return the number of edges of the shortest path of tight edges from each row.

        For rows without such a path, the number is greater than the number of rows.
        """
        length = self._lengths(row_price, price)
        steps = np.where(row_price == 0, 0, 1 + len(partner))
        nearer = np.flatnonzero((owner == NOWHERE) | (row_price[owner] == 0))
        step = 0
        while len(nearer):
            step += 1
            _, edges = expand_ranges(self._start[nearer], self._end[nearer])
            row = self._row[edges[length[edges] == 0]]
            row = row[steps[row] > step]
            steps[row] = step
            nearer = _partners(row, partner)
        return steps

    def _lengths(self, row_price: Ints, price: Ints) -> Ints:
        return row_price[self._row] + price[self._column] - self._worth


def _partners(row: Ints, partner: Ints) -> Ints:
    """Return the columns of some rows, each once."""
    column: Ints = np.unique(partner[row])
    found: Ints = column[column != NOWHERE]
    return found
