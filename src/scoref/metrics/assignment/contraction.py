"""Leaves are folded and chains contracted, so that only a tangled core is left to solve.

Two rewritings preserve the best alignment, up to a known worth:

- Fold a leaf, which has one edge, of worth w: its neighbour is sure of w. So the other edges of
  this neighbour are worth w less, and edges that are then worth nothing are dropped.
- Join a chain a-v-u-b of worths x, y, z, where v and u have two edges each: v and u are sure of y;
  x replaces it if x is more and a is free, z if z is more and b is free. So the other edges of a
  are worth x - y less if this is positive, those of b likewise z - y. What a and b together are
  worth to v and u beyond that is the worth of one new edge, which replaces the three.

A round folds all leaves at once, and then joins chains that do not touch. As in Miller and Reif's
contraction of trees, a chain, tree or cycle of n edges is gone after about log n rounds, and so is
everything that hangs from a tangled core. When the best alignment of the core is known, the
rewritings are undone in reverse order.

Real partitions leave few chains, but long ones are the worst case of the bidding in
`augmenting_paths`: a chain of 600,000 cells with nearly equal weights takes 1.2 CPU-s with this
stage and 15 without, a cycle of 300,000 cells 0.5 and 6.5. Joining without folding is not enough:
a chain of 800,000 cells with a leaf at every node takes 2.2 CPU-s with folding and 18 without.
Other cases take as long without this stage.

Worths are integers: no sum or comparison is rounded.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Bools, Ints, number_by_appearance

_WORTH_CONTRACTING = 4000
_WORTH_A_ROUND = 32  # rounds go on while they drop one edge in this number
_SCATTER = 0x9E3779B97F4A7C15  # odd: its multiples by distinct numbers differ in 64 bits


class Core(NamedTuple):
    """The edges that are left; `at` is the given edge that each of them replaces.

    Rows and columns are numbered together: no row has the number of a column.
    """

    at: Ints
    row: Ints
    column: Ints
    worth: Ints

    def degrees(self, nodes: int) -> Ints:
        """Return the number of edges of each row and column."""
        of_rows = np.bincount(self.row, minlength=nodes)
        return of_rows + np.bincount(self.column, minlength=nodes)

    def lowered(self, price: Ints) -> Core:
        """Lower the worth of edges by the prices of their ends; keep edges of positive worth."""
        worth = self.worth - price[self.row] - price[self.column]
        kept = worth > 0
        return Core(self.at[kept], self.row[kept], self.column[kept], worth[kept])


class _Alignment(NamedTuple):
    """The edges that are taken, and the rows and columns that they use."""

    taken: Bools
    used: Bools

    def take(self, edges: Ints, *ends: Ints) -> None:
        self.taken[edges] = True
        for end in ends:
            self.used[end] = True


class _Folds(NamedTuple):
    """The best leaf of each node that has leaves."""

    host: Ints
    leaf: Ints
    edge: Ints

    def undo(self, alignment: _Alignment) -> None:
        """Give each node its leaf if it has nothing better."""
        alone = ~alignment.used[self.host]
        alignment.take(self.edge[alone], self.host[alone], self.leaf[alone])


class _Joints(NamedTuple):
    """Chains of three edges, their worths, and the column, row, column and row that they connect.

    The first edge represents all three while they are joined.
    """

    edges: tuple[Ints, Ints, Ints]
    worths: tuple[Ints, Ints, Ints]
    before: Ints
    row: Ints
    column: Ints
    after: Ints

    def undo(self, alignment: _Alignment) -> None:
        """Take the middle edge, or the outer edges whose ends are free if they are worth more."""
        (one, two, three), (x, y, z) = self.edges, self.worths
        joined = alignment.taken[one]
        alignment.taken[one] = False
        first = joined | ~alignment.used[self.before]
        last = joined | ~alignment.used[self.after]
        outer = np.where(first, x, 0) + np.where(last, z, 0) > y
        alignment.take(two[~outer], self.row[~outer], self.column[~outer])
        first &= outer
        alignment.take(one[first], self.before[first], self.row[first])
        last &= outer
        alignment.take(three[last], self.column[last], self.after[last])


class Contraction:
    """Edges that are rewritten as long as this pays, and how to undo it."""

    def __init__(self, row: Ints, column: Ints, worth: Ints) -> None:
        """Rewrite edges of positive worth; rows and columns are numbered from 0."""
        rows = int(row.max()) + 1
        self._given = len(row)
        self._nodes = rows + int(column.max()) + 1
        self._rewritings: list[_Folds | _Joints] = []
        edges = Core(np.arange(len(row)), row, column + rows, worth)
        before = 2 * len(row) if len(row) >= _WORTH_CONTRACTING else 0
        while before - len(edges.at) > before // _WORTH_A_ROUND:
            before = len(edges.at)
            edges = self._join_chains(self._fold_leaves(edges))
        self.left = edges

    def undo(self, taken: Bools) -> Bools:
        """Mark the given edges of an alignment, from an alignment of the edges that are left.

        The alignment of all edges is as close to the best one as that of the edges left.
        """
        at, row, column, _ = self.left
        alignment = _Alignment(np.zeros(self._given, dtype=bool), np.zeros(self._nodes, dtype=bool))
        alignment.take(at[taken], row[taken], column[taken])
        for rewriting in reversed(self._rewritings):
            rewriting.undo(alignment)
        return alignment.taken

    def _fold_leaves(self, edges: Core) -> Core:
        degree = edges.degrees(self._nodes)
        column_is_leaf = degree[edges.column] == 1
        folded = np.flatnonzero(column_is_leaf | (degree[edges.row] == 1))
        if not len(folded):
            return edges
        column_is_leaf = column_is_leaf[folded]
        row, column, worth = edges.row[folded], edges.column[folded], edges.worth[folded]
        host = np.where(column_is_leaf, row, column)
        leaf = np.where(column_is_leaf, column, row)
        price = np.zeros(self._nodes, dtype=np.int64)
        np.maximum.at(price, host, worth)
        best = np.flatnonzero(worth == price[host])
        best = best[number_by_appearance(host[best])[1]]
        self._rewritings.append(_Folds(host[best], leaf[best], edges.at[folded[best]]))
        return edges.lowered(price)  # the edge of a leaf is now worth nothing

    def _join_chains(self, edges: Core) -> Core:
        first, middle, last = self._chains(edges)
        if not len(middle):
            return edges
        x, y, z = worths = edges.worth[first], edges.worth[middle], edges.worth[last]
        before, after = edges.column[first], edges.row[last]
        inner, at = (edges.row[middle], edges.column[middle]), edges.at
        self._rewritings.append(
            _Joints((at[first], at[middle], at[last]), worths, before, *inner, after)
        )
        price = np.zeros(self._nodes, dtype=np.int64)
        price[before] = np.maximum(0, x - y)
        price[after] = np.maximum(0, z - y)
        row, worth = edges.row.copy(), edges.worth.copy()
        row[first] = after
        worth[first] = x + z - y  # the prices of its ends are subtracted with all others
        worth[middle] = worth[last] = 0
        return Core(edges.at, row, edges.column, worth).lowered(price)

    def _chains(self, edges: Core) -> tuple[Ints, Ints, Ints]:
        """Choose chains that do not touch: their first, middle and last edges."""
        row, column = edges.row, edges.column
        in_chain = edges.degrees(self._nodes) == 2
        middle = np.flatnonzero(in_chain[row] & in_chain[column])
        position = np.arange(len(row))
        at_row, at_column = (
            np.bincount(line, weights=position, minlength=self._nodes) for line in (row, column)
        )
        first = at_row[row[middle]].astype(np.int64) - middle
        last = at_column[column[middle]].astype(np.int64) - middle
        nodes = np.stack([row[middle], column[middle], column[first], row[last]])
        times = pow(_SCATTER, 1 + len(self._rewritings), 2**64)  # a different order in each round
        claim = edges.at[middle].astype(np.uint64) * np.uint64(times)
        strongest = np.zeros(self._nodes, dtype=np.uint64)
        for node in nodes:
            np.maximum.at(strongest, node, claim)
        chosen = np.flatnonzero((strongest[nodes] == claim).all(axis=0))
        chain_of = np.full(self._nodes, -1)
        chain_of[nodes[:, chosen]] = np.arange(len(chosen))
        inside = chain_of[row[chain_of[row] == chain_of[column]]]
        # A fourth edge would be a second one between the ends of the new one.
        is_open = np.bincount(inside[inside >= 0], minlength=len(chosen)) == 3
        chosen = chosen[is_open]
        return first[chosen], middle[chosen], last[chosen]
