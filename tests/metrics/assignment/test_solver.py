"""The best one-to-one alignment is the best, however it is found."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

from scoref.base.arrays import Bools, Floats, Ints
from scoref.metrics.assignment import solver as assignment
from scoref.metrics.assignment.augmenting_paths import place
from scoref.metrics.assignment.solver import best_alignment, best_total
from tests.sampled import sampled

Cells = dict[tuple[int, int], float]

cells = st.dictionaries(
    st.tuples(st.integers(0, 4), st.integers(0, 4)),
    st.sampled_from([0.0, 0.25, 0.5, 1.0, 1.0, 2.0, 3.0]) | st.floats(0, 10),
    max_size=25,
)


def edges(found: Cells) -> tuple[Ints, Ints, Floats]:
    """Turn cells into arrays."""
    pairs = np.array(sorted(found), dtype=np.int64).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1], np.array([found[r, c] for r, c in pairs.tolist()])


def check_one_to_one(row: Ints, column: Ints, chosen: Bools) -> None:
    """No row and no column is used twice."""
    assert len(set(row[chosen])) == len(row[chosen])
    assert len(set(column[chosen])) == len(column[chosen])


@given(cells)
def test_equals_brute_force(found: Cells) -> None:
    """All ways to align five rows with five columns."""
    row, column, weight = edges(found)
    chosen = best_alignment(row, column, weight)
    check_one_to_one(row, column, chosen)
    best = max(
        sum(found.get((r, c), 0.0) for r, c in enumerate(order)) for order in permutations(range(5))
    )
    assert weight[chosen].sum() == pytest.approx(best, abs=1e-9)


def dense(row: Ints, column: Ints, weight: Floats) -> float:
    """Solve the whole problem with SciPy."""
    matrix = np.zeros((row.max() + 1, column.max() + 1))
    matrix[row, column] = weight
    return float(matrix[linear_sum_assignment(matrix, maximize=True)].sum())


def random_problem(seed: int, size: int, cells: int) -> tuple[Ints, Ints, Floats]:
    """Make a tangled problem that no edge of dominates."""
    rng = np.random.default_rng(seed)
    pairs = np.unique(rng.integers(0, size, (cells, 2)), axis=0)
    return pairs[:, 0], pairs[:, 1], rng.uniform(0.9, 1.1, len(pairs))


@pytest.mark.parametrize("seed", range(5))
def test_equals_scipy_on_large_problems(seed: int) -> None:
    """Hundreds of rows that dominate nothing."""
    row, column, weight = random_problem(seed, 300, 1500)
    chosen = best_alignment(row, column, weight)
    check_one_to_one(row, column, chosen)
    assert weight[chosen].sum() == pytest.approx(dense(row, column, weight), abs=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_a_block_may_go_to_scipy(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is nearly a whole matrix and large is left to its dense solver; the rest is not."""
    monkeypatch.setattr(assignment, "_BLOCK_EDGES", 300)
    monkeypatch.setattr(assignment, "_BLOCK_DENSITY", 0.05)
    row, column, weight = random_problem(seed, 60, 700)
    small_row, small_column, small_weight = random_problem(seed, 12, 60)
    row, column = np.append(row, small_row + 60), np.append(column, small_column + 60)
    weight = np.append(weight, small_weight)
    chosen = best_alignment(row, column, weight)
    check_one_to_one(row, column, chosen)
    assert weight[chosen].sum() == pytest.approx(dense(row, column, weight), abs=1e-9)


@pytest.mark.parametrize("weights", sampled([[], [1.0], [1.0, 2.0], [2 / 3, 0.4, 2 / 7]], every=2))
def test_many_ties(weights: list[float]) -> None:
    """Thousands of entities that share one mention with some of the others, as by chance.

    No weights are given for those of CEAFe. SciPy's sparse solver aligns every row, so each
    gets a column of its own that is worth nothing, and all are worth one more.
    """
    rng = np.random.default_rng(6)
    row, column = np.divmod(np.unique(rng.integers(0, 4000**2, 20_000)), 4000)
    sizes = np.bincount(row)[row] + np.bincount(column)[column]
    weight = rng.choice(weights, len(row)) if weights else 2 / sizes
    chosen = best_alignment(row, column, weight)
    check_one_to_one(row, column, chosen)
    own = np.arange(4000)
    ends = (np.append(one, two).astype(np.int32) for one, two in ((row, own), (column, 4000 + own)))
    matrix = csr_array((np.append(weight, np.zeros(4000)) + 1, tuple(ends)), shape=(4000, 8000))
    best = matrix[min_weight_full_bipartite_matching(matrix, maximize=True)].sum() - 4000
    assert weight[chosen].sum() == pytest.approx(best, rel=1e-12)


def test_every_cell_alike() -> None:
    """Where each of 250 entities shares a mention with each of 200, all of the fewer align."""
    row, column = np.divmod(np.arange(250 * 200), 200)
    (total,) = best_total(row, column, np.ones(len(row)), np.zeros_like(row), 1)
    assert total == 200


