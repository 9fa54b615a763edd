"""Agreement of annotators: a row per pair, Krippendorff's alpha of all."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from scoref.base.phrases import counted
from scoref.comparison.agreement import Agreement, Estimate
from scoref.render.content import ends, number, pick, resampling
from scoref.render.formatting import bounds, interval_line, percent
from scoref.render.model import BaseView, Page, TableView

_NAMES = {"passonneau": "Passonneau's distance", "masi": "MASI distance"}


@dataclass(frozen=True, slots=True)
class AgreementView(BaseView):
    """F1 of each pair, and alpha by distance, with intervals if there are any."""

    agreement: Agreement
    digits: int = 2

    def page(self) -> Page:
        """Return tables of F1 and of alpha."""
        found, tables = self.agreement, [self._pairs(), self._alphas()]
        return Page(tables=tables, remarks=_remarks(found), signature=found.signature)

    @property
    def _confidence(self) -> list[str]:
        return [] if self.agreement.refusal else [self.agreement.sampling.confidence]

    def _pairs(self) -> TableView:
        """Return a row for each pair and metric, and the mean of the pairs if there are several."""
        found, digits = self.agreement, self.digits
        groups = [(f"{pair.one} / {pair.other}", pair.f1) for pair in found.pairs]
        if len(groups) > 1:
            means = {metric: Estimate(found.mean(metric), None) for metric in found.metrics}
            groups.append(("mean of pairs", means))
        rows = []
        for name, f1 in groups:
            for at, metric in enumerate(found.metrics):
                value, interval = f1[metric]
                row = ["" if at else name, metric, percent(value, digits)]
                rows.append([*row, *([bounds(interval, digits)] if self._confidence else [])])
        return TableView(["pair", "metric", "F1", *self._confidence], rows, left=2)

    def _alphas(self) -> TableView:
        rows = []
        for name, (value, interval) in self.agreement.alpha.items():
            low, high = map(_alpha, interval or (math.nan, math.nan))
            shown = [f"[{low}, {high}]" if low else ""] if self._confidence else []
            rows.append([_NAMES[name], _alpha(value), *shown])
        return TableView(["Krippendorff's alpha", "alpha", *self._confidence], rows)

    def records(self) -> Iterator[Sequence[object]]:
        """Return a row per metric and pair, and a row per distance of alpha."""
        found = self.agreement
        yield ["measure", "one", "other", "value", "low", "high"]
        estimates = [
            (metric, pair.one, pair.other, pair.f1[metric])
            for metric in found.metrics
            for pair in found.pairs
        ]
        estimates += [(f"alpha_{name}", "", "", one) for name, one in found.alpha.items()]
        for *names, estimate in estimates:
            yield [*names, estimate.value, *(estimate.interval or ("", ""))]

    def content(self) -> dict[str, Any]:
        """Return everything that an agreement has."""
        found = self.agreement
        return {
            **pick(found, "signature", "annotators", "mentions"),
            "pairs": [
                pick(pair, "one", "other")
                | {"f1": {metric: _estimate(pair.f1[metric]) for metric in found.metrics}}
                for pair in found.pairs
            ],
            "mean_f1": {metric: number(found.mean(metric)) for metric in found.metrics},
            "alpha": {name: _estimate(one) for name, one in found.alpha.items()},
            "resampling": resampling(found.sampling, found.units),
            "notes": list(found.notes),
            "cautions": found.units.cautions(),
            "refusal": found.refusal or None,
        }


def _alpha(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.3f}"


def _remarks(agreement: Agreement) -> list[str]:
    read = (
        f"{counted(len(agreement.annotators), 'annotator')},"
        f" {counted(agreement.mentions, 'mention')} marked by at least one of them"
    )
    if agreement.refusal:
        return [read, agreement.refusal, f"to get them, {agreement.units.remedy()}"]
    cautions = [f"caution: {caution}" for caution in agreement.units.cautions()]
    return [read, interval_line(agreement.sampling, agreement.units), *cautions]


def _estimate(estimate: Estimate) -> dict[str, object]:
    interval = estimate.interval
    return {"value": number(estimate.value), "interval": ends(interval) if interval else None}
