"""Confidence intervals of the scores of one response, and the influence of each document."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoref.base import html
from scoref.base.viewed import pandas_table, polars_table
from scoref.counts.counted import Counted
from scoref.resampling.effective import EffectiveUnits, effective_cautions
from scoref.resampling.resampled_scores import Influence, Resampled, ScoreIntervals, draw_together
from scoref.resampling.sampling_options import Sampling
from scoref.resampling.units import Units

_SCORES = ("recall", "precision", "f1")


@dataclass(frozen=True, slots=True, eq=False)
class Intervals:
    """Intervals by metric, and the documents that influence each F1 most.

    Two are equal if their ends, influences and sampling are.

    `effective` is the effective number of documents, by metric.
    """

    by_metric: Mapping[str, ScoreIntervals]
    influences: Mapping[str, tuple[Influence, ...]]
    effective: Mapping[str, EffectiveUnits]
    sampling: Sampling
    units: Units

    def __getitem__(self, metric: str) -> ScoreIntervals:
        return self.by_metric[metric]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Intervals):
            return NotImplemented
        own = self.to_dict(), self.influences, self.sampling
        return own == (other.to_dict(), other.influences, other.sampling)

    def __hash__(self) -> int:
        return hash((tuple(self.by_metric), self.sampling.level))

    def records(self) -> Iterator[Sequence[object]]:
        """Return a row per metric: the ends of the interval of each score, the header first."""
        yield ["metric", *(f"{score}_{end}" for score in _SCORES for end in ("low", "high"))]
        for metric, found in self.by_metric.items():
            yield [metric, *(end for interval in found for end in interval)]

    def to_dict(self) -> dict[str, dict[str, list[float | None]]]:
        """Return the ends of the interval of each score by metric; None if it does not exist."""
        return {
            metric: {
                score: [None if math.isnan(end) else end for end in interval]
                for score, interval in zip(_SCORES, found, strict=True)
            }
            for metric, found in self.by_metric.items()
        }

    def to_pandas(self) -> Any:
        """Return a row per metric as a DataFrame of pandas."""
        return pandas_table(self.records())

    def to_polars(self) -> Any:
        """Return a row per metric as a DataFrame of polars."""
        return polars_table(self.records())

    def __repr__(self) -> str:
        ends = (
            f"{metric} [{100 * found.f1.low:.2f}, {100 * found.f1.high:.2f}]"
            for metric, found in self.by_metric.items()
        )
        return f"<Intervals ({self.sampling.confidence}): F1 {', '.join(ends)}>"

    def _repr_html_(self) -> str:
        """Show the intervals in percent in a notebook."""
        rows = [
            [
                metric,
                *(
                    "" if math.isnan(low) else f"[{100 * low:.2f}, {100 * high:.2f}]"
                    for low, high in found
                ),
            ]
            for metric, found in self.by_metric.items()
        ]
        header = ["metric", *(f"{score} ({self.sampling.confidence})" for score in _SCORES)]
        return html.block(html.table(header, rows), *map(html.note, self.cautions))

    @property
    def cautions(self) -> list[str]:
        """Warnings about the reliability of these intervals."""
        return [*effective_cautions(self.effective, self.units), *self.units.cautions()]


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
        {name: one.effective(0) for name, one in resampled.items()},
        sampling,
        units,
    )
