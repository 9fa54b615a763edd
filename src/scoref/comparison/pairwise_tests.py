"""Intervals of several systems and tests of their pairs, metric by metric."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, NamedTuple, get_args

from scoref.base.progress import progress
from scoref.comparison.ranking import letters
from scoref.metrics.base import F1
from scoref.resampling.bootstrap import Interval
from scoref.resampling.draws import TIE
from scoref.resampling.intervals import (
    Influence,
    Resampled,
    Sampling,
    ScoreIntervals,
    draw_together,
)
from scoref.resampling.significance import (
    Significance,
    bootstrap_tests,
    holm,
    randomisation_tests,
)
from scoref.resampling.units import Units
from scoref.result import Result

Test = Literal["randomisation", "bootstrap"]
Correction = Literal["holm", "none"]
TESTS: tuple[str, ...] = get_args(Test)
CORRECTIONS: tuple[str, ...] = get_args(Correction)
_DRAWN_SCORES = 2**25  # in memory at a time: 256 MB


class Design(NamedTuple):
    """The test, the correction of p-values, and the baseline, if only its pairs are tested."""

    test: Test
    correction: Correction
    baseline: str | None


@dataclass(frozen=True, slots=True)
class Pair:
    """The difference between two systems by one metric: F1 of `one` minus F1 of `other`.

    `p` is the p-value of the test, and `adjusted` is the p-value after the correction; both are NaN
    if no test is possible. `differing` is the number of units in which the counts of the two
    systems differ. `influences` are the documents that contribute most to the difference.
    """

    metric: str
    one: str
    other: str
    difference: float
    interval: Interval | None
    p: float
    adjusted: float
    significant: bool
    exact: bool
    differing: int
    influences: tuple[Influence, ...]


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
        self.f1 = resampled.values[:, F1]
        self.tested = len(resampled.units) > 1
        systems = range(len(names)) if self.tested else ()
        self.intervals: list[ScoreIntervals] = [resampled.intervals(at) for at in systems]
        self.pairs = tuple(self._pairs(design))
        self.winners = {
            (pair.one, pair.other) if pair.difference > 0 else (pair.other, pair.one)
            for pair in self.pairs
            if pair.significant
        }

    def _pairs(self, design: Design) -> Iterable[Pair]:
        names, resampled = self.names, self.resampled
        places = [
            (one, other)
            for one, other in combinations(range(len(names)), 2)
            if design.baseline in (None, names[one], names[other])
        ]
        tests = self._tests(design, places)
        p_values = [test.p for test in tests]
        adjusted = holm(p_values) if design.correction == "holm" else p_values
        for (one, other), test, corrected in zip(places, tests, adjusted, strict=True):
            difference = float(self.f1[one] - self.f1[other])
            yield Pair(
                metric=self.metric,
                one=names[one],
                other=names[other],
                difference=difference,
                interval=resampled.difference(one, other) if self.tested else None,
                p=test.p,
                adjusted=corrected,
                significant=bool(corrected < resampled.sampling.level and abs(difference) > TIE),
                exact=test.exact,
                differing=test.differing,
                influences=resampled.influences(one, other),
            )

    def _tests(self, design: Design, places: Sequence[tuple[int, int]]) -> list[Significance]:
        resampled = self.resampled
        if not self.tested:
            return [Significance(math.nan, 0, exact=False) for _ in places]
        if design.test == "bootstrap":
            drawn = resampled.drawn[..., F1]
            return bootstrap_tests(resampled.rows, drawn, self.f1, places)
        return randomisation_tests(resampled.rows, resampled.f1, places, resampled.sampling)

    def differ(self, one: int, other: int) -> bool:
        """Whether two systems differ significantly."""
        names = self.names[one], self.names[other]
        return names in self.winners or names[::-1] in self.winners

    def letters_beaten(self, system: int) -> tuple[str, ...]:
        """Return the letters of the systems that a system beats."""
        name = self.names[system]
        return tuple(letters(at) for at, n in enumerate(self.names) if (name, n) in self.winners)


def compare_by_metric(
    results: Mapping[str, Result], design: Design, sampling: Sampling, units: Units
) -> dict[str, MetricComparison]:
    """Compare systems, which are in the order of their ranking, by each metric."""
    first = next(iter(results.values()))
    names, metrics = list(results), first.counts.metrics
    size = max(1, _DRAWN_SCORES // (3 * len(names) * sampling.trials))
    found = {}
    for start in range(0, len(metrics), size):
        batch = {
            metric.name: Resampled.of(list(results.values()), metric, units, sampling)
            for metric in metrics[start : start + size]
        }
        if len(units) > 1:
            draw_together(list(batch.values()))
        with progress("testing", len(batch)) as advance:
            for metric, resampled in batch.items():
                found[metric] = MetricComparison(metric, names, resampled, design)
                resampled.release()
                advance(1)
    return found
