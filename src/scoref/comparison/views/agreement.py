"""Agreement of annotators: a row per pair, Krippendorff's alpha of all."""

from __future__ import annotations

import math

from scoref.base.phrases import counted
from scoref.comparison.agreement import Agreement, Estimate
from scoref.exceptions import UsageError
from scoref.render import OUTPUTS
from scoref.render.csv import exact
from scoref.render.json import ends, number, resampling
from scoref.render.layout import bounds, interval_line, percent
from scoref.render.tables import Row, render_rows
from scoref.render.text import wrapped
from scoref.resampling.resampling import Interval

_NAMES = {"passonneau": "Passonneau's distance", "masi": "MASI distance"}
_NOTHING = Interval(math.nan, math.nan)


def render(agreement: Agreement, output: str, *, digits: int) -> str:
    """Render tables of F1 and of alpha; csv and json exactly."""
    if output not in OUTPUTS:
        raise UsageError(f"unknown output {output!r}", f"one of: {', '.join(OUTPUTS)}")
    if output == "json":
        return _json(agreement)
    if output == "csv":
        return render_rows(
            ["measure", "one", "other", "value", "low", "high"], _rows(agreement), "csv"
        )
    parts = [
        render_rows(*_pairs(agreement, digits), output, left=2),
        render_rows(*_alphas(agreement), output),
    ]
    remarks = "\n".join(map(wrapped, _remarks(agreement)))
    tail = f"{remarks}\n\n{agreement.signature}"
    if output == "latex":  # LaTeX would take the remarks for part of the text
        tail = "\n".join(f"% {line}".rstrip() for line in tail.splitlines())
    if output == "markdown":
        tail = f"{remarks}\n\n`{agreement.signature}`"
    return "\n\n".join([*parts, tail])


def _pairs(agreement: Agreement, digits: int) -> tuple[Row, list[Row]]:
    """Return a row for each pair and measure, and the mean of the pairs if there are several."""
    shown = not agreement.refusal
    rows: list[Row] = []
    for pair in agreement.pairs:
        name = f"{pair.one} / {pair.other}"
        for metric in agreement.metrics:
            value, interval = pair.f1[metric]
            ends = [bounds(interval, digits)] if interval else []
            rows.append([name, metric, percent(value, digits), *ends])
            name = ""
    name = "mean of pairs"
    for metric in agreement.metrics if len(agreement.pairs) > 1 else ():
        mean = percent(agreement.mean(metric), digits)
        rows.append([name, metric, mean, *([""] if shown else [])])
        name = ""
    return ["pair", "metric", "F1", *([agreement.sampling.confidence] if shown else [])], rows


def _alphas(agreement: Agreement) -> tuple[Row, list[Row]]:
    shown = not agreement.refusal
    header = ["Krippendorff's alpha", "alpha", *([agreement.sampling.confidence] if shown else [])]
    rows = []
    for name, (value, interval) in agreement.alpha.items():
        row = [_NAMES[name], _alpha(value)]
        if interval:
            low, high = map(_alpha, interval)
            row.append(f"[{low}, {high}]" if low else "")
        rows.append(row)
    return header, rows


def _alpha(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.3f}"


def _remarks(agreement: Agreement) -> list[str]:
    read = (
        f"{counted(len(agreement.annotators), 'annotator')},"
        f" {counted(agreement.mentions, 'mention')} that any of them marked"
    )
    if agreement.refusal:
        return [read, agreement.refusal, f"to have them, {agreement.units.remedy()}"]
    cautions = [f"caution: {caution}" for caution in agreement.units.cautions()]
    return [read, interval_line(agreement.sampling, agreement.units), *cautions]


def _rows(agreement: Agreement) -> list[Row]:
    def row(measure: str, one: str, other: str, estimate: Estimate) -> Row:
        found = estimate.interval or _NOTHING
        return [measure, one, other, *map(exact, (estimate.value, *found))]

    rows = [
        row(metric, pair.one, pair.other, pair.f1[metric])
        for metric in agreement.metrics
        for pair in agreement.pairs
    ]
    return [*rows, *(row(f"alpha_{name}", "", "", one) for name, one in agreement.alpha.items())]


def _json(agreement: Agreement) -> str:
    import json  # noqa: PLC0415  # the one output that needs it

    def estimate(one: Estimate) -> dict[str, object]:
        return {
            "value": number(one.value),
            "interval": ends(one.interval) if one.interval else None,
        }

    content = {
        "signature": agreement.signature,
        "annotators": list(agreement.annotators),
        "mentions": agreement.mentions,
        "pairs": [
            {
                "one": pair.one,
                "other": pair.other,
                "f1": {metric: estimate(pair.f1[metric]) for metric in agreement.metrics},
            }
            for pair in agreement.pairs
        ],
        "mean_f1": {metric: number(agreement.mean(metric)) for metric in agreement.metrics},
        "alpha": {name: estimate(one) for name, one in agreement.alpha.items()},
        "resampling": resampling(agreement.sampling, agreement.units),
        "notes": list(agreement.notes),
        "cautions": agreement.units.cautions(),
        "refusal": agreement.refusal or None,
    }
    return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False)
