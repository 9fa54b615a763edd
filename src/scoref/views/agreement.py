"""Agreement of annotators: a row per pair, Krippendorff's alpha of all."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from scoref.annotators.agreement import Agreement, Estimate
from scoref.annotators.beyond_chance import BASELINES
from scoref.base.phrases import counted
from scoref.base.viewed import MetricName
from scoref.views.formatting import as_dicts, bounds, interval_line, percent, pick, resampling
from scoref.views.model import BaseView, Page, TableView

_LINKS = "links: alpha on the mentions that both annotators marked; kappa: mentions, word by word"
_BASELINES = (
    "marks nothing, random: alpha of each annotator with one who marks nothing, and with one who"
    " deals the same mentions at random to entities of the same sizes; means over annotators"
)
_NAMES = {"passonneau": "Passonneau's distance", "masi": "MASI distance"}


@dataclass(frozen=True, slots=True)
class AgreementView(BaseView):
    """F1 of each pair, and alpha by distance, with intervals if there are any."""

    agreement: Agreement
    digits: int = 2

    def page(self) -> Page:
        """Return tables of F1 and of alpha."""
        found, tables = self.agreement, [self._pairs(), self._mentions(), self._alphas()]
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
                row = ["" if at else name, MetricName(metric), percent(value, digits)]
                rows.append([*row, *([bounds(interval, digits)] if self._confidence else [])])
        return TableView(["pair", "metric", "F1", *self._confidence], rows, left=2)

    def _mentions(self) -> TableView:
        """Return a row per pair: agreement on mentions, on all, and on links alone."""
        header = ["pair", "mentions of both", "F1", "kappa", "alpha", "MASI alpha"]
        rows = []
        for pair in self.agreement.pairs:
            shared, f1, kappa = pair.mentions
            row = [f"{pair.one} / {pair.other}", f"{shared:,}", percent(f1, self.digits)]
            row += [_alpha(kappa), *(_alpha(pair.alpha[name].value) for name in _NAMES)]
            rows.append([*row, *(_alpha(pair.alpha_shared[name].value) for name in _NAMES)])
        return TableView([*header, "links: alpha", "MASI alpha"], rows)

    def _alphas(self) -> TableView:
        """Return a row per distance: alpha, and the baselines to read it against."""
        rows = []
        for name, (value, interval) in self.agreement.alpha.items():
            low, high = map(_alpha, interval or (math.nan, math.nan))
            shown = [f"[{low}, {high}]" if low else ""] if self._confidence else []
            baselines = [_alpha(self.agreement.baselines[one][name]) for one in BASELINES]
            rows.append([_NAMES[name], _alpha(value), *shown, *baselines])
        header = ["Krippendorff's alpha", "alpha", *self._confidence, "marks nothing", "random"]
        return TableView(header, rows)

    def records(self) -> Iterator[Sequence[object]]:
        """Return a row per metric and pair, and a row per distance of alpha."""
        found = self.agreement
        yield ["measure", "one", "other", "value", "low", "high"]
        estimates = [
            (metric, pair.one, pair.other, pair.f1[metric])
            for metric in found.metrics
            for pair in found.pairs
        ]
        for pair in found.pairs:
            both = pair.one, pair.other
            mentions = {"mentions_f1": pair.mentions.f1, "mentions_kappa": pair.mentions.kappa}
            estimates += [(name, *both, Estimate(one, None)) for name, one in mentions.items()]
            estimates += [(f"alpha_{name}", *both, one) for name, one in pair.alpha.items()]
            estimates += [
                (f"alpha_shared_{name}", *both, one) for name, one in pair.alpha_shared.items()
            ]
        estimates += [(f"alpha_{name}", "", "", one) for name, one in found.alpha.items()]
        estimates += [
            (f"alpha_{name}", baseline, "", Estimate(value, None))
            for baseline, by_distance in found.baselines.items()
            for name, value in by_distance.items()
        ]
        for *names, estimate in estimates:
            yield [*names, estimate.value, *(estimate.interval or ("", ""))]

    def content(self) -> dict[str, Any]:
        """Return everything that an agreement has."""
        found = self.agreement
        return {
            **pick(found, "signature", "annotators", "mentions"),
            "pairs": [
                {
                    **pick(pair, "one", "other"),
                    "f1": as_dicts(pair.f1),
                    "mentions": pair.mentions._asdict(),
                    "alpha": as_dicts(pair.alpha),
                    "alpha_shared": as_dicts(pair.alpha_shared),
                }
                for pair in found.pairs
            ],
            "mean_f1": {metric: found.mean(metric) for metric in found.metrics},
            "alpha": as_dicts(found.alpha),
            "baselines": found.baselines,
            "effective_units": as_dicts(found.effective),
            "resampling": resampling(found.sampling, found.units),
            **pick(found, "notes", "cautions"),
            "refusal": found.refusal or None,
        }


def _alpha(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.3f}"


def _remarks(agreement: Agreement) -> list[str]:
    read = (
        f"{counted(len(agreement.annotators), 'annotator')},"
        f" {counted(agreement.mentions, 'mention')} marked by at least one of them"
    )
    lines = [read, _LINKS, _BASELINES]
    if agreement.refusal:
        return [*lines, agreement.refusal, f"to get them, {agreement.units.remedy()}"]
    cautions = [f"caution: {caution}" for caution in agreement.cautions]
    return [*lines, interval_line(agreement.sampling, agreement.units), *cautions]
