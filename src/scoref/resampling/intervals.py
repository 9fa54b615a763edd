"""Confidence intervals of the scores of one response, and the influence of each document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scoref.base.viewed import Tabular
from scoref.counts.counted import Counted
from scoref.resampling.cautions import effective_cautions, size_cautions, variance_cautions
from scoref.resampling.effective import EffectiveUnits
from scoref.resampling.jackknife import Spread
from scoref.resampling.resampled_scores import Influence, Resampled, ScoreIntervals, draw_together
from scoref.resampling.sampling_options import Sampling
from scoref.resampling.units import Units


@dataclass(frozen=True, slots=True, eq=False)
class Intervals(Tabular):
    """Intervals by metric, and the documents that influence each F1 most.

    Two are equal if their ends, influences and sampling are.

    `effective` is the effective number of documents by metric, and `spreads` are the standard
    errors of recall, precision and F1.
    """

    by_metric: Mapping[str, ScoreIntervals]
    influences: Mapping[str, tuple[Influence, ...]]
    effective: Mapping[str, EffectiveUnits]
    sampling: Sampling
    units: Units
    spreads: Mapping[str, tuple[Spread, ...]]

    def __getitem__(self, metric: str) -> ScoreIntervals:
        return self.by_metric[metric]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Intervals):
            return NotImplemented
        same = self.influences == other.influences and self.sampling == other.sampling
        return same and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash((tuple(self.by_metric), self.sampling.level))

    def __repr__(self) -> str:
        ends = (
            f"{metric} [{100 * found.f1.low:.2f}, {100 * found.f1.high:.2f}]"
            for metric, found in self.by_metric.items()
        )
        return f"<Intervals ({self.sampling.confidence}): F1 {', '.join(ends)}>"

    @property
    def cautions(self) -> list[str]:
        """Warnings about the reliability of these intervals."""
        return [
            *effective_cautions(self.effective, self.units),
            *size_cautions(self.effective, self.units),
            *variance_cautions({"": self.spreads}, self.units, self.sampling.level),
            *self.units.cautions(),
        ]


def intervals(result: Counted, sampling: Sampling, units: Units | None = None) -> Intervals:
    """Return the intervals of every score of a response; `units` are the documents with counts."""
    units = sampling.counted_units([result]) if units is None else units
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
        {name: one.effective() for name, one in resampled.items()},
        sampling,
        units,
        {name: one.spreads(0) for name, one in resampled.items()},
    )
