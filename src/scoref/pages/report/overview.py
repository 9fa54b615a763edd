"""The overview of a report: the score and the errors of each system, tests, and all metrics."""

from __future__ import annotations

import math

from scoref.analysis.errors import TITLES
from scoref.analysis.errors.kinds import CONFLATED, KINDS
from scoref.base.html import Markup, join, tag
from scoref.base.phrases import counted
from scoref.comparison.comparison import Comparison, System
from scoref.comparison.pairwise_tests import Pair
from scoref.pages.report.content import Content, SystemAnalysis
from scoref.pages.report.pieces import bar, cases_link, chart, table
from scoref.pages.toolkit import section
from scoref.pages.toolkit.systems import MINUS, beaten, f1_range, percent, signed, whisker
from scoref.resampling.significance import smallest_p
from scoref.views.formatting import interval_line

MOST_CARDS = 4
"""More systems than this are listed in a table."""
_MOST_PAIRS = 3
_MOST_KINDS = 4


def glance(content: Content) -> Markup:
    """Show the score of each system in the ranking metric, and the results of the tests."""
    comparison = content.comparison
    many = len(comparison.systems)
    systems = _alone(content) if many == 1 else _ranking(content)
    if 1 < many <= MOST_CARDS:
        systems = _cards(content)
    pairs = [] if comparison.refusal else comparison.pairs[comparison.metric][:_MOST_PAIRS]
    remarks = [one for one in (*comparison.cautions, comparison.blind, comparison.refusal) if one]
    return tag(
        "section",
        tag("h2", "Overview", class_="hidden"),
        systems,
        _open_text(content),
        tag("ul", [tag("li", _verdict(pair, comparison)) for pair in pairs], class_="said"),
        tag("ul", [tag("li", f"{r[0].upper()}{r[1:]}.") for r in remarks], class_="said soft"),
        id="glance",
    )


def _open_text(content: Content) -> Markup:
    """Lead to the text at once if there is only one document."""
    if content.key.documents != 1 or any(a.mentions.spans is None for a in content.analyses):
        return Markup("")
    name = content.analyses[0].mentions.sides[0].documents[0].name
    link = tag("a", "Open the text", href="#doc/0", class_="as-button")
    return tag("p", tag("b", name), " is the only document. ", link, class_="only")


def _alone(content: Content) -> Markup:
    """Show a single system, and the kinds of errors that cost it most."""
    (system,), (analysis,), metric = (
        content.comparison.systems,
        content.analyses,
        content.comparison.metric,
    )
    kinds = sorted(analysis.repairs_of_kinds, key=lambda one: -one.gains[metric])[:_MOST_KINDS]
    most = max((one.gains[metric] for one in kinds), default=0.0)
    items = []
    for one in kinds:
        if not one.count:
            continue
        cost = f"{100 * one.gains[metric]:.2f} points"
        link = cases_link(content, 0, TITLES[one.name], kind=KINDS.index(one.name))
        picture = bar(one.gains[metric], most, cost)
        items.append(tag("li", tag("span", link), picture, tag("b", cost), class_="costing"))
    what = f"{counted(len(analysis.errors), 'error')}; the kinds that cost most"
    costs = tag("div", tag("p", what, class_="soft what"), tag("ul", items), class_="card costs")
    if not items:
        costs = tag("div", tag("p", "No errors: the response equals the key."), class_="card costs")
    return tag("div", tag("div", _score(system, metric), class_="card"), costs, class_="hero")


def _cards(content: Content) -> Markup:
    metric = content.comparison.metric
    cards = []
    for at, (system, analysis) in enumerate(
        zip(content.comparison.systems, content.analyses, strict=True)
    ):
        cost = tag("p", _costliest(content, at, analysis), class_="soft")
        cards.append(tag("li", _score(system, metric, at), cost, class_="card"))
    return tag("ul", cards, class_="cards")