@st.composite
def tangles(draw: st.DrawFn) -> tuple[Ints, Ints, Floats]:
    """Draw a larger problem: sparse or dense, long or wide, with few or many equal weights."""
    rng = np.random.default_rng(draw(st.integers(0, 10**9)))
    rows, columns = draw(st.integers(1, 40)), draw(st.integers(1, 40))
    number = draw(st.integers(1, 4 * (rows + columns)) | st.integers(1, rows * columns))
    pairs = np.unique(rng.integers(0, [rows, columns], (number, 2)), axis=0)
    many = len(pairs)
    weights: dict[str, Callable[[], Floats]] = {
        "mentions": lambda: rng.integers(1, 4, many).astype(np.float64),
        "dice": lambda: rng.integers(1, 6, many) / rng.integers(6, 12, many),
        "equal": lambda: np.ones(many),
        "any": lambda: rng.random(many),
        "far apart": lambda: np.ldexp(rng.random(many), rng.integers(-40, 40, many)),
    }
    weight = weights[draw(st.sampled_from(sorted(weights)))]()
    order = rng.permutation(many) if draw(st.booleans()) else np.arange(many)
    return pairs[order, 0], pairs[order, 1], weight[order]


@given(tangles())
def test_equals_scipy(problem: tuple[Ints, Ints, Floats]) -> None:
    """Whatever the shape, the weights and the order of edges."""
    row, column, weight = problem
    chosen = best_alignment(row, column, weight)
    check_one_to_one(row, column, chosen)
    assert weight[chosen].sum() == pytest.approx(dense(row, column, weight), rel=1e-12)


@given(tangles())
def test_placing_is_best(problem: tuple[Ints, Ints, Floats]) -> None:
    """Whatever the problem, nothing is worth more than what is placed."""
    row, column, weight = problem
    order = np.argsort(row, kind="stable")
    _, at_row = np.unique(row[order], return_inverse=True)
    _, at_column = np.unique(column[order], return_inverse=True)
    worth = 1 + np.rint(1000 * weight[order] / weight.max()).astype(np.int64)
    taken = place(at_row, at_column, worth)
    best = dense(at_row, at_column, worth.astype(np.float64))
    assert worth[taken].sum() == round(best)


@given(tangles(), tangles(), st.randoms(use_true_random=False))
def test_totals_do_not_depend_on_division_or_order(
    one: tuple[Ints, Ints, Floats], other: tuple[Ints, Ints, Floats], random: Random
) -> None:
    """Two documents alone or together, with rows and columns in any order: the same bits."""
    alone = [
        best_total(row, column, weight, np.zeros_like(row), 1)[0]
        for row, column, weight in (one, other)
    ]
    names, other_names = (random.sample(range(200), 200) for _ in range(2))
    row = np.array(names)[np.concatenate([one[0], other[0] + 50])]
    column = np.array(other_names)[np.concatenate([one[1], other[1] + 50])]
    label = np.repeat([0, 1], [len(one[0]), len(other[0])])
    together = best_total(row, column, np.concatenate([one[2], other[2]]), label, 2)
    assert together.tolist() == alone


def test_being_best_on_both_sides_is_not_enough() -> None:
    """Of 10, 9 / 9, 0 the nines are worth more than the ten."""
    row, column = np.array([0, 0, 1]), np.array([0, 1, 0])
    chosen = best_alignment(row, column, np.array([10.0, 9.0, 9.0]))
    assert chosen.tolist() == [False, True, True]


def test_nothing_to_align() -> None:
    """No cells, no alignment."""
    nothing = np.zeros(0, dtype=np.int64)
    assert best_alignment(nothing, nothing, np.zeros(0)).tolist() == []


def test_a_long_chain_is_one_component() -> None:
    """Components are found however far apart their ends are."""
    number = 2000
    row = np.repeat(np.arange(number), 2)
    column = (row + np.tile([0, 1], number)) % (number + 1)
    weight = np.random.default_rng(7).uniform(1.0, 1.01, len(row))
    chosen = best_alignment(row, column, weight)
    check_one_to_one(row, column, chosen)
    assert np.count_nonzero(chosen) == number


@pytest.mark.parametrize("mixed", [False, True])
def test_long_chains_of_any_order(mixed: bool) -> None:  # noqa: FBT001
    """A chain that no edge dominates is settled from end to end."""
    number = 3000
    rng = np.random.default_rng(3)
    row = np.repeat(np.arange(number), 2)
    column = row + np.tile([0, 1], number)
    weight = rng.uniform(1.0, 1.01, len(row))
    if mixed:
        row, column = rng.permutation(number)[row], rng.permutation(number + 1)[column]
    chosen = best_alignment(row, column, weight)
    check_one_to_one(row, column, chosen)
    assert weight[chosen].sum() == pytest.approx(dense(row, column, weight), abs=1e-9)


def test_a_star_of_any_size() -> None:
    """One entity against a hundred thousand takes the best."""
    row = np.arange(100_000)
    weight = np.ones(len(row))
    weight[777] = 2.0
    for chosen in (
        best_alignment(row, np.zeros_like(row), weight),
        best_alignment(np.zeros_like(row), row, weight),
    ):
        assert np.flatnonzero(chosen).tolist() == [777]


@pytest.mark.parametrize("side", [2, 7, 40, pytest.param(200, marks=pytest.mark.long)])
def test_a_grid_of_equal_weights(side: int) -> None:
    """Where all ties, as many as possible are aligned: every second field with a neighbour."""
    at, other = np.divmod(np.arange(side * side), side)
    black = np.flatnonzero((at + other) % 2 == 0)
    steps = {
        1: other[black] < side - 1,
        -1: other[black] > 0,
        side: at[black] < side - 1,
        -side: at[black] > 0,
    }
    row = np.concatenate([black[there] for there in steps.values()])
    column = np.concatenate([black[there] + step for step, there in steps.items()])
    chosen = best_alignment(row, column, np.ones(len(row)))
    check_one_to_one(row, column, chosen)
    assert np.count_nonzero(chosen) == side * side // 2
