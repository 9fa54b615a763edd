"""Exact sums: rounded once, and the same in any order."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoref.base.exact_sums import condense, exact_sum_by


@given(st.lists(st.integers(0, 3) | st.just(9), min_size=1), st.randoms(use_true_random=False))
def test_an_exact_sum_is_rounded_once(labels: list[int], random: Random) -> None:
    """It is that of `math.fsum` where no value is below a hundredth of the largest."""
    values = [random.choice([1 / 3, 2 / 7, 0.1, 5.0, 1 + random.random()]) for _ in labels]
    sums = exact_sum_by(np.array(labels), np.array(values), 10)
    for label in range(10):
        expected = math.fsum(v for v, at in zip(values, labels, strict=True) if at == label)
        assert sums[label] == expected


@given(st.lists(st.floats(0, 1e6), min_size=1), st.randoms(use_true_random=False))
def test_an_exact_sum_has_no_order(values: list[float], random: Random) -> None:
    """Whatever the values: the same bits in any order, and no more than rounding away."""
    label = np.zeros(len(values), dtype=np.int64)
    (total,) = exact_sum_by(label, np.array(values), 1)
    (mixed,) = exact_sum_by(label, np.array(random.sample(values, len(values))), 1)
    assert total == mixed == pytest.approx(math.fsum(values), rel=1e-15)


@given(st.lists(st.floats(-1e9, 1e9), max_size=30))
def test_condensing_keeps_the_exact_sum(values: list[float]) -> None:
    """Exactly, as fractions show."""
    parts = condense(values)
    assert sum(map(Fraction, parts)) == sum(map(Fraction, values))
    assert parts == sorted(parts, key=abs, reverse=True)
