"""Confidence intervals of the scores of one response, and the influence of each document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scoref.counts.counted import Counted
from scoref.resampling.effective import EffectiveUnits, effective_cautions
from scoref.resampling.resampled import Influence, Resampled, ScoreIntervals, draw_together
from scoref.resampling.sampling import Sampling
from scoref.resampling.units import Units


@dataclass(frozen=True, slots=True)
class Intervals:
    """Intervals by metric, and the documents that influence each F1 most.

    `effective` is the effective number of documents, by metric.
    """

    by_metric: Mapping[str, ScoreIntervals]
    influences: Mapping[str, tuple[Influence, ...]]
    effective: Mapping[str, EffectiveUnits]
    sampling: Sampling
    units: Units

    def __getitem__(self, metric: str) -> ScoreIntervals:
        return self.by_metric[metric]

    @property
    def cautions(self) -> list[str]:
        """Warnings about the reliability of these intervals."""
        return [*effective_cautions(self.effective, self.units), *self.units.cautions()]


def intervals(result: Counted, sampling: Sampling) -> Intervals:
    """Return the intervals of every score of a response."""
    units = sampling.units(result.counts.units, result.policy.unit)
    units.check()
    resampled = {
        metric.name: Resampled.of([[result]], metric, units, sampling)
        for metric in result.counts.metrics
    }
    if sampling.method != "jackknife":
        draw_together(list(resampled.values()))
    return Intervals(
        {name: one.intervals(0) for name, one in resampled.items()},
        {name: one.influences(0) for name, one in resampled.items()},
        {name: one.effective(0) for name, one in resampled.items()},
        sampling,
        units,
    )
