"""The exact best one-to-one alignment of rows and columns, given the weights of some cells.

An edge that weighs at least as much as the best other edge of its row and the best other
edge of its column together is in some best alignment: whatever an alignment gives the two
instead is worth no more. Taking such edges, dropping their rows and columns, and repeating
settles nearly everything on real data. (Being the best of both row and column is not
enough: of 10, 9 / 9, 0 the two nines are best.) What is left falls apart into components:
a star is decided by its heaviest edge, one with a small side by trying every subset of it,
one with few edges by shortest augmenting paths, and only a larger one needs SciPy, whose import
costs more than most scorings.

Weights are not negative. The value is exact; where several alignments share it, earlier
rows and columns are preferred.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from scoref.arrays import Bools, Floats, Ints, first_of_run
from scoref.augmenting import align_by_paths

_TINY_SIDE = 6
_FEW_EDGES = 500
_DENSE_CELLS = 4_000_000


def best_alignment(row: Ints, column: Ints, weight: Floats) -> Bools:
    """Mark the edges of an alignment of the greatest total weight."""
    chosen = np.zeros(len(weight), dtype=bool)
    left = np.flatnonzero(weight > 0)
    while len(left):
        taken = left[_dominating(row[left], column[left], weight[left])]
        if not len(taken):
            break
        chosen[taken] = True
        left = left[~(np.isin(row[left], row[taken]) | np.isin(column[left], column[taken]))]
    for edges in _components(left, row, column):
        chosen[edges[_solve(row[edges], column[edges], weight[edges])]] = True
    return chosen


def _dominating(row: Ints, column: Ints, weight: Floats) -> Bools:
    """Mark edges that outweigh the best others of their row and column together.

    Of several in one row or column, which weigh the same, the first is marked.
    """
    least = _best_other(row, weight) + _best_other(column, weight)
    marked = np.flatnonzero(weight >= least)
    _, first_in_row = np.unique(row[marked], return_index=True)
    _, first_in_column = np.unique(column[marked], return_index=True)
    dominating = np.zeros(len(weight), dtype=bool)
    dominating[marked[np.intersect1d(first_in_row, first_in_column, assume_unique=True)]] = True
    return dominating


def _best_other(line: Ints, weight: Floats) -> Floats:
    """Return for each edge what the heaviest other edge of its line weighs, 0 if it has none."""
    order = np.lexsort((-weight, line))
    first = first_of_run(line[order])
    sorted_weight = weight[order]
    has_next = np.append(~first[1:], False)
    following = np.where(has_next, np.append(sorted_weight[1:], 0.0), 0.0)
    heaviest = sorted_weight[first][np.cumsum(first) - 1]
    other = np.empty(len(line))
    other[order] = np.where(first, following, heaviest)
    return other


def _components(edges: Ints, row: Ints, column: Ints) -> Iterator[Ints]:
    """Yield the edges of each connected component, smallest row first."""
    if not len(edges):
        return
    rows, at_row = np.unique(row[edges], return_inverse=True)
    columns, at_column = np.unique(column[edges], return_inverse=True)
    label = np.arange(len(rows))
    while True:  # rows that meet in a column take the smallest label until none changes
        smallest = np.full(len(columns), len(rows))
        np.minimum.at(smallest, at_column, label[at_row])
        new = label.copy()
        np.minimum.at(new, at_row, smallest[at_column])
        new = new[new]
        if np.array_equal(new, label):
            break
        label = new
    of_edge = label[at_row]
    order = np.argsort(of_edge, kind="stable")
    starts = np.flatnonzero(first_of_run(of_edge[order]))
    for start, end in zip(starts, np.append(starts[1:], len(order)), strict=True):
        yield edges[order[start:end]]


def _solve(row: Ints, column: Ints, weight: Floats) -> Ints:
    """Return the positions of the best edges of one component."""
    rows, at_row = np.unique(row, return_inverse=True)
    columns, at_column = np.unique(column, return_inverse=True)
    if len(rows) == 1 or len(columns) == 1:
        return np.array([np.argmax(weight)])
    if len(columns) <= min(len(rows), _TINY_SIDE):
        return _try_subsets(at_row, at_column, weight)
    if len(rows) <= _TINY_SIDE:
        return _try_subsets(at_column, at_row, weight)
    if len(weight) <= _FEW_EDGES:
        return align_by_paths(at_row, at_column, weight)
    if len(rows) * len(columns) <= _DENSE_CELLS:
        return _solve_dense(at_row, at_column, weight)
    return _solve_sparse(at_row, at_column, weight)


def _try_subsets(long: Ints, short: Ints, weight: Floats) -> Ints:
    """Align a component whose short side has few members, by all subsets of these.

    Going along the long side, keep for each set of used short members the best total.
    """
    best: dict[int, tuple[float, tuple[int, ...]]] = {0: (0.0, ())}
    for member in range(int(long.max()) + 1):
        edges = [(int(at), 1 << int(short[at])) for at in np.flatnonzero(long == member)]
        grown = dict(best)
        for used, (total, taken) in best.items():
            for at, bit in edges:
                value = total + float(weight[at])
                if not used & bit and value > grown.get(used | bit, (-1.0,))[0]:
                    grown[used | bit] = (value, (*taken, at))
        best = grown
    _, taken = max(best.values(), key=lambda found: found[0])
    return np.array(taken, dtype=np.int64)


def _solve_dense(row: Ints, column: Ints, weight: Floats) -> Ints:
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415  # half a second to import

    edge = np.full((int(row.max()) + 1, int(column.max()) + 1), -1, dtype=np.int64)
    edge[row, column] = np.arange(len(weight))
    gains = np.zeros(edge.shape)
    gains[row, column] = weight
    taken = edge[linear_sum_assignment(gains, maximize=True)]
    return taken[taken >= 0]


def _solve_sparse(row: Ints, column: Ints, weight: Floats) -> Ints:
    """Align a large component without a matrix of all pairs.

    SciPy's sparse solver wants every row matched, so each row gets a column of its own
    that stands for "nothing"; and it drops explicit zeros, so costs are kept above zero.
    """
    from scipy.sparse import csr_array  # noqa: PLC0415  # half a second to import
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching  # noqa: PLC0415

    rows, columns = int(row.max()) + 1, int(column.max()) + 1
    nothing = float(weight.max()) + 1.0
    costs = np.concatenate([nothing - weight, np.full(rows, nothing)])
    at_row = np.concatenate([row, np.arange(rows)])
    at_column = np.concatenate([column, columns + np.arange(rows)])
    graph = csr_array((costs, (at_row, at_column)), shape=(rows, columns + rows))
    matched_row, matched_column = min_weight_full_bipartite_matching(graph)
    partner = np.full(rows, -1)
    partner[matched_row] = matched_column
    return np.flatnonzero(partner[row] == column)
