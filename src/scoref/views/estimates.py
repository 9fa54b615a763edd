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


def _entities(number: int) -> str:
    return counted(number, "entity", "entities")


def _named(metric: str, score: str) -> list[str]:
    return [MetricName(metric), "F1" if score == "f1" else score]


@dataclass(frozen=True, slots=True)
class EstimatesView(BaseView):
    """Estimates in percent with their intervals."""

    estimates: Estimates
    digits: int = 2

    def page(self) -> Page:
        """Return a row per score."""
        found, design, digits = self.estimates, self.estimates.design, self.digits
        interval = f"{found.sampling.confidence} interval"
        header = ["metric", "score", "estimate", "standard error", interval]
        rows = [
            [
                *_named(metric, score),
                *(percent(value, digits) for value in one[:2]),
                bounds(Interval(*one[2:]), digits),
            ]
            for metric, scores in found.by_metric.items()
            for score, one in scores.items()
        ]
        inputs = [
            ["sample", _entities(found.entities), counted(found.sampled_records, "record")],
            ["response", _entities(found.clusters), counted(found.records, "record")],
        ]
        noun = "records" if design.by_size else "entities"
        of = f" of {design.population:,} {noun}" if design.population else ""
        remarks = [f"design {design.name}: {counted(design.draws, 'draw')}{of}"]
        remarks += [f"caution: {one}" for one in found.cautions]
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
        found = self.sample
        noun = "entities" if found.by == "entity" else "records"
        entities = "to be annotated" if found.entities is None else f"{found.entities:,}"
        rows = [
            ["drawn by", found.by],
            ["draws", f"{found.draws:,} of {found.population:,} {noun}"],
            ["entities", entities],
            ["rows", f"{len(found.rows):,}"],
            ["seed", f"{found.seed}"],
        ]
        tables = [TableView(["sample", found.source], rows, left=2)]
        if expected := [*self._expected()]:
            margin = f"± with {found.draws:,} draws"
            header = ["expected", "score", "pilot", margin, "draws for ± 1 point"]
            tables.append(TableView(header, expected, left=2))
        remark = "the rows to annotate are written as csv: -o sample.csv"
        return Page(tables=tables, remarks=[remark])

    def _expected(self) -> Iterator[list[str]]:
        for metric, scores in self.sample.expected.items():
            for score, one in scores.items():
                values = (percent(value, self.digits) for value in one[:2])
                yield [
                    *_named(metric, score),
                    *values,
                    "" if one.draws is None else f"{one.draws:,}",
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
