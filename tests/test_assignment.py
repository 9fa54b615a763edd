"""The best one-to-one alignment is the best, however it is found."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from scoref import assignment
from scoref.arrays import Bools, Floats, Ints
from scoref.assignment import best_alignment
from scoref.augmenting import align_by_paths

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
    """Hundreds of rows that dominate nothing: components, then SciPy's dense solver."""
    row, column, weight = random_problem(seed, 300, 1500)
    chosen = best_alignment(row, column, weight)
    check_one_to_one(row, column, chosen)
    assert weight[chosen].sum() == pytest.approx(dense(row, column, weight), abs=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_equals_scipy_without_a_matrix(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is too large for a matrix of all pairs goes to the sparse solver."""
    monkeypatch.setattr(assignment, "_DENSE_CELLS", 0)
    row, column, weight = random_problem(seed, 120, 700)
    chosen = best_alignment(row, column, weight)
    check_one_to_one(row, column, chosen)
    assert weight[chosen].sum() == pytest.approx(dense(row, column, weight), abs=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_equals_scipy_by_augmenting_paths(seed: int) -> None:
    """Components of few edges need no SciPy; weights tie often here."""
    row, column, weight = random_problem(seed, 6 + seed, 5 * (6 + seed))
    weight = np.round(weight * (1 + seed % 5), 1)
    taken = align_by_paths(row, column, weight)
    chosen = np.zeros(len(row), dtype=bool)
    chosen[taken] = True
    check_one_to_one(row, column, chosen)
    assert weight[chosen].sum() == pytest.approx(dense(row, column, weight), abs=1e-9)


@given(cells)
def test_paths_equal_brute_force(found: Cells) -> None:
    """Whatever the weights; an edge that weighs nothing may be taken or not."""
    row, column, weight = edges(found or {(0, 0): 1.0})
    taken = align_by_paths(row, column, weight)
    assert len(set(row[taken])) == len(taken) == len(set(column[taken]))
    assert weight[taken].sum() == pytest.approx(dense(row, column, weight), abs=1e-9)


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
