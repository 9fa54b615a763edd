"""Statements about several differences at once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np
import pytest

from scoref.base.arrays import Floats
from scoref.resampling.sampling_options import Sampling
from scoref.resampling.significance import JointDeviations, holm

NORMAL = NormalDist()


def joint(
    deviations: Sequence[Sequence[float] | Floats] | Floats, trials: int = 20_000
) -> JointDeviations:
    """Draw deviations together."""
    rows = np.asarray(deviations, dtype=np.float64)
    systems = np.concatenate([rows, np.zeros((1, rows.shape[1]))])  # all minus a constant
    pairs = [(at, len(rows)) for at in range(len(rows))]
    return JointDeviations(systems, pairs, Sampling(trials=trials), np.zeros(len(systems)))


class TestIndividualLevel:
    """The level of single intervals that hold together."""

    def test_one_difference(self) -> None:
        """Needs no correction."""
        assert joint([[1.0, -2.0, 1.0]]).individual_level(0.05) == 0.05
        assert joint([[1.0, -2.0, 1.0], [0.0, 0.0, 0.0]]).individual_level(0.05) == 0.05

    def test_independent_differences(self) -> None:
        """Sidak's level."""
        found = joint(np.eye(5)).individual_level(0.05)
        assert found == pytest.approx(1 - 0.95 ** (1 / 5), rel=0.08)

    def test_equal_differences(self) -> None:
        """Are one."""
        row = np.random.default_rng(0).normal(size=12)
        assert joint([row, row, -row]).individual_level(0.05) == pytest.approx(0.05, rel=0.1)

    def test_correlated_differences(self) -> None:
        """Between the two: all pairs of three systems."""
        systems = np.random.default_rng(1).normal(size=(3, 40))
        pairs = [systems[0] - systems[1], systems[0] - systems[2], systems[1] - systems[2]]
        found = joint(np.array(pairs)).individual_level(0.05)
        assert 1 - 0.95 ** (1 / 3) < found < 0.05
        # Tukey's range for three equal normal systems: 3.3145 / sqrt(2)
        assert found == pytest.approx(2 * NORMAL.cdf(-3.3145 / math.sqrt(2)), rel=0.1)


class TestStepDown:
    """P-values corrected with what is known about their correlation."""

    def test_independent(self) -> None:
        """Step-down Sidak, a little below Holm."""
        p_values = [0.01, 0.04, 0.03, 0.005]
        found = joint(np.eye(4)).step_down(p_values)
        sidak = [1 - (1 - p) ** left for p, left in zip(p_values, (3, 1, 2, 4), strict=True)]
        sidak[1] = max(sidak[1], sidak[2])
        assert found == pytest.approx(sidak, abs=0.006)
        assert all(one <= other + 0.004 for one, other in zip(found, holm(p_values), strict=True))

    def test_equal(self) -> None:
        """No correction at all."""
        row = np.random.default_rng(2).normal(size=9)
        assert joint([row, row]).step_down([0.02, 0.03]) == pytest.approx([0.02, 0.03], abs=0.004)

    def test_never_below_the_p_value(self) -> None:
        """Nor in another order, nor above 1; undefined ones stay so."""
        found = joint(np.eye(3), trials=500).step_down([1e-12, math.nan, 1.0])
        assert found[0] >= 1 / 501
        assert math.isnan(found[1])
        assert found[2] == 1.0

    def test_the_order_does_not_matter(self) -> None:
        """Of the differences, up to the randomness of draws; a comparison sorts its systems."""
        rows = np.random.default_rng(3).normal(size=(4, 20))
        p_values = [0.03, 0.2, 0.001, 0.04]
        order = [2, 0, 3, 1]
        found = joint(rows).step_down(p_values)
        other = joint(rows[order]).step_down([p_values[at] for at in order])
        assert other == pytest.approx([found[at] for at in order], abs=0.02)

    def test_family_wise_error(self) -> None:
        """In about 5 of 100 corpora, some of ten equal systems beats another."""
        rng = np.random.default_rng(4)
        errors = runs = 300
        for run in range(runs):
            systems = rng.normal(size=(5, 60))
            places = [(a, b) for a in range(5) for b in range(a)]
            rows = np.array([systems[a] - systems[b] for a, b in places])
            z = np.abs(rows.mean(axis=1) / rows.std(axis=1, ddof=1)) * math.sqrt(60)
            p_values = [2 * NORMAL.cdf(-value) for value in z.tolist()]
            centred = systems - systems.mean(axis=1, keepdims=True)
            draws = Sampling(trials=500, seed=run)
            adjusted = JointDeviations(centred, places, draws, np.zeros(5)).step_down(p_values)
            errors -= min(adjusted) >= 0.05
        assert 0.02 <= errors / runs <= 0.09
