"""The jackknife: exact cases, known formulas, and coverage."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from scoref.base.arrays import Floats
from scoref.counts.counts import Statistic
from scoref.metrics.base import only_f1
from scoref.resampling.jackknife import Spread, deviations, freedom_of, leave_one_out
from scoref.resampling.resampled_scores import Resampled
from scoref.resampling.sampling_options import Sampling
from scoref.resampling.units import Units


def mean(sums: Floats) -> Floats:
    """Score sums of values and of ones."""
    values: Floats = sums[..., 0] / sums[..., 1]
    return values


def as_rows(values: Floats) -> Floats:
    """Make rows whose score is the mean of the values."""
    return np.stack([values, np.ones_like(values)], axis=-1)


def resample(runs: list[Floats], strata: dict[str, str] | None = None) -> Resampled:
    """Resample the means of one system per list of runs of shape (runs, units)."""
    units = Units.of([f"d{at:03d}" for at in range(runs[0].shape[1])], strata=strata)
    systems = [
        [Statistic(as_rows(run), lambda sums: only_f1(mean(sums))) for run in system]
        for system in runs
    ]
    shares = np.full((sum(map(len, runs)), len(units)), 1 / len(units))
    return Resampled(systems, shares, units, Sampling(), lowest=-1.0)


class TestOfAMean:
    """For a mean, everything is known."""

    def test_standard_error(self) -> None:
        """That of a mean."""
        values = np.random.default_rng(0).normal(size=30)
        spread = resample([values[None]]).spread(0)
        assert spread.value == pytest.approx(values.mean())
        assert spread.error == pytest.approx(values.std(ddof=1) / math.sqrt(30))

    def test_interval(self) -> None:
        """That of Student's t, if the values are not heavy-tailed."""
        values = np.tile([0.0, 1.0], 15)  # the smallest kurtosis
        spread = resample([values[None]]).spread(0)
        assert spread.freedom == pytest.approx(29)
        expected = stats.t.interval(0.95, 29, values.mean(), stats.sem(values))
        assert spread.interval(0.05) == pytest.approx(expected)
        assert spread.p_above(0.4) == pytest.approx(
            stats.ttest_1samp(values, 0.4, alternative="greater").pvalue
        )

    def test_strata(self) -> None:
        """The variance of a stratified mean: 16 strata of 2 (Rao & Wu; JKn)."""
        rng = np.random.default_rng(1)
        values = rng.normal(size=32) + np.repeat(np.arange(16) * 3.0, 2)
        strata = {f"d{at:03d}": f"s{at // 2:02d}" for at in range(32)}
        spread = resample([values[None]], strata).spread(0)
        within = (values[::2] - values[1::2]) ** 2 / 2
        assert spread.error**2 == pytest.approx(within.sum() * 2 / 32**2)
        assert spread.freedom <= 16

    def test_one_heavy_unit_costs_degrees_of_freedom(self) -> None:
        """The variance comes from one unit then."""
        units = Units.of([f"{at:02d}" for at in range(50)])
        deviation = np.full(50, 0.01)
        assert freedom_of(deviation * np.tile([1, -1], 25), 50.0, units) == 49
        deviation[0] = 1.0
        assert freedom_of(deviation, 50.0, units) == pytest.approx(2.06, abs=0.1)
        assert freedom_of(np.zeros(50), 20.0, units) == 19
        assert freedom_of(deviation, 1.0, units) == 1

    def test_leave_one_out_within_strata(self) -> None:
        """The rest of a stratum takes over the weight of the unit that is left out."""
        units = Units.of(["a1", "a2", "b1", "b2"], strata="^.")
        rows = as_rows(np.array([1.0, 3.0, 10.0, 20.0]))
        expected = [(2 * 3 + 30) / 4, (2 * 1 + 30) / 4, (4 + 2 * 20) / 4, (4 + 2 * 10) / 4]
        assert leave_one_out(rows, mean, units) == pytest.approx(expected)
        assert deviations(np.array(expected), units) == pytest.approx(
            np.array([-0.5, 0.5, -2.5, 2.5]) / math.sqrt(2)
        )


class TestBoundedIntervals:
    """Scores from 0 to 1 have their intervals there."""

    @pytest.mark.parametrize("value", [0.001, 0.2, 0.5, 0.97, 0.9999])
    def test_ends(self, value: float) -> None:
        """However large the error is; the value is inside."""
        low, high = Spread(value, 0.3, 2.0).bounded_interval(0.05)
        assert 0 <= low < value < high <= 1

    def test_small_errors(self) -> None:
        """Change nothing to speak of."""
        spread = Spread(0.7, 0.001, 50.0)
        assert spread.bounded_interval(0.05) == pytest.approx(spread.interval(0.05), abs=1e-5)

    def test_undefined(self) -> None:
        """Stays undefined."""
        spread = Spread(math.nan, math.nan, math.nan)
        assert all(map(math.isnan, spread.bounded_interval(0.05)))
        assert math.isnan(spread.p_above(0.0))


class TestRuns:
    """Several runs of a system: the mean, and the variance between them."""

    def test_no_variance_between_runs(self) -> None:
        """Identical runs count as one."""
        values = np.random.default_rng(3).normal(size=(2, 20))
        one = resample([values[:1], values[1:]])
        several = resample([values[[0, 0, 0]], values[[1, 1]]])
        assert several.difference_spread(0, 1) == pytest.approx(one.difference_spread(0, 1))
        assert several.run_variance([0, 1]).variance == 0

    def test_variance_between_runs(self) -> None:
        """Runs that differ by a constant on every document: the variance of a mean of runs."""
        documents = np.random.default_rng(4).normal(size=20)
        effects = np.array([0.0, 0.3, -0.2, 0.5])
        found = resample([documents + effects[:, None], documents[None]])
        expected = effects.var(ddof=1) * (1 / 4 + 1)  # the other system borrows the variance
        assert found.run_variance([0, 1]).variance == pytest.approx(expected)
        assert found.run_variance([0, 1]).freedom == 3
        alone = found.spread(0)
        assert alone.error**2 == pytest.approx(documents.var(ddof=1) / 20 + effects.var(ddof=1) / 4)
        assert found.deviation_of_runs(0)[2] == pytest.approx(effects.std(ddof=1))
        assert math.isnan(found.deviation_of_runs(1)[2])

    def test_the_order_of_runs_does_not_matter(self) -> None:
        """Up to rounding."""
        values = np.random.default_rng(5).normal(size=(6, 15))
        one = resample([values[:3], values[3:]]).difference_spread(0, 1)
        other = resample([values[[2, 0, 1]], values[[4, 5, 3]]]).difference_spread(0, 1)
        assert one == pytest.approx(other)
