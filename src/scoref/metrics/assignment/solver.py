"""The best one-to-one alignment of rows and columns, given the weights of some cells.

1. `reduction` takes edges that dominate their row and column, which settles nearly everything on
   real data: a million mentions take 0.1 CPU-s.
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
from typing import TYPE_CHECKING

import numpy as np

from scoref.base.arrays import Bools, Floats, Ints, number_by_appearance
from scoref.base.exact_sums import exact_sum_by
from scoref.metrics.assignment.reduction import Edges, components, lonely, settle

if TYPE_CHECKING:
    from scoref.metrics.assignment.contraction import Core

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
