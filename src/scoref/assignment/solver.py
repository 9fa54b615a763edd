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
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from time import monotonic
from typing import NamedTuple

import numpy as np

from scoref.assignment.augmenting_paths import place
from scoref.assignment.contraction import Contraction, Core
from scoref.assignment.reduction import Edges, components, lonely, settle
from scoref.base.arrays import Bools, Floats, Ints, exact_sum_by, number_by_appearance, sum_by

_BITS = 60
_BLOCK_EDGES = 40_000
_BLOCK_DENSITY = 0.25
_BLOCK_CELLS = 4_000_000


def best_alignment(row: Ints, column: Ints, weight: Floats) -> Bools:
    """Mark the edges of an alignment of the greatest total weight."""
    chosen, _ = _align(row, column, weight, None)
    return chosen


def best_total(row: Ints, column: Ints, weight: Floats, label: Ints, labels: int) -> Floats:
    """Return the greatest total weight of an alignment for each label.

    Edges of different labels share no row and no column. If a time limit runs out, this is the
    total of the best alignment found, and the limit records how much it may lack.
    """
    limit = _limit.get()
    chosen, short = _align(row, column, weight, None if limit is None else limit.deadline)
    if limit is not None and len(short.edge):
        limit.gap = limit.gap + sum_by(label[short.edge], short.most, labels)
    return exact_sum_by(label[chosen], weight[chosen], labels)


@dataclass(slots=True)
class Limit:
    """A time to stop at, and how much the totals found until then may lack, per label."""

    deadline: float
    gap: Floats = field(default_factory=lambda: np.zeros(1))


_limit: ContextVar[Limit | None] = ContextVar("limit", default=None)


@contextmanager
def time_limit(seconds: float) -> Iterator[Limit]:
    """Let `best_total` stop after some seconds; the limit records how much totals may lack.

    `best_alignment` does not stop, because it returns no bound.
    """
    limit = Limit(monotonic() + seconds)
    before = _limit.set(limit)
    try:
        yield limit
    finally:
        _limit.reset(before)


class _Shortfall(NamedTuple):
    """An edge of each row that is not placed yet, and how much more the row may be worth."""

    edge: Ints
    most: Floats


_NOTHING = _Shortfall(np.zeros(0, dtype=np.int64), np.zeros(0))


def _align(
    row: Ints, column: Ints, weight: Floats, deadline: float | None
) -> tuple[Bools, _Shortfall]:
    chosen = lonely(row, column)
    taken, left = settle(Edges.of(row, column, weight, np.flatnonzero(~chosen)))
    chosen &= weight > 0
    chosen[taken] = True
    if not len(left.at):
        return chosen, _NOTHING
    component = components(left)
    if deadline is None:
        in_block = np.zeros(len(component), dtype=bool)
        for edges in _blocks(left, component):
            in_block[edges] = True
            best = _solve_block(left.row[edges], left.column[edges], left.weight[edges])
            chosen[left.at[edges[best]]] = True
        left, component = left.where(~in_block), component[~in_block]
    at, short = _place(left, component, deadline)
    chosen[at] = True
    return chosen, short


def _place(edges: Edges, component: Ints, deadline: float | None) -> tuple[Ints, _Shortfall]:
    """Contract the edges that are left, and place the core."""
    if not len(edges.at):
        return edges.at, _NOTHING
    worth, digits = _as_integers(edges.weight, component)
    given = np.flatnonzero(worth > 0)
    row, _ = number_by_appearance(edges.row[given])
    column, _ = number_by_appearance(edges.column[given])
    contraction = Contraction(row, column, worth[given])
    core = contraction.left
    taken, short, slack = _place_core(core, component[given[core.at]], deadline)
    edge = given[core.at[short]]
    most = np.ldexp(slack.astype(np.float64), -digits[edge])
    return edges.at[given[contraction.undo(taken)]], _Shortfall(edges.at[edge], most)


def _place_core(core: Core, component: Ints, deadline: float | None) -> tuple[Bools, Ints, Ints]:
    """Place the smaller side of each component.

    Return the edges taken, an edge of each row or column that may not have its best place, and
    how much it may lack.
    """
    if not len(core.at):
        return np.zeros(0, dtype=bool), core.at, core.worth
    swapped = _fewer_columns(core.row, core.column, component)
    bidder = np.where(swapped, core.column, core.row)
    wanted = np.where(swapped, core.row, core.column)
    order = np.argsort(bidder, kind="stable")
    bidder, first = number_by_appearance(bidder[order])
    wanted, _ = number_by_appearance(wanted[order])
    placed = place(bidder, wanted, core.worth[order], deadline)
    taken = np.zeros(len(order), dtype=bool)
    taken[order] = placed.taken
    short = np.flatnonzero(placed.slack)
    return taken, order[first[short]], placed.slack[short]


def _fewer_columns(row: Ints, column: Ints, component: Ints) -> Bools:
    """Mark the edges of components that have fewer columns than rows."""
    rows, columns = (
        np.bincount(component[first], minlength=int(component.max()) + 1)
        for _, first in map(number_by_appearance, (row, column))
    )
    fewer: Bools = (columns < rows)[component]
    return fewer


def _as_integers(weight: Floats, component: Ints) -> tuple[Ints, Ints]:
    """Return weights as integers of 60 binary digits, and how many digits are fractional.

    This is exact, except for weights below a hundredth of the largest weight in their component,
    where the error is 1e-18 of the largest.
    """
    _, exponent = np.frexp(weight)
    largest = np.full(int(component.max()) + 1, exponent.min())
    np.maximum.at(largest, component, exponent)
    digits = _BITS - largest[component]
    return np.rint(np.ldexp(weight, digits)).astype(np.int64), digits


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
