"""How far each row is from a place of its own, for all rows at once.

The prices of `augmenting` are right for those that have a place, but say little to those that
wait: where ties abound or few columns are free, each would search half of the rows for the
nearest end of a path. Here all ways are measured back from their ends. If then each row's price
falls by its distance, and that of the column it has rises as much, prices are still right, and
every row that waits has a path of edges that are worth the prices of their ends.
"""

from __future__ import annotations

import numpy as np

from scoref.base.arrays import Ints

NOBODY = -1
"""The partner of a row, or the owner of a column, that is alone."""


class Ways:
    """The edges, grouped by the column that they lead to."""

    def __init__(self, row: Ints, column: Ints, worth: Ints) -> None:
        order = np.argsort(column, kind="stable")
        self._row, self._column, self._worth = row[order], column[order], worth[order]
        self._size = np.bincount(column)
        self._start = np.cumsum(self._size) - self._size

    def distances(self, row_price: Ints, price: Ints, partner: Ints, owner: Ints) -> Ints:
        """Return of each row how long the shortest path is from it to where something ends alone.

        A path ends in a column that nobody has, or in a row that gives up its price and stays
        alone. An edge is as long as it falls short of the prices of its ends.
        """
        length = self._lengths(row_price, price)
        far = row_price.copy()
        nearer = np.arange(len(owner))  # columns that something has come nearer to
        while len(nearer):
            to_go = np.where(owner[nearer] == NOBODY, 0, far[owner[nearer]])
            edges = _ranges(self._start[nearer], self._size[nearer])
            way = length[edges] + np.repeat(to_go, self._size[nearer])
            row = self._row[edges]
            shorter = way < far[row]
            row = row[shorter]
            np.minimum.at(far, row, way[shorter])
            nearer = _partners(row, partner)
        return far

    def steps(self, row_price: Ints, price: Ints, partner: Ints, owner: Ints) -> Ints:
        """Return of each row how many edges the shortest path has whose length is nothing.

        Rows that have no such path take more steps than there are rows.
        """
        length = self._lengths(row_price, price)
        steps = np.where(row_price == 0, 0, 1 + len(partner))
        nearer = np.flatnonzero((owner == NOBODY) | (row_price[owner] == 0))
        step = 0
        while len(nearer):
            step += 1
            edges = _ranges(self._start[nearer], self._size[nearer])
            row = self._row[edges[length[edges] == 0]]
            row = row[steps[row] > step]
            steps[row] = step
            nearer = _partners(row, partner)
        return steps

    def _lengths(self, row_price: Ints, price: Ints) -> Ints:
        return row_price[self._row] + price[self._column] - self._worth


def _partners(row: Ints, partner: Ints) -> Ints:
    """Return the columns that some rows have, each once."""
    column: Ints = np.unique(partner[row])
    found: Ints = column[column != NOBODY]
    return found


def _ranges(start: Ints, size: Ints) -> Ints:
    """Return the numbers of some ranges, one after the other."""
    ends = np.cumsum(size)
    return np.repeat(start - (ends - size), size) + np.arange(int(ends[-1]))
