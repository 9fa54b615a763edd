"""Edges that are certainly in a best one-to-one alignment, found without a solver.

An edge that weighs at least as much as the best other edge of its row and the best other edge of
its column together is in some best alignment: the two edges that an alignment could have instead
are worth no more. Taking such edges, dropping their rows and columns, and repeating settles nearly
everything on real data. (Being the best of both row and column is not enough: of 10, 9 / 9, 0 the
two nines are best.)

Edges are grouped by row and by column once; dropping edges keeps the order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Bools, Floats, Ints, first_of_run

_FULL_ROUNDS = 8
_WORTH_A_ROUND = 1024  # rounds go on while they drop one edge in this number
_WORTH_MORE_ROUNDS = 32  # the same for later rounds


class Edges(NamedTuple):
    """Edges grouped by row; `by_column` has their positions grouped by column."""

    at: Ints
    row: Ints
    column: Ints
    weight: Floats
    by_column: Ints

    @classmethod
    def of(cls, row: Ints, column: Ints, weight: Floats, at: Ints) -> Edges:
        """Group the edges at some places that have a positive weight."""
        at = at[weight[at] > 0]
        if np.any(row[at][1:] < row[at][:-1]):
            at = at[np.argsort(row[at], kind="stable")]
        by_column = np.argsort(column[at], kind="stable")
        return cls(at, row[at], column[at], weight[at], by_column)

    def where(self, kept: Bools) -> Edges:
        """Keep some edges."""
        position = np.cumsum(kept) - 1
        by_column = position[self.by_column[kept[self.by_column]]]
        at, row, column = self.at[kept], self.row[kept], self.column[kept]
        return Edges(at, row, column, self.weight[kept], by_column)


def lonely(row: Ints, column: Ints) -> Bools:
    """Mark edges that are the only ones of their row and of their column.

    They are in every best alignment. In a large table they are a third of all edges. Because they
    need not be grouped, CEAF on a million mentions takes 0.06 CPU-s instead of 0.11.
    """
    alone: Bools = np.bincount(row)[row] == 1
    alone &= np.bincount(column)[column] == 1
    return alone


def settle(edges: Edges) -> tuple[Ints, Edges]:
    """Return the places of edges that are certainly best, and the edges that are left."""
    taken = [edges.at[:0]]
    rounds = 0
    while len(edges.at):
        best = _dominating(edges)
        if not len(best):
            break
        taken.append(edges.at[best])
        kept = ~(_marked(edges.row, best) | _marked(edges.column, best))
        dropped = len(kept) - np.count_nonzero(kept)
        edges = edges.where(kept)
        rounds += 1
        least = _WORTH_A_ROUND if rounds < _FULL_ROUNDS else _WORTH_MORE_ROUNDS
        if dropped * least < len(kept):
            break
    return np.concatenate(taken), edges


def _dominating(edges: Edges) -> Ints:
    """Return edges that weigh as much as the best others of their row and column together.

    Of several such edges in one row or column, which weigh the same, return the first.
    """
    row, column, weight = edges.row, edges.column, edges.weight
    best_of_row, next_of_row = _two_best(row, weight)
    best_of_column, next_of_column = _two_best(column[edges.by_column], weight[edges.by_column])
    best = np.flatnonzero((weight == best_of_row[row]) & (weight == best_of_column[column]))
    others = next_of_row[row[best]], next_of_column[column[best]]
    # Exact, unlike a sum: a difference of floats is not rounded where it could matter.
    best = best[weight[best] - np.maximum(*others) >= np.minimum(*others)]
    first_in_column = np.empty(len(best_of_column), dtype=np.int64)
    first_in_column[column[best[::-1]]] = best[::-1]  # the last value written stays
    first: Ints = best[first_of_run(row[best]) & (first_in_column[column[best]] == best)]
    return first


def _two_best(line: Ints, weight: Floats) -> tuple[Floats, Floats]:
    """Return the greatest and second greatest weight in each line, 0 if there is none.

    Edges are grouped by line, which is a row or a column.
    """
    starts = np.flatnonzero(first_of_run(line))
    lines = int(line.max()) + 1
    best, following = np.zeros(lines), np.zeros(lines)
    best[line[starts]] = np.maximum.reduceat(weight, starts)
    heaviest = np.flatnonzero(weight == best[line])
    others = weight.copy()
    others[heaviest[first_of_run(line[heaviest])]] = 0.0
    following[line[starts]] = np.maximum.reduceat(others, starts)
    return best, following


def _marked(line: Ints, edges: Ints) -> Bools:
    """Mark all edges that share a line with some edges."""
    mark = np.zeros(int(line.max()) + 1, dtype=bool)
    mark[line[edges]] = True
    return mark[line]


def components(edges: Edges) -> Ints:
    """Return the connected component of each edge: the number of its first row."""
    starts = np.flatnonzero(first_of_run(edges.row))
    at_row = np.cumsum(first_of_run(edges.row)) - 1
    column = edges.column[edges.by_column]
    column_starts = np.flatnonzero(first_of_run(column))
    at_column = np.empty(len(column), dtype=np.int64)
    at_column[edges.by_column] = np.cumsum(first_of_run(column)) - 1
    row_in_column = at_row[edges.by_column]
    label = np.arange(len(starts))
    while True:  # rows that meet in a column take the smallest label until none changes
        of_column = np.minimum.reduceat(label[row_in_column], column_starts)
        smallest = np.minimum.reduceat(of_column[at_column], starts)
        hooked = label.copy()
        np.minimum.at(hooked, label, smallest)  # a whole tree of rows follows its root
        hooked = hooked[hooked]
        if np.array_equal(hooked, label):
            found: Ints = label[at_row]
            return found
        label = hooked
