"""The best one-to-one alignment of rows and columns, given the weights of some cells.

Edges that dominate their row and column are taken first (`reduction`), which settles nearly
everything on real data. What is left falls apart into components. A large block in which nearly
every row meets nearly every column goes to SciPy, whose import costs more than most scorings.
Of all others, leaves and chains are folded away if there are many (`contraction`), and the rest
is placed by bidding and augmenting paths (`augmenting`).

Weights are not negative. The total is exact, whatever alignment of that total is found: where
several are equally good, this depends on nothing but the order of their rows and columns.
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
    return _align(row, column, weight, None).chosen


def best_total(row: Ints, column: Ints, weight: Floats, label: Ints, labels: int) -> Floats:
    """Return the greatest total weight of an alignment, of the edges of each label.

    Edges of different labels share no row and no column. Under a time limit that runs out,
    this is the total of the best alignment found, and the limit knows what may be missing.
    """
    limit = _limit.get()
    chosen, short = _align(row, column, weight, None if limit is None else limit.deadline)
    if limit is not None and len(short.edge):
        limit.add(sum_by(label[short.edge], short.most, labels))
    return exact_sum_by(label[chosen], weight[chosen], labels)


@dataclass(slots=True)
class Limit:
    """A time to stop at, and what the totals found until then may lack, by label."""

    deadline: float
    gap: Floats = field(default_factory=lambda: np.zeros(0))

    def add(self, gap: Floats) -> None:
        """Note that totals may be so much too low."""
        self.gap = gap if not len(self.gap) else self.gap + gap


_limit: ContextVar[Limit | None] = ContextVar("limit", default=None)


@contextmanager
def time_limit(seconds: float) -> Iterator[Limit]:
    """Let `best_total` stop after some time; it says what it may have missed in what this yields.

    `best_alignment` does not stop: it has no place for a bound.
    """
    limit = Limit(monotonic() + seconds)
    before = _limit.set(limit)
    try:
        yield limit
    finally:
        _limit.reset(before)


class _Short(NamedTuple):
    """Edges of rows that have not found their place, and how much more these may be worth."""

    edge: Ints
    most: Floats


class _Aligned(NamedTuple):
    chosen: Bools
    short: _Short


_NOTHING = _Short(np.zeros(0, dtype=np.int64), np.zeros(0))


def _align(row: Ints, column: Ints, weight: Floats, deadline: float | None) -> _Aligned:
    chosen = lonely(row, column)
    taken, left = settle(Edges.of(row, column, weight, np.flatnonzero(~chosen)))
    chosen &= weight > 0
    chosen[taken] = True
    if not len(left.at):
        return _Aligned(chosen, _NOTHING)
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
    return _Aligned(chosen, short)


def _place(edges: Edges, component: Ints, deadline: float | None) -> tuple[Ints, _Short]:
    """Place what is left, once what is simple in it has been folded away."""
    if not len(edges.at):
        return edges.at, _NOTHING
    worth, digits = _whole_numbers(edges.weight, component)
    given = np.flatnonzero(worth > 0)
    row, _ = number_by_appearance(edges.row[given])
    column, _ = number_by_appearance(edges.column[given])
    contraction = Contraction(row, column, worth[given])
    core = contraction.left
    taken, short, slack = _place_core(core, component[given[core.at]], deadline)
    edge = given[core.at[short]]
    most = np.ldexp(slack.astype(np.float64), -digits[edge])
    return edges.at[given[contraction.undo(taken)]], _Short(edges.at[edge], most)


def _place_core(core: Core, component: Ints, deadline: float | None) -> tuple[Bools, Ints, Ints]:
    """Place the side of each component that has fewer members.

    Return which edges are taken, an edge of each row or column that may be short of its best
    place, and by how much.
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
    """Return of each edge whether its component has fewer columns than rows."""
    rows, columns = (
        np.bincount(component[first], minlength=int(component.max()) + 1)
        for _, first in map(number_by_appearance, (row, column))
    )
    fewer: Bools = (columns < rows)[component]
    return fewer


def _whole_numbers(weight: Floats, component: Ints) -> tuple[Ints, Ints]:
    """Return weights as whole numbers of 60 binary digits, and how many are behind the point.

    That is exact but for weights below a hundredth of the largest in their component, and
    then off by 1e-18 of it.
    """
    _, exponent = np.frexp(weight)
    largest = np.full(int(component.max()) + 1, exponent.min())
    np.maximum.at(largest, component, exponent)
    digits = _BITS - largest[component]
    return np.rint(np.ldexp(weight, digits)).astype(np.int64), digits


def _blocks(edges: Edges, component: Ints) -> Iterator[Ints]:
    """Yield the edges of each component that is large and nearly a whole matrix."""
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
