"""Estimates from a sample of key entities, a row per score; and what was drawn to be annotated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from scoref.analysis.estimation import Estimates
from scoref.analysis.sampling import DrawnSample
from scoref.base.phrases import counted
from scoref.base.viewed import MetricName
from scoref.resampling.bootstrap import Interval
from scoref.views.formatting import as_dicts, bounds, percent, pick
from scoref.views.model import BaseView, Page, TableView

_SHOWN = {"f1": "F1"}
_NOUNS = {"record": "record", "size": "record"}


def _population(number: int, by: str) -> str:
    noun = _NOUNS.get(by, "entity")
    return counted(number, noun, "entities" if noun == "entity" else "")


@dataclass(frozen=True, slots=True)
class EstimatesView(BaseView):
    """Estimates in percent with their intervals."""

    estimates: Estimates
    digits: int = 2

    def page(self) -> Page:
        """Return a row per score."""
        found, digits = self.estimates, self.digits
        header = [
            "metric",
            "score",
            "estimate",
            "standard error",
            f"{found.sampling.confidence} interval",
        ]
        rows = [
            [
                MetricName(metric),
                _SHOWN.get(score, score),
                percent(one.estimate, digits),
                percent(one.se, digits),
                bounds(Interval(one.low, one.high), digits),
            ]
            for metric, scores in found.by_metric.items()
            for score, one in scores.items()
        ]
        design = found.design
        of = f" of {_population(design.population, design.name)}" if design.population else ""
        entities = counted(found.entities, "entity", "entities")
        inputs = [
            ["sample", entities, counted(found.sampled_records, "record")],
            [
                "response",
                counted(found.clusters, "entity", "entities"),
                counted(found.records, "record"),
            ],
        ]
        remarks = [
            f"design {design.name}: {counted(design.draws, 'draw')}{of}",
            *(f"caution: {one}" for one in found.cautions),
        ]
        tables = [TableView(header, rows, left=2)]
        return Page(tables=tables, inputs=inputs, remarks=remarks, signature=found.signature)

    def records(self) -> Iterator[Sequence[object]]:
        """Return a row per score."""
        yield ["metric", "score", "estimate", "se", "low", "high"]
        for metric, scores in self.estimates.by_metric.items():
            for score, one in scores.items():
                yield [metric, score, *one]

    def content(self) -> dict[str, Any]:
        """Return everything."""
        found = self.estimates
        return {
            "signature": found.signature,
            "design": found.design._asdict(),
            "level": found.sampling.level,
            "sample": {"entities": found.entities, "records": found.sampled_records},
            "response": {"entities": found.clusters, "records": found.records},
            "estimates": {name: as_dicts(scores) for name, scores in found.by_metric.items()},
            "cautions": found.cautions,
            "notes": found.notes,
        }


@dataclass(frozen=True, slots=True)
class DrawnSampleView(BaseView):
    """How much was drawn, and the precision to expect; as CSV, the rows to annotate."""

    sample: DrawnSample
    digits: int = 2

    def page(self) -> Page:
        """Return the numbers, and a row per score if a pilot was given."""
        found, digits = self.sample, self.digits
        rows = [
            ["drawn by", found.by],
            ["draws", f"{found.draws:,} of {_population(found.population, found.by)}"],
            ["entities", "to be annotated" if found.entities is None else f"{found.entities:,}"],
            ["rows", f"{len(found.rows):,}"],
            ["seed", f"{found.seed}"],
        ]
        tables = [TableView(["sample", found.source], rows, left=2)]
        if found.expected:
            header = [
                "expected",
                "score",
                "pilot",
                f"± with {found.draws:,} draws",
                "draws for ± 1 point",
            ]
            tables.append(TableView(header, [*self._expected(digits)], left=2))
        return Page(
            tables=tables, remarks=["the rows to annotate are written as csv: -o sample.csv"]
        )

    def _expected(self, digits: int) -> Iterator[list[str]]:
        for metric, scores in self.sample.expected.items():
            for score, one in scores.items():
                needed = "" if one.draws is None else f"{one.draws:,}"
                margin = percent(one.margin, digits)
                yield [
                    MetricName(metric),
                    _SHOWN.get(score, score),
                    percent(one.estimate, digits),
                    margin,
                    needed,
                ]

    def records(self) -> Iterable[Sequence[object]]:
        """Return the rows to annotate."""
        return [self.sample.header, *self.sample.rows]

    def content(self) -> dict[str, Any]:
        """Return everything."""
        found = self.sample
        return {
            **pick(found, "source", "by", "draws", "seed", "population", "entities", "level"),
            "expected": {name: as_dicts(scores) for name, scores in found.expected.items()},
            "columns": found.header,
            "rows": found.rows,
            "notes": found.notes,
        }
