"""Intervals of several systems and tests of their pairs, metric by metric."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal, NamedTuple, get_args

import numpy as np

from scoref.base.phrases import letters
from scoref.base.progress import progress
from scoref.metrics.base import F1
from scoref.resampling.bootstrap import Interval
from scoref.resampling.jackknife import Spread
from scoref.resampling.resampled_scores import (
    Influence,
    Resampled,
    ScoreIntervals,
    add_run_variance,
    draw_together,
)
from scoref.resampling.sampling_options import TIE, Sampling
from scoref.resampling.significance import (
    JointDeviations,
    Significance,
    bootstrap_tests,
    holm,
    randomisation_tests,
)
from scoref.resampling.units import Units
from scoref.result import Result

Test = Literal["randomisation", "bootstrap"]
Correction = Literal["holm", "maxt", "none"]
CorrectionFamily = Literal["metric", "all"]
TESTS: tuple[str, ...] = get_args(Test)
CORRECTIONS: tuple[str, ...] = get_args(Correction)
CORRECTION_FAMILIES: tuple[str, ...] = get_args(CorrectionFamily)
_DRAWN_SCORES = 2**25  # in memory at a time: 256 MB


class Design(NamedTuple):
    """Which pairs are tested, and how.

    `baseline` is the system whose pairs are tested, or None for all pairs. P-values are corrected
    over the pairs of one metric, or over `all` metrics. `equivalent` is the largest difference
    that counts as none, or None if equivalence is not tested.
    """

    test: Test = "randomisation"
    correction: Correction = "holm"
    baseline: str | None = None
    family: CorrectionFamily = "metric"
    equivalent: float | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """The difference between two systems by one metric: F1 of `one` minus F1 of `other`.

    * `metric`: The metric.
    * `one`, `other`: The names of the systems.
    * `difference`: The F1 of `one` minus that of `other`, from -1 to 1.
    * `interval`: The interval of the difference, for this pair alone.
    * `simultaneous`: An interval that holds for all tested pairs together.
    * `p`: The p-value of the test; NaN if no test is possible.
    * `adjusted`: The p-value after the correction.
    * `significant`: Whether `adjusted` is below the level.
    * `exact`: Whether the p-value is exact, not simulated.
    * `differing`: The number of units in which the counts of the two systems differ.
    * `influences`: The documents that contribute most to the difference.
    * `spread`: The standard error of the difference.
    * `run_variance`: The part of its square that comes from runs.
    * `p_equivalent`: The p-value for the claim that the difference is smaller than the limit of
      equivalence, after the correction.
    * `equivalent`: Whether this claim is significant.
    """

    metric: str
    one: str
    other: str
    difference: float
    interval: Interval | None
    simultaneous: Interval | None
    p: float
    adjusted: float
    significant: bool
    exact: bool
    differing: int
    influences: tuple[Influence, ...]
    spread: Spread | None = None
    run_variance: float = 0.0
    p_equivalent: float = math.nan
    equivalent: bool = False


class MetricComparison:
    """The intervals and tests of all systems by one metric, in the order of the ranking.

    `winners` are the pairs of systems of which the first beats the second significantly.
    """

    def __init__(
        self, metric: str, names: Sequence[str], resampled: Resampled, design: Design
    ) -> None:
        self.metric = metric
        self.names = names
        self.resampled = resampled
        self.design = design
        self.f1 = resampled.values[:, F1]
        self.tested = len(resampled.units) > 1
        self.places = [
            (one, other)
            for one, other in combinations(range(len(names)), 2)
            if design.baseline in (None, names[one], names[other])
        ]
        self.spreads: list[Spread] = []
        if self.tested:
            self.spreads = [resampled.difference_spread(*place) for place in self.places]
        self.intervals: list[ScoreIntervals] = []
        self.pairs: tuple[Pair, ...] = ()
        self.winners: set[tuple[str, str]] = set()

    @property
    def needs_draws(self) -> bool:
        """Whether documents have to be drawn for the intervals or the test."""
        bootstrap = self.design.test == "bootstrap" and bool(self.places)
        return self.tested and (self.resampled.sampling.method != "jackknife" or bootstrap)

    def test(self, level: float) -> None:
        """Test all pairs; simultaneous intervals have this individual level."""
        resampled = self.resampled
        systems = range(len(self.names)) if self.tested else ()
        self.intervals = [resampled.intervals(at) for at in systems]
        tests = self._tests()
        pairs = []
        for at, ((one, other), test) in enumerate(zip(self.places, tests, strict=True)):
            spread = self.spreads[at] if self.tested else None
            pairs.append(
                Pair(
                    metric=self.metric,
                    one=self.names[one],
                    other=self.names[other],
                    difference=float(self.f1[one] - self.f1[other]),
                    interval=resampled.difference(one, other) if spread else None,
                    simultaneous=resampled.difference(one, other, level) if spread else None,
                    p=test.p,
                    adjusted=test.p,
                    significant=False,
                    exact=test.exact,
                    differing=test.differing,
                    influences=resampled.influences(one, other),
                    spread=spread,
                    run_variance=resampled.run_variance([one, other]).variance if spread else 0.0,
                    p_equivalent=self._p_equivalent(spread),
                )
            )
        self.pairs = tuple(pairs)

    def _tests(self) -> list[Significance]:
        resampled, places = self.resampled, self.places
        if not self.tested:
            return [Significance(math.nan, 0, exact=False) for _ in places]
        rows = resampled.mean_rows
        if self.design.test == "bootstrap":
            drawn, freedoms = resampled.drawn[..., F1], [one.freedom for one in self.spreads]
            tests = bootstrap_tests(rows, drawn, self.f1, places, freedoms)
            tests = list(map(_doubt_equal_draws, tests, self.spreads))
        else:
            tests = randomisation_tests(rows, resampled.f1, places, resampled.sampling)
        trials = resampled.sampling.trials
        return [
            add_run_variance(test, spread, resampled.run_variance(place), trials)
            for test, place, spread in zip(tests, places, self.spreads, strict=True)
        ]

    def _p_equivalent(self, spread: Spread | None) -> float:
        """Return the larger p-value of the two one-sided tests (Schuirmann 1987)."""
        limit = self.design.equivalent
        if limit is None or spread is None:
            return math.nan
        return max(spread.p_above(-limit), (-spread).p_above(-limit))

    def correct(self, adjusted: Sequence[float], equivalent: Sequence[float]) -> None:
        """Set the corrected p-values of all pairs."""
        level = self.resampled.sampling.level
        self.pairs = tuple(
            replace(
                pair,
                adjusted=p,
                significant=bool(p < level and abs(pair.difference) > TIE),
                p_equivalent=same,
                equivalent=bool(same < level),
            )
            for pair, p, same in zip(self.pairs, adjusted, equivalent, strict=True)
        )
        self.winners = {
            (pair.one, pair.other) if pair.difference > 0 else (pair.other, pair.one)
            for pair in self.pairs
            if pair.significant
        }

    def differ(self, one: int, other: int) -> bool:
        """Whether two systems differ significantly."""
        names = self.names[one], self.names[other]
        return names in self.winners or names[::-1] in self.winners

    def letters_beaten(self, system: int) -> tuple[str, ...]:
        """Return the letters of the systems that a system beats."""
        name = self.names[system]
        return tuple(letters(at) for at, n in enumerate(self.names) if (name, n) in self.winners)

    def score_spread(self, system: int) -> Spread:
        """Return the F1 of a system and its standard error, which is NaN for a single unit."""
        if not self.tested:
            return Spread(float(self.f1[system]), math.nan, math.nan)
        return self.resampled.spread(system)


def _doubt_equal_draws(test: Significance, spread: Spread) -> Significance:
    """Return a test by drawing units, whose draws say nothing if units show no variance."""
    return test._replace(p=spread.p_different()) if spread.without_variance else test


def compare_by_metric(
    systems: Mapping[str, Sequence[Result]], design: Design, sampling: Sampling, units: Units
) -> dict[str, MetricComparison]:
    """Compare systems, which are in the order of their ranking, by each metric."""
    runs, names = list(systems.values()), list(systems)
    metrics = [
        MetricComparison(m.name, names, Resampled.of(runs, m, units, sampling), design)
        for m in runs[0][0].counts.metrics
    ]
    members = [metrics] if design.family == "all" else [[one] for one in metrics]
    families = [JointFamily(some, sampling) for some in members]
    levels = {one.metric: family.individual_level for family in families for one in family.members}
    size = max(1, _DRAWN_SCORES // (3 * sum(map(len, runs)) * sampling.trials))
    with progress("testing", len(metrics)) as advance:
        for start in range(0, len(metrics), size):
            batch = metrics[start : start + size]
            if batch[0].needs_draws:
                draw_together([one.resampled for one in batch])
            for one in batch:
                one.test(levels[one.metric])
                one.resampled.release()
                advance(1)
    for family in families:
        family.correct()
    return {one.metric: one for one in metrics}


class JointFamily:
    """The metrics over whose pairs p-values are corrected together."""

    def __init__(self, members: Sequence[MetricComparison], sampling: Sampling) -> None:
        self.members = members
        self.correction = members[0].design.correction
        self.individual_level = sampling.level
        self.joint: JointDeviations | None = None
        if members[0].tested and members[0].places and self.correction != "none":
            self.joint = self._join(sampling)
            self.individual_level = self.joint.individual_level(sampling.level)

    def _join(self, sampling: Sampling) -> JointDeviations:
        """Draw the systems by all metrics of the family together."""
        systems = len(self.members[0].names)
        deviations = [one.resampled.f1_deviations for one in self.members]
        own = [one.resampled.run_variances for one in self.members]
        places = [
            (at * systems + one, at * systems + other)
            for at, member in enumerate(self.members)
            for one, other in member.places
        ]
        return JointDeviations(
            np.nan_to_num(np.concatenate(deviations)), places, sampling, np.concatenate(own)
        )

    def correct(self) -> None:
        """Correct the p-values of all pairs of the family."""
        pairs = [pair for one in self.members for pair in one.pairs]
        adjusted = self._adjust([pair.p for pair in pairs])
        equivalent = self._adjust([pair.p_equivalent for pair in pairs], steps=False)
        start = 0
        for one in self.members:
            end = start + len(one.pairs)
            one.correct(adjusted[start:end], equivalent[start:end])
            start = end

    def _adjust(self, p_values: list[float], *, steps: bool = True) -> list[float]:
        if self.correction == "none" or any(map(math.isnan, p_values)):
            return p_values
        if self.correction == "maxt" and steps and self.joint is not None:
            return self.joint.step_down(p_values)
        return holm(p_values)
