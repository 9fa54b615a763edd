"""The scores of a report: the ranking at a glance, then every metric."""

from __future__ import annotations

import math

from scoref.analysis.errors import TITLES
from scoref.analysis.errors.kinds import CONFLATED
from scoref.base.phrases import counted
from scoref.comparison.comparison import Comparison, System
from scoref.comparison.pairwise_tests import Pair
from scoref.render.formatting import interval_line
from scoref.report.charts import legend, whiskers
from scoref.report.content import Content, SystemAnalysis
from scoref.report.formatting import MINUS, percent
from scoref.report.markup import Markup, join, section, table, tag

_SIGNIFICANCE = (
    "letters after a score name the systems that score significantly lower (p < 0.05,"
    " randomisation test with Holm's correction)"
)


def glance(content: Content) -> Markup:
    """Show each system's score in the ranking metric, and the results of the tests."""
    comparison = content.comparison
    cards = [
        _card(system, analysis, comparison.metric)
        for system, analysis in zip(comparison.systems, content.analyses, strict=True)
    ]
    pairs = [] if comparison.refusal else comparison.pairs[comparison.metric][:3]
    remarks = [one for one in (*comparison.cautions, comparison.blind, comparison.refusal) if one]
    return tag(
        "div",
        tag("ul", cards, class_="cards"),
        tag("ul", [tag("li", _verdict(pair, comparison.metric)) for pair in pairs], class_="said"),
        tag("ul", [tag("li", f"{r[0].upper()}{r[1:]}.") for r in remarks], class_="said soft"),
        id="glance",
    )


def _card(system: System, analysis: SystemAnalysis, metric: str) -> Markup:
    interval = " "
    if metric in system.intervals:
        low, high = system.intervals[metric].f1
        interval = f"95 % interval {percent(low)} to {percent(high)}"
    what = f"{metric} F1"
    if system.deviations:
        spread = percent(system.deviations[metric].f1)
        what = f"{what}, mean of {len(system.runs)} runs (sd {spread})"
    return tag(
        "li",
        tag("h3", tag("b", system.label), " ", system.name),
        tag("p", what, class_="soft what"),
        tag("p", percent(system.scores[metric].f1), class_="big"),
        tag("p", interval, class_="soft"),
        tag("p", _costliest(analysis, metric), class_="soft"),
    )


def _costliest(analysis: SystemAnalysis, metric: str) -> str:
    """Return the number of errors, and the kind that costs most."""
    many = counted(len(analysis.errors), "error")
    worst = max(analysis.repairs_of_kinds, key=lambda one: one.gains[metric])
    if not worst.gains[metric] > 0:
        return many
    title = TITLES[worst.name]
    if worst.name != CONFLATED:  # this title is a plural
        title = f"{title.removesuffix('y')}ies" if title.endswith("y") else f"{title}s"
    return f"{many}; {title} cost most, {100 * worst.gains[metric]:.2f} points"


def _verdict(pair: Pair, metric: str) -> Markup:
    better, worse = (pair.one, pair.other) if pair.difference >= 0 else (pair.other, pair.one)
    interval = ""
    if pair.simultaneous is not None and not math.isnan(pair.simultaneous[0]):
        sign = -1 if pair.difference < 0 else 1
        low, high = sorted(100 * sign * end for end in pair.simultaneous)
        shown = f"{low:.2f}".replace("-", MINUS)
        interval = f" (95 % interval {shown} to {high:.2f}, p = {pair.adjusted:.4f})"
    difference = f" by {100 * abs(pair.difference):.2f} points of {metric}"
    result = "" if pair.significant else "; the difference is not significant"
    return join(
        tag("b", better), " is ahead of ", tag("b", worse), difference, interval, result, "."
    )


def scores(content: Content) -> Markup:
    """Show every metric: a chart of the systems, a table of F1, and recall and precision."""
    comparison = content.comparison
    systems, metrics = comparison.systems, comparison.metrics
    rows = [_f1_row(system, comparison) for system in systems]
    remarks = [interval_line(comparison.sampling, comparison.units)]
    remarks += [_SIGNIFICANCE] if len(systems) > 1 else []
    return section(
        "scores",
        "Scores",
        "",
        legend(systems),
        tag("div", whiskers(comparison), class_="scroll"),
        table("F1 in percent", [("", metrics)], rows, "F1 of each system by metric"),
        "" if comparison.refusal else tag("p", "; ".join(remarks), class_="soft"),
        tag("details", tag("summary", "Recall and precision"), map(_details, systems)),
    )


def _details(system: System) -> Markup:
    columns = [("", ("recall", "precision", "F1"))]
    rows = [_score_row(system, metric) for metric in system.scores]
    return table(system.name, columns, rows, f"Recall, precision and F1 of {system.name}")


def _f1_row(system: System, comparison: Comparison) -> list[str]:
    cells: list[str] = [join(tag("b", system.label, class_="label"), " ", system.name)]
    for metric in comparison.metrics:
        value = system.scores[metric].f1
        best = max(other.scores[metric].f1 for other in comparison.systems)
        shown = tag("strong", percent(value)) if value == best else percent(value)
        beaten = "".join(system.beats.get(metric, ()))
        cells.append(join(shown, tag("sup", beaten) if beaten else ""))
    return cells


def _score_row(system: System, metric: str) -> list[str]:
    intervals = system.intervals.get(metric)
    cells: list[str] = [metric]
    for at, value in enumerate(system.scores[metric]):
        ends = ""
        if intervals is not None and not math.isnan(intervals[at][0]):
            ends = f" [{percent(intervals[at][0])}, {percent(intervals[at][1])}]"
        cells.append(join(percent(value), tag("span", ends, class_="soft")))
    return cells
