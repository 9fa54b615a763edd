"""The scores of a report: every metric as a chart and as tables."""

from __future__ import annotations

import math

from scoref.base.html import Markup, join, tag
from scoref.comparison.comparison import Comparison, System
from scoref.pages.report.charts import beaten, chart, signed
from scoref.pages.report.content import Content
from scoref.pages.report.pieces import percent, table
from scoref.pages.toolkit.html_file import section
from scoref.views.formatting import interval_line

_SIGNIFICANCE = (
    "Letters after a score name the systems that score significantly lower (p < 0.05,"
    " randomisation test with Holm's correction)."
)


def scores(content: Content) -> Markup:
    """Show every metric: a chart of the systems, a table of F1, and recall and precision."""
    comparison = content.comparison
    systems, metrics = comparison.systems, comparison.metrics
    remark = f"{interval_line(comparison.sampling, comparison.units)}."
    intervals = "" if comparison.refusal else tag("p", remark, class_="soft")
    if len(systems) == 1:
        lead = "Recall, precision and F1 in percent."
        picture = chart("chart-scores", f"Scores of {systems[0].name} by metric")
        halves = tag("div", _one_system(systems[0]), picture, class_="halves")
        return section("scores", "Scores", lead, halves, intervals)
    rows = [_f1_row(at, system, comparison) for at, system in enumerate(systems)]
    differ = any(system.beats.get(metric) for system in systems for metric in metrics)
    return section(
        "scores",
        "Scores",
        "F1 of each system by metric, in percent. The best score of a metric is bold.",
        chart(
            "chart-scores", f"F1 by metric{'' if comparison.refusal else ', with 95 % intervals'}"
        ),
        table(
            "system",
            [("", metrics)],
            rows,
            "F1 of each system by metric",
            note=_SIGNIFICANCE if differ else "",
        ),
        intervals,
        tag("details", tag("summary", "Recall and precision"), _both_sides(comparison)),
    )


def _one_system(system: System) -> Markup:
    columns = [("", ("recall", "precision", "F1"))]
    rows = [_score_row(system, metric) for metric in system.scores]
    return table("metric", columns, rows, f"Recall, precision and F1 of {system.name}")


def _both_sides(comparison: Comparison) -> Markup:
    columns = [(metric, ("recall", "precision")) for metric in comparison.metrics]
    rows = [
        [
            signed(at, system),
            *(percent(value) for m in comparison.metrics for value in system.scores[m][:2]),
        ]
        for at, system in enumerate(comparison.systems)
    ]
    return table("system", columns, rows, "Recall and precision of each system by metric")


def _f1_row(at: int, system: System, comparison: Comparison) -> list[str]:
    cells: list[str] = [signed(at, system)]
    for metric in comparison.metrics:
        value = system.scores[metric].f1
        best = max(other.scores[metric].f1 for other in comparison.systems)
        shown = tag("strong", percent(value)) if value == best else percent(value)
        tested = any(other.beats.get(metric) for other in comparison.systems)
        letters = beaten(system.beats.get(metric, ()))
        cells.append(join(shown, tag("sup", letters) if tested else ""))
    return cells


def _score_row(system: System, metric: str) -> list[str]:
    intervals = system.intervals.get(metric)
    cells: list[str] = [metric]
    for at, value in enumerate(system.scores[metric]):
        ends = ""
        if intervals is not None and not math.isnan(intervals[at][0]):
            ends = f"{percent(intervals[at][0])} to {percent(intervals[at][1])}"
        cells.append(join(percent(value), tag("small", ends) if ends else ""))
    return cells
