"""A result in every output."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from scoref.base.phrases import counted, listed
from scoref.base.viewed import MetricName
from scoref.policy import ALL_MENTIONS
from scoref.result import Result
from scoref.views.formatting import (
    FIELDS,
    INTERVAL_FIELDS,
    as_dicts,
    bounds,
    dropped_lines,
    effective_line,
    interval_line,
    percent,
    resampling,
    side_rows,
)
from scoref.views.model import BaseView, Page, TableView

if TYPE_CHECKING:
    from scoref.metrics import Metric
    from scoref.resampling.intervals import Intervals

_SCORES = ("recall", "precision", "F1")


@dataclass(frozen=True, slots=True)
class ResultView(BaseView):
    """Scores with or without intervals, for all documents together and perhaps for each."""

    result: Result
    per_document: bool = False
    digits: int = 2
    intervals: Intervals | None = None
    style: str = "full"

    def render(self, output: str) -> str:
        """Render as one of `outputs`; in LaTeX, `style` can be that of most papers."""
        if self.style == "full":
            return BaseView.render(self, output)
        from scoref.views.paper_table import PaperRow, check_style, write_paper_table  # noqa: PLC0415

        check_style(self.style, output)
        row = PaperRow(Path(self.result.response.source).stem or "response", self.result.scores)
        caption = ["Recall, precision and F1 in percent"]
        return write_paper_table([row], caption, self.result.signature, self.digits)

    def page(self) -> Page:
        """Return the inputs, what was dropped, F1 by document, the scores, and the signature."""
        result = self.result
        return Page(
            inputs=side_rows(result.key, result.response),
            changes=dropped_lines(result.key, result.response),
            tables=[*([self._documents()] if self.per_document else []), self._scores()],
            remarks=[
                *self._distance_lines(),
                *self._unscored_lines(),
                *self._interval_lines(),
                *(result.fidelity.lines() if result.fidelity else ()),
            ],
            signature=result.signature,
        )

    def _scores(self) -> TableView:
        """Return a row per metric: recall, precision and F1, each with its interval."""
        intervals, how = self.intervals, self._interval_lines()[:1]
        confidence = [intervals.sampling.confidence] if intervals else []
        rows = []
        for metric in self.result.counts.metrics:
            name, score = metric.name, self.result[metric.name]
            row: list[str] = [MetricName(name)]
            for at, value in enumerate(score):
                shown = self._shown(metric, value) or ("undefined" if at == 2 else "")
                row.append(shown)
                row += [bounds(intervals[name][at], self.digits)] if intervals else []
            rows.append(row)
        header = ["metric", *(cell for name in _SCORES for cell in (name, *confidence))]
        caption = ["Recall, precision and F1 in percent", *self._distance_lines(), *how]
        return TableView(header, rows, caption=caption)

    def _shown(self, metric: Metric, value: float) -> str:
        return percent(value * metric.scale / 100, self.digits)

    def _distance_lines(self) -> list[str]:
        """Say which metrics are not in percent."""
        names = [metric.name for metric in self.result.counts.metrics if metric.is_distance]
        what = "a distance" if len(names) == 1 else "distances"
        return [f"{listed(names)}: {what}, not in percent, and 0 is best"] if names else []

    def _documents(self) -> TableView:
        """Return a row per document, the F1 of each metric, and all documents together.

        Documents without mentions in the slice of `where` have no row.
        """
        result, unscored = self.result, self._unas_dicts()

        def f1(scores: Any) -> list[str]:
            metrics = result.counts.metrics
            return [self._shown(one, scores[one.name].f1) or "undefined" for one in metrics]

        return TableView(
            ["F1 by document", *map(MetricName, result)],
            [
                [document, *f1(scores)]
                for document, scores in result.documents.items()
                if document not in unscored
            ],
            total=["all", *f1(result)],
            caption=["F1 in percent", *self._distance_lines()],
        )

    def _unas_dicts(self) -> set[str]:
        """Return the documents that have no mentions in the slice of `where`."""
        if self.result.policy.where == ALL_MENTIONS:
            return set()
        without = np.flatnonzero(~self.result.has_counts()).tolist()
        return {self.result.counts.units[at] for at in without}

    def _unscored_lines(self) -> list[str]:
        """Say how many documents the table of documents leaves out."""
        if not self.per_document or not (without := len(self._unas_dicts())):
            return []
        verb = "is" if without == 1 else "are"
        where = self.result.policy.where
        return [f"{counted(without, 'document')} without mentions where {where} {verb} left out"]

    def _interval_lines(self) -> list[str]:
        """Say how intervals were made, and which document moved the last metric most."""
        intervals, result = self.intervals, self.result
        if intervals is None:
            return []
        lines = [interval_line(intervals.sampling, intervals.units)]
        *_, last = result
        for document, difference in intervals.influences[last][:1]:
            f1 = percent(result[last].f1 - difference, self.digits)
            change = percent(-difference, self.digits, "+")
            lines.append(f"without {document}, {last} is {f1} ({change})")
        lines.append(effective_line(intervals.effective, last, intervals.units))
        return [*lines, *(f"caution: {caution}" for caution in intervals.cautions)]

    def records(self) -> Iterator[Sequence[object]]:
        """Return a row per metric; with documents, first a row per document and metric.

        The rows of all documents together have an empty document; only they have intervals.
        """
        result, intervals = self.result, self.intervals
        ends = INTERVAL_FIELDS if intervals else ()
        first = ["document"] if self.per_document else []
        yield [*first, "metric", *FIELDS, *ends, "signature"]
        for document, scores in result.documents.items() if self.per_document else ():
            for name, score in scores.items():
                yield [document, name, *score, *[math.nan] * len(ends), result.signature]
        for name, score in result.scores.items():
            found = [end for one in intervals[name] for end in one] if intervals else []
            yield [*([""] if first else []), name, *score, *found, result.signature]

    def content(self) -> dict[str, Any]:
        """Return everything that a result has."""
        result, intervals = self.result, self.intervals
        content: dict[str, Any] = {
            "signature": result.signature,
            "short_signature": result.short_signature,
            "key": result.key._asdict(),
            "response": result.response._asdict(),
            "scores": as_dicts(result.scores),
            "counts": {name: result.totals(name) for name in result},
            "notes": list(result.notes),
        }
        if result.fidelity is not None:
            content["fidelity"] = result.fidelity.content()
        if intervals is not None:
            content["intervals"] = as_dicts(intervals.by_metric)
            content["influences"] = {
                name: [moved._asdict() for moved in intervals.influences[name]] for name in result
            }
            content["resampling"] = resampling(intervals.sampling, intervals.units)
            content["effective_units"] = as_dicts(intervals.effective)
            content["cautions"] = intervals.cautions
        if self.per_document:
            documents = result.documents.items()
            content["documents"] = {document: as_dicts(scores) for document, scores in documents}
        return content


@dataclass(frozen=True, slots=True)
class IntervalsView(BaseView):
    """Intervals without their scores: a row per metric."""

    intervals: Intervals
    digits: int = 2

    def page(self) -> Page:
        """Return the intervals of recall, precision and F1, and how they were made."""
        found = self.intervals
        header = ["metric", *(f"{name} ({found.sampling.confidence})" for name in _SCORES)]
        rows = [
            [MetricName(metric), *(bounds(one, self.digits) for one in ranges)]
            for metric, ranges in found.by_metric.items()
        ]
        remarks = [interval_line(found.sampling, found.units)]
        remarks += [f"caution: {caution}" for caution in found.cautions]
        return Page(tables=[TableView(header, rows)], remarks=remarks)

    def records(self) -> Iterator[Sequence[object]]:
        """Return a row per metric: the ends of the interval of each score."""
        yield ["metric", *INTERVAL_FIELDS]
        for metric, ranges in self.intervals.by_metric.items():
            yield [metric, *(end for interval in ranges for end in interval)]

    def content(self) -> dict[str, Any]:
        """Return the ends of the interval of each score, by metric."""
        return as_dicts(self.intervals.by_metric)
