"""Confidence intervals of scores by resampling documents, and the influence of each document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, TypedDict, get_args

import numpy as np

from scoref.base.arrays import Floats
from scoref.counts.counted import Counted
from scoref.counts.counts import Counts, Statistic
from scoref.exceptions import UsageError
from scoref.metrics.base import F1, Metric
from scoref.policy import Policy
from scoref.resampling.bootstrap import (
    Interval,
    bca_interval,
    bootstrap,
    jackknife,
    percentile_interval,
)
from scoref.resampling.draws import Draws
from scoref.resampling.units import Rule, Units

Method = Literal["percentile", "bca"]
METHODS: tuple[str, ...] = get_args(Method)
_SHOWN = 5


class SamplingOptions(TypedDict, total=False):
    """The keywords of every function that makes intervals or tests by resampling documents.

    `level` (0.05) is the level of the tests, and intervals have the confidence 1 - level. `method`
    is `percentile` or `bca`. `trials` (10,000) draws are made with `seed` (0) in `jobs` (1)
    threads. Documents of the same block (`blocks`) are drawn together, and draws are made within
    each stratum (`strata`). Both are a regular expression on document names, a mapping from names,
    or a function of a name.
    """

    level: float
    method: Method
    trials: int
    seed: int
    jobs: int
    blocks: Rule | None
    strata: Rule | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling(Draws):
    """How intervals and tests are made; see SamplingOptions."""

    level: float = 0.05
    method: Method = "percentile"
    blocks: Rule | None = None
    strata: Rule | None = None

    def __post_init__(self) -> None:
        Draws.__post_init__(self)
        if not 0 < self.level <= 0.5:
            raise UsageError(
                f"the level is {self.level:g}, but must be above 0 and at most 0.5",
                "0.05 tests at 5 % and gives 95 % intervals",
            )
        if self.method not in METHODS:
            known = ", ".join(METHODS)
            raise UsageError(f"unknown kind of interval {self.method!r}", f"one of: {known}")

    @property
    def confidence(self) -> str:
        """The confidence of intervals, such as `95 %`."""
        return f"{100 * (1 - self.level):.10g} %"

    def units(self, documents: Sequence[str]) -> Units:
        """Group documents into the units that are resampled."""
        return Units.of(documents, self.blocks, self.strata)


class Influence(NamedTuple):
    """The influence of a document: how much the score falls without it."""

    document: str
    difference: float


class ScoreIntervals(NamedTuple):
    """The intervals of recall, precision and F1."""

    recall: Interval
    precision: Interval
    f1: Interval


@dataclass(frozen=True, slots=True)
class Intervals:
    """Intervals by metric, and the documents that influence each F1 most."""

    by_metric: Mapping[str, ScoreIntervals]
    influences: Mapping[str, tuple[Influence, ...]]
    sampling: Sampling
    units: Units

    def __getitem__(self, metric: str) -> ScoreIntervals:
        return self.by_metric[metric]

    @property
    def cautions(self) -> list[str]:
        """Warnings about the reliability of these intervals."""
        return self.units.cautions()


def intervals(counts: Counts, policy: Policy, sampling: Sampling) -> Intervals:
    """Return the intervals of every score of some counts."""
    units = sampling.units(counts.units)
    units.check()
    resampled = {
        metric.name: Resampled([counts.statistic(metric, policy)], units, sampling)
        for metric in counts.metrics
    }
    draw_together(list(resampled.values()))
    return Intervals(
        {name: one.intervals(0) for name, one in resampled.items()},
        {name: one.influences(0) for name, one in resampled.items()},
        sampling,
        units,
    )


class Resampled:
    """One metric of several systems on the same documents, resampled with the same draws."""

    @classmethod
    def of(
        cls, results: Iterable[Counted], metric: Metric, units: Units, sampling: Sampling
    ) -> Resampled:
        """Resample one metric of several results."""
        statistics = [result.counts.statistic(metric, result.policy) for result in results]
        return cls(statistics, units, sampling)

    def __init__(self, statistics: Sequence[Statistic], units: Units, sampling: Sampling) -> None:
        self.documents = np.stack([statistic.rows for statistic in statistics])
        self.rows = units.sum(self.documents)
        self.score = statistics[0].score
        self.units = units
        self.sampling = sampling
        self.values = self.score(self.rows.sum(axis=1))

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
    def left_out(self) -> Floats:
        """The scores without each unit, as (systems, units, 3)."""
        return jackknife(self.rows, self.score)

    def release(self) -> None:
        """Free the draws, which take much memory."""
        self.__dict__.pop("drawn", None)

    @cached_property
    def _without_document(self) -> Floats:
        return jackknife(self.documents, self.f1)

    def intervals(self, system: int) -> ScoreIntervals:
        """Return the intervals of the scores of a system."""
        found = [
            self._interval(
                self.drawn[:, system, which],
                float(self.values[system, which]),
                self.left_out[system, :, which],
            )
            for which in range(3)
        ]
        return ScoreIntervals(*found)

    def difference(self, one: int, other: int) -> Interval:
        """Return the interval of the difference between the F1 of two systems."""
        drawn, left_out, values = self.drawn, self.left_out, self.values
        return self._interval(
            drawn[:, one, F1] - drawn[:, other, F1],
            float(values[one, F1] - values[other, F1]),
            left_out[one, :, F1] - left_out[other, :, F1],
        )

    def _interval(self, drawn: Floats, value: float, left_out: Floats) -> Interval:
        level = self.sampling.level
        if self.sampling.method == "percentile":
            return percentile_interval(drawn, level)
        return bca_interval(drawn, value, left_out, level, self.units.stratum)

    def contributions(self, system: int, other: int | None = None) -> Floats:
        """Return how much F1, or its lead over another system, falls without each document."""
        moved: Floats = self.values[..., F1, None] - self._without_document
        found: Floats = moved[system] if other is None else moved[system] - moved[other]
        return found

    def influences(self, system: int, other: int | None = None) -> tuple[Influence, ...]:
        """Return the documents that influence F1, or its lead over another system, most."""
        return most_moved(self.units.documents, self.contributions(system, other))


def draw_together(several: Sequence[Resampled]) -> None:
    """Draw once for several metrics of the same systems, since drawing costs more than scoring."""
    first = several[0]
    statistics = [Statistic(one.rows, one.score) for one in several]
    drawn = bootstrap(statistics, first.sampling, first.units.stratum)
    for one, scores in zip(several, drawn, strict=True):
        one.__dict__["drawn"] = scores


def most_moved(documents: Sequence[str], moved: Floats) -> tuple[Influence, ...]:
    """Return the documents with the largest contributions, largest first."""
    moved = np.nan_to_num(moved)
    order = np.argsort(-np.abs(moved), kind="stable")[:_SHOWN].tolist()
    return tuple(Influence(documents[at], float(moved[at])) for at in order if moved[at])
