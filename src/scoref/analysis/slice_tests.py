"""Scores, intervals and tests of one slice, and their correction.

The difference between a slice and the rest is paired over documents. Its standard error is the
jackknife's, which leaves out a document of both, and its p-value is that of Student's t. The
degrees of freedom are those of the kurtosis of the documents' deviations (`jackknife.py`): sizes
count less for a difference within documents than for a score, and `make calibration` shows that
the test keeps its level so.

Systems are tested against each other in each slice by exchanging their documents.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from scoref.base.phrases import counted
from scoref.counts.counted import Counted
from scoref.metrics import Metric
from scoref.resampling.bootstrap import Interval
from scoref.resampling.jackknife import Spread, freedom_of
from scoref.resampling.resampled_scores import Resampled, ScoreIntervals
from scoref.resampling.sampling_options import Sampling
from scoref.resampling.significance import holm, randomisation_tests
from scoref.resampling.units import Units
from scoref.result import Score

REST = ""
"""Stands for the rest in place of another system, which may be called anything."""
LEAST_DOCUMENTS = 5
"""A difference is tested if the slice and the rest are in at least so many documents."""


@dataclass(frozen=True, slots=True)
class SliceTest:
    """A difference in F1, its interval and its test; `reason` says why there is no test.

    `adjusted` is the p-value after the correction for all tests.
    """

    difference: float
    interval: Interval | None = None
    p: float = math.nan
    adjusted: float = math.nan
    significant: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SliceScore:
    """The score of a system in a slice by one metric, that of the rest, and their difference."""

    score: Score
    intervals: ScoreIntervals | None
    rest: Score
    test: SliceTest


@dataclass(frozen=True, slots=True)
class SystemSlice:
    """One slice of one system: its mentions and entities in the response, and scores by metric."""

    mentions: int
    entities: int
    scores: Mapping[str, SliceScore]


@dataclass(frozen=True, slots=True)
class ScoredSlice:
    """A slice: a value of a field.

    * `by`, `name`: The field and the value.
    * `mentions`, `entities`: Those of the key.
    * `documents`: In how many documents either side has a mention of the slice.
    * `systems`: The slice of each system.
    * `pairs`: The tests of pairs of systems, by metric: the first minus the second.
    * `is_known`: Whether it is a value, not the mentions that have none.
    """

    by: str
    name: str
    mentions: int
    entities: int
    documents: int
    systems: Mapping[str, SystemSlice]
    pairs: Mapping[tuple[str, str], Mapping[str, SliceTest]]
    is_known: bool = True

    def tests(self) -> Iterator[tuple[str, str, str, SliceTest]]:
        """Yield all tests: of which system, against which (or the rest), by which metric."""
        for system, of_system in self.systems.items():
            for metric, one in of_system.scores.items():
                yield system, REST, metric, one.test
        for (one_system, other), tests in self.pairs.items():
            for metric, test in tests.items():
                yield one_system, other, metric, test


class MetricSlice:
    """One slice of all systems by one metric: scores, intervals and tests.

    `sides` are the results of the slice and of the rest. `units` are the documents that have the
    slice, and those that have either.
    """

    def __init__(
        self,
        metric: Metric,
        sides: tuple[Sequence[Counted], Sequence[Counted]],
        units: tuple[Units, Units],
        sampling: Sampling,
    ) -> None:
        self.name, self.sampling, self.units = metric.name, sampling, units
        self.systems = len(sides[0])
        self.scores = [
            [Score(*one.counts.scores(metric, one.policy).tolist()) for one in side]
            for side in sides
        ]
        self.own_size, self.rest_size = (
            len(sampling.counted_units(side)) if any(one.has_counts().any() for one in side) else 0
            for side in sides
        )
        self.own, self.both = (
            Resampled.of([[one] for one in side], metric, of_side, sampling)
            if self.own_size and len(of_side) > 1
            else None
            for side, of_side in zip((sides[0], [*sides[0], *sides[1]]), units, strict=True)
        )

    def score(self, system: int, *, is_known: bool) -> SliceScore:
        """Return the score of a system, and its difference to the rest if the value is known."""
        score, rest = (side[system] for side in self.scores)
        intervals = self.own.intervals(system) if self.own else None
        difference = score.f1 - rest.f1
        reason = "these mentions have no value"
        if is_known:
            reason = self._refusal(difference, ("it", self.own_size), ("the rest", self.rest_size))
        return SliceScore(score, intervals, rest, self._against_rest(system, difference, reason))

    def _against_rest(self, system: int, difference: float, reason: str) -> SliceTest:
        if reason or self.both is None:
            return SliceTest(difference, reason=reason)
        spread = self.both.difference_spread(system, self.systems + system)
        if not spread.without_variance:
            deviations = self.both.difference_deviations(system, self.systems + system)
            freedom = freedom_of(deviations, math.inf, self.both.units)
            spread = spread._replace(freedom=freedom)
        return _tested(spread, spread.p_different(), self.sampling.level)

    def _refusal(self, difference: float, *sizes: tuple[str, int]) -> str:
        """Return why there is no test, given what is in how many documents, or nothing."""
        for what, units in sizes:
            if units < LEAST_DOCUMENTS:
                have = f"{counted(units, self.units[0].kind)} {'has' if units == 1 else 'have'}"
                return f"{have} {what}, a test requires {LEAST_DOCUMENTS}"
        return "the score is undefined" if math.isnan(difference) else ""

    def pair(self, one: int, other: int) -> SliceTest:
        """Test two systems against each other in this slice."""
        difference = self.scores[0][one].f1 - self.scores[0][other].f1
        reason = self._refusal(difference, ("it", self.own_size))
        if reason or self.own is None:
            return SliceTest(difference, reason=reason)
        found = self.own
        (test,) = randomisation_tests(found.mean_rows, found.f1, [(one, other)], self.sampling)
        return _tested(found.difference_spread(one, other), test.p, self.sampling.level)


def _tested(spread: Spread, p: float, level: float) -> SliceTest:
    if math.isnan(p):
        return SliceTest(spread.value, reason="the score is undefined without a document")
    return SliceTest(spread.value, spread.interval(level), p, p)


def correct(
    rows: Sequence[ScoredSlice], level: float, correction: str
) -> tuple[list[ScoredSlice], int]:
    """Correct the p-values of all tests together; also return their number.

    The two slices of a field with two values are each other's rest: they have one test.
    """
    p_values: dict[tuple[str, ...], float] = {}
    sizes = Counter(row.by for row in rows if row.is_known)

    def place(row: ScoredSlice, system: str, against: str, metric: str) -> tuple[str, ...]:
        is_one_of_two = sizes[row.by] == 2 and against == REST
        return row.by, "" if is_one_of_two else row.name, system, against, metric

    for row in rows:
        for *test, found in row.tests():
            if not math.isnan(found.p):
                p_values.setdefault(place(row, *test), found.p)
    adjusted = [*p_values.values()]
    adjusted = holm(adjusted) if correction == "holm" else adjusted
    of_place = dict(zip(p_values, adjusted, strict=True))

    def corrected(row: ScoredSlice, found: SliceTest, *test: str) -> SliceTest:
        p = math.nan if math.isnan(found.p) else of_place[place(row, *test)]
        return replace(found, adjusted=p, significant=bool(p < level))

    done = [
        replace(
            row,
            systems={
                system: replace(
                    of_system,
                    scores={
                        metric: replace(one, test=corrected(row, one.test, system, REST, metric))
                        for metric, one in of_system.scores.items()
                    },
                )
                for system, of_system in row.systems.items()
            },
            pairs={
                pair: {metric: corrected(row, one, *pair, metric) for metric, one in tests.items()}
                for pair, tests in row.pairs.items()
            },
        )
        for row in rows
    ]
    return done, len(p_values)