def _score(system: System, metric: str, at: int | None = None) -> Markup:
    """Show the score of a system with its interval; `at` is its place among several."""
    what = f"{metric} F1"
    if system.deviations:
        spread = percent(system.deviations[metric].f1)
        what = f"{what}, mean of {len(system.runs)} runs (sd {spread})"
    return join(
        tag("h3", signed(at or 0, system, alone=at is None)),
        tag("p", what, class_="soft what"),
        tag("p", percent(system.scores[metric].f1), class_="big"),
        tag("p", _interval(system, metric), class_="soft"),
    )


def _interval(system: System, metric: str) -> str:
    if metric not in system.intervals:
        return ""
    low, high = system.intervals[metric].f1
    return f"95 % interval {percent(low)} to {percent(high)}"


def _ranking(content: Content) -> Markup:
    """List many systems in a table, best first."""
    comparison = content.comparison
    metric, limits = comparison.metric, f1_range(comparison, comparison.metric)
    rows = []
    for at, (system, analysis) in enumerate(zip(comparison.systems, content.analyses, strict=True)):
        interval = _interval(system, metric).removeprefix("95 % interval ")
        rows.append(
            [
                signed(at, system),
                tag("strong", percent(system.scores[metric].f1)),
                whisker(at, system, metric, limits),
                tag("span", interval, class_="soft"),
                cases_link(content, at, f"{len(analysis.errors):,}"),
                tag("span", _worst_kind(analysis, metric, ", "), class_="soft"),
            ]
        )
    scale = f"{100 * limits[0]:.0f} to {100 * limits[1]:.0f}"
    columns = [("", (f"{metric} F1", scale, "95 % interval", "errors", "what costs most"))]
    title = f"Ranking by {metric} F1"
    return table("system", columns, rows, title, class_="numbers ranking", note=f"{title}.")


def _costliest(content: Content, at: int, analysis: SystemAnalysis) -> Markup:
    """Return the number of errors, with a link to them, and the kind that costs most."""
    many = cases_link(content, at, counted(len(analysis.errors), "error"))
    worst = _worst_kind(analysis, content.comparison.metric, " cost most, ")
    return join(many, f"; {worst}" if worst else "")


def _worst_kind(analysis: SystemAnalysis, metric: str, verb: str) -> str:
    worst = max(analysis.repairs_of_kinds, key=lambda one: one.gains[metric])
    if not worst.gains[metric] > 0:
        return ""
    title = TITLES[worst.name]
    if worst.name != CONFLATED:  # this title is a plural
        title = f"{title.removesuffix('y')}ies" if title.endswith("y") else f"{title}s"
    return f"{title}{verb}{100 * worst.gains[metric]:.2f} points"


def _verdict(pair: Pair, comparison: Comparison) -> Markup:
    better, worse = (pair.one, pair.other) if pair.difference >= 0 else (pair.other, pair.one)
    at = {system.name: number for number, system in enumerate(comparison.systems)}
    names = [signed(at[name], comparison[name]) for name in (better, worse)]
    difference = f" by {100 * abs(pair.difference):.2f} points of {comparison.metric}"
    return join(names[0], " is ahead of ", names[1], difference, _test(pair, comparison), ".")


def _test(pair: Pair, comparison: Comparison) -> str:
    """Say how sure the difference is, or that no test was possible."""
    if pair.simultaneous is None or math.isnan(pair.simultaneous[0]):
        return "; no test was possible"
    sign = -1 if pair.difference < 0 else 1
    low, high = sorted(100 * sign * end for end in pair.simultaneous)
    interval = f" (95 % interval {low:.2f} to {high:.2f}".replace("-", MINUS)
    level = comparison.sampling.level
    if comparison.blind or (pair.exact and smallest_p(pair.differing) >= level):
        few = counted(pair.differing, comparison.units.kind)
        return f"{interval}); they differ in {few}, which is too few for a test"
    result = "" if pair.significant else "; the difference is not significant"
    return f"{interval}, p = {pair.adjusted:.4f}){result}"


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
