"""Folding leaves and joining chains keeps the best alignment."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoref.base.arrays import Bools, Floats, Ints
from scoref.metrics.assignment import contraction
from scoref.metrics.assignment.augmenting_paths import place
from scoref.metrics.assignment.contraction import Contraction
from scoref.metrics.assignment.solver import best_alignment
from tests.metrics.assignment.test_solver import check_one_to_one, dense, tangles

Problem = tuple[Ints, Ints, Ints]


@pytest.fixture(scope="module", autouse=True)
def of_any_size() -> Iterator[None]:
    """Contract small problems as well."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(contraction, "_WORTH_CONTRACTING", 1)
        yield


def bipartite(one: Ints, other: Ints, side: Ints, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Turn edges between nodes of two sides into rows and columns, shuffled."""
    rows, columns = (rng.permutation(len(side)) for _ in range(2))
    row = np.where(side[one] == 0, one, other)
    column = np.where(side[one] == 0, other, one)
    pairs = rng.permutation(np.unique(np.stack([row, column], axis=1), axis=0))
    return rows[pairs[:, 0]], columns[pairs[:, 1]]


def tree(nodes: int, reach: int, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Return of each node its parent, at most so many before it, and its side."""
    this = np.arange(nodes)
    parent = np.maximum(0, this - rng.integers(1, reach + 1, nodes))
    side = np.zeros(nodes, dtype=np.int64)
    for node in range(1, nodes):
        side[node] = 1 - side[parent[node]]
    return parent, side


@st.composite
def sparse_problems(draw: st.DrawFn) -> Problem:
    """Draw trees, chains, stars and cycles, some tangled, with few or many equal worths."""
    rng = np.random.default_rng(draw(st.integers(0, 10**9)))
    nodes = draw(st.integers(2, 60))
    parent, side = tree(nodes, draw(st.sampled_from([1, 2, 4, nodes])), rng)
    one, other = rng.integers(0, nodes, (2, draw(st.sampled_from([0, 1, 2, 5, 20]))))
    across = side[one] != side[other]
    one, other = np.append(np.arange(1, nodes), one[across]), np.append(parent[1:], other[across])
    row, column = bipartite(one, other, side, rng)
    most = draw(st.sampled_from([1, 2, 3, 1000, 2**60]))
    return row, column, rng.integers(1, most + 1, len(row))


def align(row: Ints, column: Ints, worth: Ints) -> Bools:
    """Find the best alignment with the solver alone."""
    taken = np.zeros(len(row), dtype=bool)
    if len(row):
        order = np.argsort(row, kind="stable")
        at_row, at_column = (
            np.unique(line[order], return_inverse=True)[1] for line in (row, column)
        )
        taken[order] = place(at_row, at_column, worth[order])
    return taken


def total(worth: Ints, taken: Bools) -> int:
    """Add without an end to the digits."""
    return sum(worth[taken].tolist())


@given(sparse_problems())
def test_the_best_of_what_is_left_is_the_best_of_all(problem: Problem) -> None:
    """To the last of sixty binary digits."""
    row, column, worth = problem
    contracted = Contraction(row, column, worth)
    left = contracted.left
    assert len(np.unique(np.stack([left.row, left.column]), axis=1).T) == len(left.at)
    assert (left.worth > 0).all()
    taken = contracted.undo(align(left.row, left.column, left.worth))
    check_one_to_one(row, column, taken)
    assert total(worth, taken) == total(worth, align(*problem))


@given(sparse_problems(), st.randoms(use_true_random=False))
def test_what_is_left_may_be_aligned_badly(problem: Problem, random: Random) -> None:
    """All of it falls no further short."""
    row, column, worth = problem
    contracted = Contraction(row, column, worth)
    left = contracted.left
    bad = np.zeros(len(left.at), dtype=bool)
    for edge in range(len(bad)):
        lines = (left.row[edge] == left.row[bad]) | (left.column[edge] == left.column[bad])
        bad[edge] = not lines.any() and random.random() < 0.5
    lost = total(left.worth, align(left.row, left.column, left.worth)) - total(left.worth, bad)
    taken = contracted.undo(bad)
    check_one_to_one(row, column, taken)
    assert total(worth, taken) >= total(worth, align(*problem)) - lost


@given(tangles())
def test_alignments_are_best(problem: tuple[Ints, Ints, Floats]) -> None:
    """With all that comes before and after."""
    row, column, weight = problem
    chosen = best_alignment(row, column, weight)
    check_one_to_one(row, column, chosen)
    assert weight[chosen].sum() == pytest.approx(dense(row, column, weight), rel=1e-12)


WORTHS = ("equal", "nearly equal", "rising", "any")


def draw_worths(kind: str, many: int, rng: np.random.Generator) -> Ints:
    """Draw the worths of edges along a chain or a tree."""
    if kind == "rising":
        return np.arange(1, many + 1)
    low, high = {"equal": (1, 2), "nearly equal": (1000, 1010), "any": (1, 2**60)}[kind]
    return rng.integers(low, high, many)


@pytest.mark.parametrize("kind", WORTHS)
@pytest.mark.parametrize("reach", [1, 2, 5, 30_000])
def test_trees_of_any_depth(kind: str, reach: int) -> None:
    """A tree is settled without a solver, and as well as by going from its leaves to its root."""
    rng = np.random.default_rng(1)
    nodes = 30_000
    parent, side = tree(nodes, reach, rng)
    worth = draw_worths(kind, nodes, rng)  # of the edge to each node's parent
    alone, best = [0] * nodes, [0] * nodes  # of what is below, without a node and with it
    for node in range(nodes - 1, 0, -1):
        up = int(parent[node])
        gain = int(worth[node]) + alone[node] - best[node]
        best[up] = max(best[up] + best[node], alone[up] + best[node] + gain)
        alone[up] += best[node]
    names = rng.permutation(nodes)
    child = rng.permutation(np.arange(1, nodes))
    even = side[child] == 0
    row = names[np.where(even, child, parent[child])]
    column = names[np.where(even, parent[child], child)]
    contracted = Contraction(row, column, worth[child])
    assert not len(contracted.left.at)
    taken = contracted.undo(np.zeros(0, dtype=bool))
    check_one_to_one(row, column, taken)
    assert total(worth[child], taken) == best[0]


@pytest.mark.parametrize("kind", WORTHS)
def test_long_cycles(kind: str) -> None:
    """A cycle shrinks to four edges; it is a chain without an edge, or one with it."""
    rng = np.random.default_rng(2)
    many = 30_000
    worth = draw_worths(kind, many, rng)
    best = max(_chain(worth[1:].tolist()), int(worth[0]) + _chain(worth[2:-1].tolist()))
    order = rng.permutation(many)
    rows, columns = rng.permutation(many // 2), rng.permutation(many // 2)
    row, column = rows[order // 2], columns[(order + 1) // 2 % (many // 2)]
    contracted = Contraction(row, column, worth[order])
    left = contracted.left
    assert len(left.at) <= 4
    taken = contracted.undo(align(left.row, left.column, left.worth))
    check_one_to_one(row, column, taken)
    assert total(worth[order], taken) == best


def _chain(worth: list[int]) -> int:
    """Return the best total of edges in a row of which no two touch."""
    before, best = 0, 0
    for this in worth:
        before, best = best, max(best, before + this)
    return best


def test_what_hangs_from_a_core_is_settled() -> None:
    """A dense core with long chains between its nodes keeps little of them."""
    rng = np.random.default_rng(3)
    corners, length = 40, 101  # an odd number of edges joins a row and a column
    start, end = np.divmod(np.flatnonzero(rng.random(corners**2) < 0.2), corners)
    inner = 2 * corners + np.arange(len(start) * (length - 1)).reshape(len(start), -1)
    path = np.column_stack([start, inner, end + corners])
    side = np.zeros(2 * corners + inner.size, dtype=np.int64)
    side[path] = np.arange(length + 1) % 2
    row, column = bipartite(path[:, :-1].ravel(), path[:, 1:].ravel(), side, rng)
    worth = rng.integers(1000, 1010, len(row))
    contracted = Contraction(row, column, worth)
    left = contracted.left
    assert 0 < len(left.at) <= 3 * len(start)
    taken = contracted.undo(align(left.row, left.column, left.worth))
    check_one_to_one(row, column, taken)
    assert total(worth, taken) == total(worth, align(row, column, worth))
