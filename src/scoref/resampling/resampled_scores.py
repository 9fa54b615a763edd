"""Resampled: one metric of several systems on the same documents, and how far to trust it.

A system can have several runs, such as one method trained with several seeds. Its score is the mean
over its runs. The variance of a difference then has two parts. One comes from the documents, by the
jackknife. The other comes from the runs: the variance between the scores of the runs, divided by
their number, without what the documents explain of it. Both systems of a pair share one variance
between runs, so a system with one run borrows it from the other.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Floats
from scoref.counts.counted import Counted
from scoref.counts.counts import Statistic
from scoref.metrics import Metric, find_metrics
from scoref.metrics.base import F1
from scoref.resampling.bootstrap import Interval, bca_interval, bootstrap, percentile_interval
from scoref.resampling.effective import EffectiveUnits, kish, unit_shares
from scoref.resampling.jackknife import Spread, deviations, freedom_of, leave_one_out
from scoref.resampling.sampling_options import TIE, Sampling
from scoref.resampling.significance import Significance, smallest_p, stretch
from scoref.resampling.units import Units

_SHOWN = 5
_LEVEL = 0.05
"""The level of the intervals with which the effect of larger units is compared."""


class Influence(NamedTuple):
    """The influence of a document: how much the score falls without it."""

    document: str
    difference: float


class ScoreIntervals(NamedTuple):
    """The intervals of recall, precision and F1."""

    recall: Interval
    precision: Interval
    f1: Interval


class RunVariance(NamedTuple):
    """The variance between runs of a difference or a score, and its degrees of freedom."""

    variance: float
    freedom: int


class Resampled:
    """One metric of several systems on the same documents, resampled with the same draws.

    `systems` has the statistics of each run of each system, and `shares` the share of each document
    in what the metric counts, for each of these runs. Scores are from `lowest` to 1. Rows are
    sorted by the names of documents.
    """

    @classmethod
    def of(
        cls,
        systems: Iterable[Sequence[Counted]],
        metric: Metric,
        units: Units,
        sampling: Sampling,
    ) -> Resampled:
        """Resample one metric of several systems, each with the results of its runs."""
        find_metrics([metric], "an interval or a test")
        statistics, shares = [], []
        for runs in systems:
            found = [run.counts.statistic(metric, run.policy) for run in runs]
            statistics.append(found)
            shares += [
                unit_shares(metric, run.policy, one.rows)
                for run, one in zip(runs, found, strict=True)
            ]
        return cls(statistics, np.stack(shares), units, sampling, lowest=metric.lowest)

    def __init__(
        self,
        systems: Sequence[Sequence[Statistic]],
        shares: Floats,
        units: Units,
        sampling: Sampling,
        *,
        lowest: float = 0.0,
    ) -> None:
        runs = [run for system in systems for run in system]
        self.documents = units.sort(np.stack([run.rows for run in runs]))
        self.rows = units.sum(self.documents)
        self.score = runs[0].score
        self.units = units
        self.sampling = sampling
        self.lowest = lowest
        self.run_scores = self.score(self.rows.sum(axis=1))
        ends = np.cumsum([len(system) for system in systems]).tolist()
        self.runs = [slice(end - len(one), end) for one, end in zip(systems, ends, strict=True)]
        self.values = self._mean_runs(self.run_scores)
        self.mean_rows = self._mean_runs(self.rows)
        sorted_shares = units.sum(units.sort(shares[..., None]))[..., 0]
        self.shares = self._mean_runs(sorted_shares)

    def _mean_runs(self, values: Floats) -> Floats:
        """Average over the runs of each system; the runs are the first axis."""
        if len(self.runs) == len(values):
            return values
        return np.stack([values[runs].mean(axis=0) for runs in self.runs])

    def f1(self, sums: Floats) -> Floats:
        """Return only the F1 of some sums."""
        return self.score(sums)[..., F1]

    @cached_property
    def drawn(self) -> Floats:
        """The scores of all draws, as (trials, systems, 3)."""
        draw_together([self])
        drawn: Floats = self.__dict__["drawn"]
        return drawn

    @cached_property
    def _left_out(self) -> Floats:
        """The scores of all runs without each unit, as (runs, units, 3)."""
        return leave_one_out(self.rows, self.score, self.units)

    @cached_property
    def _deviations(self) -> Floats:
        """What each unit adds to the deviation of each score, as (systems, 3, units)."""
        left_out = self._mean_runs(self._left_out)
        return deviations(np.moveaxis(left_out, -1, -2), self.units)

    def release(self) -> None:
        """Free the draws, which take much memory."""
        self.__dict__.pop("drawn", None)

    @cached_property
    def _without_document(self) -> Floats:
        return self._mean_runs(leave_one_out(self.documents, self.f1))

    def count_runs(self, system: int) -> int:
        """Return the number of runs of a system."""
        return len(self.run_scores[self.runs[system]])

    def deviation_of_runs(self, system: int) -> Floats:
        """Return the standard deviation over runs of recall, precision and F1."""
        if self.count_runs(system) < 2:
            return np.full(3, math.nan)
        found: Floats = self.run_scores[self.runs[system]].std(axis=0, ddof=1)
        return found

    def effective(self) -> EffectiveUnits:
        """Return the effective number of units, and how scores depend on size, over all systems."""
        if not len(self.units):
            return EffectiveUnits(0.0, "", 0.0)
        f1 = self._mean_runs(self.f1(self.rows)).mean(axis=0)
        spreads = map(self.spread, range(len(self.runs)))
        ends = [
            one.bounded_interval(_LEVEL) if self.lowest >= 0 else one.interval(_LEVEL)
            for one in spreads
        ]
        width = float(np.mean([one.high - one.low for one in ends]))
        return EffectiveUnits.of(self.shares.mean(axis=0), self.units, f1, width)

    def spread(self, system: int, which: int = F1) -> Spread:
        """Return the spread of a score of a system."""
        value = float(self.values[system, which])
        found = self._spread(value, self._deviations[system, which], [system], which)
        return found._replace(lowest=self.lowest)

    def spreads(self, system: int) -> tuple[Spread, ...]:
        """Return the spreads of recall, precision and F1 of a system."""
        return tuple(self.spread(system, which) for which in range(3))

    def difference_spread(self, one: int, other: int) -> Spread:
        """Return the spread of the difference between the F1 of two systems."""
        value = float(self.values[one, F1] - self.values[other, F1])
        found = self._spread(value, self.difference_deviations(one, other), [one, other], F1)
        widest = 1 - self.lowest
        return found._replace(lowest=-widest, highest=widest)

    @property
    def f1_deviations(self) -> Floats:
        """What each unit adds to the deviation of the F1 of each system, as (systems, units)."""
        found: Floats = self._deviations[:, F1]
        return found

    @property
    def run_variances(self) -> Floats:
        """The variance of the F1 of each system that comes from its runs."""
        counts = np.array([1 / self.count_runs(at) for at in range(len(self.runs))])
        together = self.run_variance(range(len(self.runs))).variance
        return np.asarray(counts * (together / counts.sum()), dtype=np.float64)

    def difference_deviations(self, one: int, other: int) -> Floats:
        """Return what each unit adds to the deviation of a difference in F1."""
        found: Floats = self._deviations[one, F1] - self._deviations[other, F1]
        return found

    def _spread(self, value: float, deviation: Floats, systems: list[int], which: int) -> Spread:
        """Return the spread that documents and runs cause together."""
        variance = float((deviation**2).sum())
        if math.isnan(value) or math.isnan(variance):
            return Spread(value, math.nan, math.nan)
        effective = kish(self.shares[systems].mean(axis=0))
        freedom = freedom_of(deviation, effective, self.units)
        runs = self.run_variance(systems, which)
        if runs.variance > 0:
            both = variance + runs.variance
            freedom = both**2 / (variance**2 / max(freedom, 1.0) + runs.variance**2 / runs.freedom)
            variance = both
        return Spread(value, math.sqrt(variance), freedom)

    def run_variance(self, systems: Sequence[int], which: int = F1) -> RunVariance:
        """Return the variance of a score or a difference that comes from its runs.

        The variance between runs includes what each run happens to do to each document, which is
        also part of the variance between documents. It is subtracted here, but not if a system has
        a single run: its variance is borrowed, and an estimate near zero would be a risk.
        """
        squares, freedom, counts = 0.0, 0, 0.0
        borrowed = any(self.count_runs(system) == 1 for system in systems)
        for system in systems:
            count, runs = self.count_runs(system), self.runs[system]
            counts += 1 / count
            if count > 1:
                scores = self.run_scores[runs, which]
                squares += float(((scores - scores.mean()) ** 2).sum())
                freedom += count - 1
                if not borrowed:
                    left_out = self._left_out[runs, :, which]
                    apart = deviations(left_out - left_out.mean(axis=0), self.units)
                    squares -= float((apart**2).sum())
        if not freedom:
            return RunVariance(0.0, 0)
        return RunVariance(max(0.0, squares / freedom) * counts, freedom)

    def intervals(self, system: int) -> ScoreIntervals:
        """Return the intervals of the scores of a system."""
        return ScoreIntervals(*(self.interval(system, which) for which in range(3)))

    def interval(self, system: int, which: int = F1) -> Interval:
        """Return the interval of a score of a system."""
        spread = self.spread(system, which)
        level = self.sampling.level
        by_t = spread.bounded_interval if self.lowest >= 0 else spread.interval
        if self.sampling.method == "jackknife" or spread.without_variance:
            return by_t(level)
        drawn = self.drawn[:, system, which]
        deviation = self._deviations[system, which]
        found = self._drawn_interval(drawn, spread, deviation, level)
        return by_t(level) if _has_no_width(found) else found

    def difference(self, one: int, other: int, level: float | None = None) -> Interval:
        """Return the interval of the difference between the F1 of two systems."""
        spread = self.difference_spread(one, other)
        level = self.sampling.level if level is None else level
        if self.sampling.method == "jackknife" or spread.without_variance:
            return spread.interval(level)
        drawn = self.drawn[:, one, F1] - self.drawn[:, other, F1]
        found = self._drawn_interval(drawn, spread, self.difference_deviations(one, other), level)
        return spread.interval(level) if _has_no_width(found) else found

    def _drawn_interval(
        self, drawn: Floats, spread: Spread, deviation: Floats, level: float
    ) -> Interval:
        """Return an interval of draws of documents, widened by the spread of runs."""
        error = math.sqrt(float((deviation**2).sum()))
        if spread.error > error > TIE:
            drawn = spread.value + (drawn - spread.value) * (spread.error / error)
        if self.sampling.method == "percentile":
            return percentile_interval(drawn, level)
        return bca_interval(drawn, spread.value, deviation, level)

    def contributions(self, system: int, other: int | None = None) -> Floats:
        """Return how much F1, or its lead over another system, falls without each document."""
        moved: Floats = self.values[..., F1, None] - self._without_document
        found: Floats = moved[system] if other is None else moved[system] - moved[other]
        return found

    def influences(self, system: int, other: int | None = None) -> tuple[Influence, ...]:
        """Return the documents that influence F1, or its lead over another system, most."""
        return most_moved(self.units.documents, self.contributions(system, other))


def _has_no_width(interval: Interval) -> bool:
    return interval.high - interval.low <= TIE


def add_run_variance(
    test: Significance, spread: Spread, runs: RunVariance, trials: int
) -> Significance:
    """Add the variance between runs to a test that knows only the one between documents.

    The p-value says how many standard errors of documents the difference is away from zero. It is
    fewer standard errors of documents and runs together. If the test has reached its smallest
    p-value, the difference is farther away than that, and the spread says how far.
    """
    if not runs.variance > 0:
        return test
    variance = spread.error**2
    documents = max(0.0, variance - runs.variance)
    freedom = variance**2 * runs.freedom / runs.variance**2
    p = stretch(test.p, math.sqrt(documents / variance), freedom)
    smallest = smallest_p(test.differing) if test.exact else 1 / (1 + trials)
    if test.p <= smallest * (1 + TIE):
        p = max(test.p, min(p, spread.p_different()))
    return Significance(p, test.differing, exact=False)


def draw_together(several: Sequence[Resampled]) -> None:
    """Draw once for several metrics of the same systems, since drawing costs more than scoring."""
    first = several[0]
    statistics = [Statistic(one.rows, one.score) for one in several]
    drawn = bootstrap(statistics, first.sampling, first.units.stratum)
    for one, scores in zip(several, drawn, strict=True):
        by_system = np.moveaxis(one._mean_runs(np.moveaxis(scores, 1, 0)), 0, 1)  # noqa: SLF001
        one.__dict__["drawn"] = by_system


def most_moved(documents: Sequence[str], moved: Floats) -> tuple[Influence, ...]:
    """Return the documents with the largest contributions, largest first."""
    moved = np.nan_to_num(moved)
    order = np.argsort(-np.abs(moved), kind="stable")[:_SHOWN].tolist()
    return tuple(Influence(documents[at], float(moved[at])) for at in order if moved[at])
