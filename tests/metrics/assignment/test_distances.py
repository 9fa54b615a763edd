"""Moving all prices at once: they stay right, and whoever waits can walk."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoref.base.arrays import Floats, Ints
from scoref.metrics.assignment import augmenting_paths as augmenting
from scoref.metrics.assignment.augmenting_paths import place
from scoref.metrics.assignment.distances import PathLengths
from scoref.metrics.table import NOWHERE
from tests.metrics.assignment.test_solver import check_one_to_one, dense, random_problem, tangles

Problem = tuple[Ints, Ints, Floats]


@pytest.fixture(scope="module", autouse=True)
def soon() -> Iterator[None]:
    """Let no row search for itself."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(augmenting, "_LONG_SEARCH", -(10**9))
        yield


def whole(problem: Problem) -> tuple[Ints, Ints, Ints]:
    """Group edges by row, number rows and columns, and make weights whole numbers."""
    row, column, weight = problem
    order = np.argsort(row, kind="stable")
    _, at_row = np.unique(row[order], return_inverse=True)
    _, at_column = np.unique(column[order], return_inverse=True)
    return at_row, at_column, 1 + np.rint(1000 * weight[order] / weight.max()).astype(np.int64)


@given(tangles())
def test_placing_proves_itself(problem: Problem) -> None:
    """By moving prices and walking alone, prices add up to the worth of the alignment."""
    row, column, worth = whole(problem)
    taken = place(row, column, worth)
    check_one_to_one(row, column, taken)
    assert worth[taken].sum() == round(dense(row, column, worth.astype(np.float64)))


@pytest.mark.parametrize("most", [1, 3, 1000])
@pytest.mark.parametrize("seed", range(3))
def test_paths_of_many_steps(seed: int, most: int) -> None:
    """Hundreds of rows, of which the last find their place far away."""
    row, column, weight = random_problem(seed, 300, 1500)
    row, column, _ = whole((row, column, weight))
    worth = np.random.default_rng(seed).integers(1, most + 1, len(row))
    taken = place(row, column, worth)
    check_one_to_one(row, column, taken)
    assert worth[taken].sum() == round(dense(row, column, worth.astype(np.float64)))


@given(tangles(), st.integers(0, 10**9))
def test_distances_are_those_of_the_definition(problem: Problem, seed: int) -> None:
    """Whoever has a place, relaxing every edge as often as there are rows finds the same."""
    row, column, worth = whole(problem)
    rng = np.random.default_rng(seed)
    price = rng.integers(0, 500, column.max() + 1)
    owner = np.full(len(price), NOWHERE)
    partner = np.full(row.max() + 1, NOWHERE)
    row_price = np.zeros(len(partner), dtype=np.int64)
    np.maximum.at(row_price, row, worth - price[column])
    for edge in np.flatnonzero(row_price[row] + price[column] == worth).tolist():
        if partner[row[edge]] == owner[column[edge]] == NOWHERE:
            partner[row[edge]], owner[column[edge]] = column[edge], row[edge]
    row_price[partner == NOWHERE] += rng.integers(0, 100)  # who waits may not know it yet
    far = PathLengths(row, column, worth).distances(row_price, price, partner, owner)
    expected = row_price.copy()
    to_go = np.where(owner == NOWHERE, 0, expected[owner])
    for _ in range(len(partner)):
        np.minimum.at(expected, row, row_price[row] + price[column] - worth + to_go[column])
        to_go = np.where(owner == NOWHERE, 0, expected[owner])
    assert far.tolist() == expected.tolist()
