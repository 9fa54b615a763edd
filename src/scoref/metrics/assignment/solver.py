"""The best one-to-one alignment of rows and columns, given the weights of some cells.

1. `settle` takes edges that dominate their row and column, which settles nearly everything on
   real data: a million mentions take 0.1 CPU-s. An edge that weighs at least as much as the best
   other edge of its row and the best other edge of its column together is in some best alignment:
   the two edges that an alignment could have instead are worth no more. Taking such edges, dropping
   their rows and columns, and repeating needs no solver. (Being the best of both row and column is
   not enough: of 10, 9 / 9, 0 the two nines are best.)
2. What is left is divided into connected components. A large component in which nearly every row
   shares a cell with nearly every column goes to SciPy's dense solver, which takes a tenth of the
   time for a million cells of different weights. Smaller ones do not: importing SciPy takes longer
   than most scorings.
3. `contraction` folds leaves and chains away if there are many.
4. `augmenting_paths` places the rest by bidding and augmenting paths.

Weights are not negative. The total is exact. Where several alignments have the best total, the
choice depends only on the order of their rows and columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.base.arrays import Bools, Floats, Ints, first_of_run, number_by_appearance
from scoref.base.exact_sums import exact_sum_by

if TYPE_CHECKING:
    from scoref.metrics.assignment.contraction import Core

_FULL_ROUNDS = 8
_WORTH_A_ROUND = 1024  # rounds go on while they drop one edge in this number
_WORTH_MORE_ROUNDS = 32  # the same for later rounds
_BITS = 60
_BLOCK_EDGES = 40_000
_BLOCK_DENSITY = 0.25
_BLOCK_CELLS = 4_000_000


def best_total(row: Ints, column: Ints, weight: Floats, label: Ints, labels: int) -> Floats:
    """Return the greatest total weight of an alignment for each label.

    Edges of different labels share no row and no column.
    """
    chosen = best_alignment(row, column, weight)
    return exact_sum_by(label[chosen], weight[chosen], labels)


def best_alignment(row: Ints, column: Ints, weight: Floats) -> Bools:
    """Mark the edges of an alignment of the greatest total weight."""
    chosen = lonely(row, column)
    taken, left = settle(Edges.of(row, column, weight, np.flatnonzero(~chosen)))
    chosen &= weight > 0
    chosen[taken] = True
    if not len(left.at):
        return chosen
    component = components(left)
    in_block = np.zeros(len(component), dtype=bool)
    for edges in _blocks(left, component):
        in_block[edges] = True
        best = _solve_block(left.row[edges], left.column[edges], left.weight[edges])
        chosen[left.at[edges[best]]] = True
    left, component = left.where(~in_block), component[~in_block]
    if len(left.at):
        chosen[_place(left, component)] = True
    return chosen


def _place(edges: Edges, component: Ints) -> Ints:
    """Contract the edges that are left, place the core, and return what is taken."""
    from scoref.metrics.assignment.contraction import Contraction  # noqa: PLC0415  # rarely left

    worth = _as_integers(edges.weight, component)
    given = np.flatnonzero(worth > 0)
    row, _ = number_by_appearance(edges.row[given])
    column, _ = number_by_appearance(edges.column[given])
    contraction = Contraction(row, column, worth[given])
    core = contraction.left
    taken = _place_core(core, component[given[core.at]])
    return edges.at[given[contraction.undo(taken)]]


def _place_core(core: Core, component: Ints) -> Bools:
    """Place the smaller side of each component; mark the edges taken."""
    taken = np.zeros(len(core.at), dtype=bool)
    if not len(core.at):
        return taken
    from scoref.metrics.assignment.augmenting_paths import place  # noqa: PLC0415  # rarely left

    swapped = _fewer_columns(core.row, core.column, component)
    bidder = np.where(swapped, core.column, core.row)
    wanted = np.where(swapped, core.row, core.column)
    order = np.argsort(bidder, kind="stable")
    bidder, _ = number_by_appearance(bidder[order])
    wanted, _ = number_by_appearance(wanted[order])
    taken[order] = place(bidder, wanted, core.worth[order])
    return taken


def _fewer_columns(row: Ints, column: Ints, component: Ints) -> Bools:
    """Mark the edges of components that have fewer columns than rows."""
    rows, columns = (
        np.bincount(component[first], minlength=int(component.max()) + 1)
        for _, first in map(number_by_appearance, (row, column))
    )
    fewer: Bools = (columns < rows)[component]
    return fewer


def _as_integers(weight: Floats, component: Ints) -> Ints:
    """Return weights as integers of 60 binary digits.

    This is exact, except for weights below a hundredth of the largest weight in their component,
    where the error is 1e-18 of the largest.
    """
    _, exponent = np.frexp(weight)
    largest = np.full(int(component.max()) + 1, exponent.min())
    np.maximum.at(largest, component, exponent)
    digits = _BITS - largest[component]
    integers: Ints = np.rint(np.ldexp(weight, digits)).astype(np.int64)
    return integers


def _blocks(edges: Edges, component: Ints) -> Iterator[Ints]:
    """Yield the edges of each component that is large and dense."""
    for number in np.flatnonzero(np.bincount(component) >= _BLOCK_EDGES).tolist():
        inside = np.flatnonzero(component == number)
        rows, columns = (len(np.unique(line[inside])) for line in (edges.row, edges.column))
        if len(inside) >= _BLOCK_DENSITY * rows * columns and rows * columns <= _BLOCK_CELLS:
            yield inside


def _solve_block(row: Ints, column: Ints, weight: Floats) -> Ints:
    """Return the positions of the best edges of a block."""
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415  # half a second to import

    _, row = np.unique(row, return_inverse=True)
    _, column = np.unique(column, return_inverse=True)
    gains = np.zeros((int(row.max()) + 1, int(column.max()) + 1))
    gains[row, column] = weight
    partner = np.full(len(gains), -1)
    rows, columns = linear_sum_assignment(gains, maximize=True)
    partner[rows] = columns
    return np.flatnonzero(partner[row] == column)


class Edges(NamedTuple):
    """Edges grouped by row; `by_column` has their positions grouped by column.

    They are grouped once: dropping edges keeps the order.
    """

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
