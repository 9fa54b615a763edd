"""One metric of several systems: an interval for each, a test for each pair."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, NamedTuple, get_args

from scoref.base.progress import progress
from scoref.comparison.ranking import letters
from scoref.metrics.base import F1
from scoref.resampling.intervals import (
    Influence,
    Resampled,
    Sampling,
    ScoreIntervals,
    draw_together,
)
from scoref.resampling.resampling import (
    TIE,
    Interval,
    Outcome,
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
_ROOM = 2**25  # drawn scores kept at a time: 256 MB


class Design(NamedTuple):
    """Which test decides, how p-values are corrected, and against whom all are tested."""

    test: Test
    correction: Correction
    baseline: str | None


@dataclass(frozen=True, slots=True)
class Pair:
    """Two systems under one metric: how much better `one` is than `other`, and how surely.

    `p` is the p-value of the test and `adjusted` that after the correction; both are NaN
    where nothing could be tested. `differing` counts the units in which the two have other
    counts, and `influences` names the documents that the difference comes from.
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


def judge(
    results: Mapping[str, Result], design: Design, sampling: Sampling, units: Units
) -> dict[str, Judged]:
    """Judge systems by each metric; they come in the order of their ranking."""
    first = next(iter(results.values()))
    resampled = {
        metric.name: Resampled(
            [result.counts.statistic(metric, result.policy) for result in results.values()],
            units,
            sampling,
        )
        for metric in first.counts.metrics
    }
    names, documents = list(results), first.counts.units
    together = max(1, _ROOM // (3 * len(names) * sampling.draws.trials))
    judged = {}
    for metrics in _groups(list(resampled), together):
        if len(units) > 1:
            draw_together([resampled[metric] for metric in metrics])
        with progress("testing", len(metrics)) as advance:
            for metric in metrics:
                judged[metric] = Judged(metric, names, resampled[metric])
                judged[metric].judge(design, documents)
                resampled[metric].release()
                advance(1)
    return judged


def _groups(metrics: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    for start in range(0, len(metrics), size):
        yield metrics[start : start + size]


class Judged:
    """One metric of all systems, in the order of the ranking: intervals and tests."""

    def __init__(self, metric: str, names: Sequence[str], resampled: Resampled) -> None:
        self.metric = metric
        self.names = names
        self.resampled = resampled
        self.f1 = resampled.values[:, F1]
        self.tested = len(resampled.units) > 1
        self.intervals: list[ScoreIntervals] = []
        self.pairs: tuple[Pair, ...] = ()
        self.winners: set[tuple[str, str]] = set()

    def judge(self, design: Design, documents: Sequence[str]) -> None:
        """Make the intervals and the tests."""
        if self.tested:
            self.intervals = [self.resampled.intervals(at) for at in range(len(self.names))]
        self.pairs = tuple(self._pairs(design, documents))
        self.winners = {
            (pair.one, pair.other) if pair.difference > 0 else (pair.other, pair.one)
            for pair in self.pairs
            if pair.significant
        }

    def _pairs(self, design: Design, documents: Sequence[str]) -> Iterable[Pair]:
        names, resampled = self.names, self.resampled
        places = list(combinations(range(len(names)), 2))
        if design.baseline is not None:
            places = [
                pair for pair in places if design.baseline in (names[pair[0]], names[pair[1]])
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
                influences=resampled.influences(documents, one, other),
            )

    def _tests(self, design: Design, places: Sequence[tuple[int, int]]) -> list[Outcome]:
        resampled = self.resampled
        if not self.tested:
            return [Outcome(math.nan, 0, exact=False) for _ in places]
        if design.test == "bootstrap":
            drawn = resampled.drawn[..., F1]
            return bootstrap_tests(resampled.rows, drawn, self.f1, places)
        return randomisation_tests(resampled.rows, resampled.f1, places, resampled.sampling.draws)

    def differ(self, one: int, other: int) -> bool:
        """Whether the test tells two systems apart."""
        names = self.names[one], self.names[other]
        return names in self.winners or names[::-1] in self.winners

    def beaten_by(self, system: int) -> tuple[str, ...]:
        """Return the letters of the systems that one beats."""
        name = self.names[system]
        return tuple(letters(at) for at, n in enumerate(self.names) if (name, n) in self.winners)
