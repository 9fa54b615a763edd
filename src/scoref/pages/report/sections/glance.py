"""The first screen of a report: each system's score, its errors, and the results of the tests."""

from __future__ import annotations

import math

from scoref.analysis.errors import TITLES
from scoref.analysis.errors.kinds import CONFLATED, KINDS
from scoref.base.html import Markup, join, tag
from scoref.base.phrases import counted
from scoref.comparison.comparison import Comparison, System
from scoref.comparison.pairwise_tests import Pair
from scoref.pages.report.charts import bar, f1_range, signed, whisker
from scoref.pages.report.content import Content, SystemAnalysis
from scoref.pages.report.pieces import MINUS, cases_link, percent, table
from scoref.resampling.significance import smallest_p

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
