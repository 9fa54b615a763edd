"""The errors of a report: how many of each kind, and what they cost."""

from __future__ import annotations

from collections.abc import Sequence

from scoref.analysis.errors import KINDS, TITLES, Repair
from scoref.analysis.errors.kinds import ALL
from scoref.base.html import Markup, join, tag
from scoref.pages.report.charts import badge, bar, signed
from scoref.pages.report.content import Content, SystemAnalysis
from scoref.pages.report.pieces import Cell, Heat, cases_link, heats, points, table
from scoref.pages.toolkit.html_file import section

MOST_GROUPS = 3
"""More systems than this have one column each."""
_MEANING = {
    "span": "the right mention with the wrong boundaries",
    "conflated": "mentions of another key entity in a response entity",
    "extra_mention": "a mention that is not in the key, in an entity that is",
    "extra_entity": "an entity that is not in the key",
    "divided": "a part of a key entity that is separate from the rest",
    "missing_mention": "a mention that is not in the response, of an entity that is",
    "missing_entity": "an entity that is not in the response",
}


def errors(content: Content) -> Markup:
    """Show the number of errors of each kind, and what each kind costs."""
    metric, many = content.comparison.metric, len(content.analyses)
    systems = content.comparison.systems
    rows = []
    for repairs in zip(*(analysis.summary.repairs for analysis in content.analyses), strict=True):
        name = repairs[0].name
        title = tag("span", TITLES.get(name, "all errors"), class_="kind")
        meaning = tag("span", _MEANING[name], class_="soft meaning") if name != ALL else ""
        cells: list[Cell] = [join(title, meaning)]
        for at, one in enumerate(repairs):
            cells += _narrow(content, at, one) if many > MOST_GROUPS else _wide(content, at, one)
        rows.append(cells)
    columns = ("errors", "cost", "")
    groups: list[tuple[str, Sequence[str]]]
    groups = [(signed(at, one), columns) for at, one in enumerate(systems)]
    note, style = "", "numbers kinds"
    if many == 1:
        groups = [("", columns)]
    if many > MOST_GROUPS:
        groups = [("", [badge(at, one) for at, one in enumerate(systems)])]
        note, style = "Cost in points, and the number of errors below it.", f"{heats(many)} kinds"
    return section(
        "errors",
        "Errors",
        f"The cost of a kind of error is the gain in {metric} F1, in points, if all errors of"
        " that kind were repaired and no others. Costs do not add up, because one repair can"
        " correct several errors. Click a number of errors to see them.",
        table("error", groups, rows, "Errors by kind, and their cost", class_=style, note=note),
        [_details(at, content) for at in range(many)] if many <= MOST_GROUPS else _all(content),
    )


def _link(content: Content, at: int, one: Repair) -> Markup:
    filters = {} if one.name == ALL else {"kind": KINDS.index(one.name)}
    text = f"{one.count:,}"
    return cases_link(content, at, text, **filters) if one.count else tag("span", text)


def _wide(content: Content, at: int, one: Repair) -> list[Cell]:
    metric = content.comparison.metric
    gains = [one.gains[metric] for a in content.analyses for one in a.repairs_of_kinds]
    most, losses = max(map(abs, gains), default=0.0), any(gain < -1e-9 for gain in gains)
    gain, cost = one.gains[metric], points(one.gains[metric])
    picture = bar(gain, most, f"{cost} points", at, losses=losses) if one.name != ALL else ""
    return [_link(content, at, one), cost, picture]


def _narrow(content: Content, at: int, one: Repair) -> list[Cell]:
    metric = content.comparison.metric
    gains = [one.gains[metric] for a in content.analyses for one in a.repairs_of_kinds]
    most = max(map(abs, gains), default=0.0) or 1.0
    share = one.gains[metric] / most if one.name != ALL else 0.0
    if not one.count:
        return [tag("span", "0", class_="soft")]
    return [Heat(points(one.gains[metric]), _link(content, at, one), share)]


def _all(content: Content) -> Markup:
    """Fold the details of many systems into one line."""
    details = [_details(at, content) for at in range(len(content.analyses))]
    summary = tag("summary", "All metrics, and errors by mention type")
    return tag("details", summary, tag("div", details, class_="inner"))


def _details(at: int, content: Content) -> Markup:
    """Show the cost of each kind of error in every metric, and the errors by mention type."""
    analysis = content.analyses[at]
    repairs, by_type = analysis.summary.repairs, analysis.errors.by_type
    name = analysis.name
    costs = [
        [TITLES.get(one.name, "all errors"), *map(points, one.gains.values())] for one in repairs
    ]
    types = [type_ for type_ in by_type if any(by_type[type_].values())]
    counts = [
        [TITLES[kind], *(_of_type(content, at, kind, type_, analysis) for type_ in types)]
        for kind in KINDS
    ]
    columns = [("", [type_ or "unknown" for type_ in types])]
    return tag(
        "details",
        tag("summary", f"{name}: all metrics, and errors by mention type"),
        tag(
            "div",
            table("cost", [("", list(repairs[0].gains))], costs, f"Costs for {name}"),
            table("errors", columns, counts, f"Errors of {name} by mention type"),
            class_="halves",
        ),
    )


def _of_type(
    content: Content, at: int, kind: str, type_: str, analysis: SystemAnalysis
) -> str | Markup:
    count = analysis.errors.by_type[type_][kind]
    if not count:
        return "0"
    number = list(analysis.errors.by_type).index(type_)
    return cases_link(content, at, f"{count:,}", kind=KINDS.index(kind), type=number)
