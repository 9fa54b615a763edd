"""How sure we are of a score: intervals by resampling documents, and what each document did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, TypedDict, get_args

import numpy as np

from scoref.base.arrays import Floats
from scoref.counts.counts import Counts, Statistic
from scoref.exceptions import UsageError
from scoref.metrics.base import F1
from scoref.policy import Policy
from scoref.resampling.resampling import (
    Draws,
    Interval,
    bca_interval,
    bootstrap_all,
    jackknife,
    percentile_interval,
)
from scoref.resampling.units import Rule, Units

Method = Literal["percentile", "bca"]
METHODS: tuple[str, ...] = get_args(Method)
_SHOWN = 5
_DRAWS = Draws()


class SamplingOptions(TypedDict, total=False):
    """The keywords of every function that makes intervals or tests by resampling documents.

    `level` is that of the tests (0.05); intervals hold 1 - level. `method` is `percentile` or
    `bca`. `trials` (10,000) draws are made with `seed` (0) in `jobs` processes (1). `blocks`
    groups documents that are drawn together, `strata` documents among which draws are made: a
    regular expression on document names, a mapping from names, or a function.
    """

    level: float
    method: Method
    trials: int
    seed: int
    jobs: int
    blocks: Rule | None
    strata: Rule | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """How intervals and tests are made: `level` is that of a test; intervals hold 1 - level."""

    level: float = 0.05
    method: Method = "percentile"
    draws: Draws = _DRAWS
    blocks: Rule | None = None
    strata: Rule | None = None

    def __post_init__(self) -> None:
        if not 0 < self.level <= 0.5:
            raise UsageError(
                f"the level is {self.level:g}, but must be above 0 and at most 0.5",
                "0.05 tests at 5 % and gives 95 % intervals",
            )
        if self.method not in METHODS:
            known = ", ".join(METHODS)
            raise UsageError(f"unknown kind of interval {self.method!r}", f"one of: {known}")

    @classmethod
    def of(
        cls,
        *,
        level: float = 0.05,
        method: Method = "percentile",
        trials: int = _DRAWS.trials,
        seed: int = _DRAWS.seed,
        jobs: int = _DRAWS.jobs,
        blocks: Rule | None = None,
        strata: Rule | None = None,
    ) -> Sampling:
        """Return the sampling that some options ask for."""
        draws = Draws(trials=trials, seed=seed, jobs=jobs)
        return cls(level=level, method=method, draws=draws, blocks=blocks, strata=strata)

    @property
    def confidence(self) -> str:
        """How much of what is drawn an interval holds, as in `95 %`."""
        return f"{100 * (1 - self.level):.10g} %"

    def units(self, documents: Sequence[str]) -> Units:
        """Return what is resampled."""
        return Units.of(documents, self.blocks, self.strata)


class Influence(NamedTuple):
    """What a document does to a score: how much the score falls without it."""

    document: str
    difference: float


class ScoreIntervals(NamedTuple):
    """The intervals of recall, precision and F1."""

    recall: Interval
    precision: Interval
    f1: Interval


@dataclass(frozen=True, slots=True)
class Intervals:
    """Intervals by metric, the documents that moved each F1 most, and how far to trust them."""

    by_metric: Mapping[str, ScoreIntervals]
    influences: Mapping[str, tuple[Influence, ...]]
    sampling: Sampling
    units: Units

    def __getitem__(self, metric: str) -> ScoreIntervals:
        return self.by_metric[metric]

    @property
    def cautions(self) -> list[str]:
        """How far to trust these."""
        return self.units.cautions()


def intervals(counts: Counts, policy: Policy, sampling: Sampling) -> Intervals:
    """Return intervals for every score of some counts."""
    units = sampling.units(counts.units)
    units.check()
    resampled = {
        metric.name: Resampled([counts.statistic(metric, policy)], units, sampling)
        for metric in counts.metrics
    }
    draw_together(list(resampled.values()))
    return Intervals(
        {name: one.intervals(0) for name, one in resampled.items()},
        {name: one.influences(counts.units, 0) for name, one in resampled.items()},
        sampling,
        units,
    )


class Resampled:
    """One metric of some systems on the same documents, resampled once for all of them."""

    def __init__(self, statistics: Sequence[Statistic], units: Units, sampling: Sampling) -> None:
        self.documents = np.stack([statistic.rows for statistic in statistics])
        self.rows = units.sum(self.documents)
        self.score = statistics[0].score
        self.units = units
        self.sampling = sampling
        self.values = self.score(self.rows.sum(axis=1))

    def f1(self, sums: Floats) -> Floats:
        """Score sums by F1 alone."""
        return self.score(sums)[..., F1]

    @cached_property
    def drawn(self) -> Floats:
        """The scores of draws, as (trials, systems, 3)."""
        draw_together([self])
        drawn: Floats = self.__dict__["drawn"]
        return drawn

    @cached_property
    def left_out(self) -> Floats:
        """The scores without each unit, as (systems, units, 3)."""
        return jackknife(self.rows, self.score)

    def release(self) -> None:
        """Forget the draws, the one thing here that takes much memory."""
        self.__dict__.pop("drawn", None)

    @cached_property
    def _without_document(self) -> Floats:
        return jackknife(self.documents, self.f1)

    def intervals(self, system: int) -> ScoreIntervals:
        """Return the intervals of a system's scores."""
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
        """Return the interval of a difference of F1 between two systems."""
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
        """Say for each document how much F1, or its lead over another's, falls without it."""
        moved: Floats = self.values[..., F1, None] - self._without_document
        ours: Floats = moved[system]
        return ours if other is None else ours - moved[other]

    def influences(
        self, documents: Sequence[str], system: int, other: int | None = None
    ) -> tuple[Influence, ...]:
        """Name the documents that moved F1, or its lead over another's, most."""
        return most_moved(documents, self.contributions(system, other))


def draw_together(several: Sequence[Resampled]) -> None:
    """Draw once for several metrics of the same systems; drawing costs more than scoring."""
    first = several[0]
    statistics = [(one.rows, one.score) for one in several]
    drawn = bootstrap_all(statistics, first.sampling.draws, first.units.stratum)
    for one, scores in zip(several, drawn, strict=True):
        one.__dict__["drawn"] = scores


def most_moved(documents: Sequence[str], moved: Floats) -> tuple[Influence, ...]:
    """Name the documents with the largest contributions, most first."""
    moved = np.nan_to_num(moved)
    order = np.argsort(-np.abs(moved), kind="stable")[:_SHOWN].tolist()
    return tuple(Influence(documents[at], float(moved[at])) for at in order if moved[at])
