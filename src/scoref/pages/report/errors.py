"""The errors of a report: how many of each kind, what they cost, and which entities cost most."""

from __future__ import annotations

from scoref.analysis.errors import KINDS, TITLES, Repair
from scoref.analysis.errors.kinds import ALL
from scoref.analysis.errors.summary import Expensive
from scoref.base.html import Markup, join, tag
from scoref.base.phrases import counted
from scoref.pages.report.content import Content, SystemAnalysis
from scoref.pages.report.pieces import (
    MOST_GROUPS,
    Cell,
    Heat,
    bar,
    cases_link,
    heats,
    mention_text,
    system_groups,
    table,
)
from scoref.pages.toolkit import section
from scoref.pages.toolkit.systems import points, signed

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
    narrow = many > MOST_GROUPS
    gains = [one.gains[metric] for a in content.analyses for one in a.repairs_of_kinds]
    most, losses = max(map(abs, gains), default=0.0), any(gain < -1e-9 for gain in gains)
    rows = []
    for repairs in zip(*(analysis.summary.repairs for analysis in content.analyses), strict=True):
        name = repairs[0].name
        title = tag("span", TITLES.get(name, "all errors"), class_="kind")
        meaning = tag("span", _MEANING[name], class_="soft meaning") if name != ALL else ""
        cells: list[Cell] = [join(title, meaning)]
        for at, one in enumerate(repairs):
            link, gain, cost = _link(content, at, one), one.gains[metric], points(one.gains[metric])
            if narrow:
                share = gain / (most or 1.0) if name != ALL else 0.0
                cells.append(
                    Heat(cost, link, share) if one.count else tag("span", "0", class_="soft")
                )
            else:
                shown = bar(gain, most, f"{cost} points", at, losses=losses) if name != ALL else ""
                cells += [link, cost, shown]
        rows.append(cells)
    note = "Cost in points, and the number of errors below it." if narrow else ""
    style = f"{heats(many)} kinds" if narrow else "numbers kinds"
    groups = system_groups(content, ("errors", "cost", ""))
    return section(
        "errors",
        "Errors",
        f"The cost of a kind of error is the gain in {metric} F1, in points, if all errors of"
        " that kind were repaired and no others. Costs do not add up, because one repair can"
        " correct several errors. Click a number of errors to see them.",
        table("error", groups, rows, "Errors by kind, and their cost", class_=style, note=note),
        _all(content) if narrow else [_details(at, content) for at in range(many)],
    )


def _link(content: Content, at: int, one: Repair) -> Markup:
    filters = {} if one.name == ALL else {"kind": KINDS.index(one.name)}
    text = f"{one.count:,}"
    return cases_link(content, at, text, **filters) if one.count else tag("span", text)


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


_LONGEST = 60
_FEWER = 5  # entities of each system, if there are many systems
_MANY = 4
_MOST_LISTS = 6


def entities(content: Content, places: dict[str, int]) -> Markup:
    """List the entities that cost most, with links to their documents."""
    metric = content.analyses[0].summary.metric
    if metric is None:
        nothing = tag("p", "No metric in this report is a sum over entities.")
        return section("entities", "Entities", "", nothing)
    lists = [_expensive_entities(content, at, places) for at in range(len(content.analyses))]
    rest = Markup("")
    if len(lists) > _MOST_LISTS + 1:
        shown, others = lists[:_MOST_LISTS], lists[_MOST_LISTS:]
        summary = tag("summary", f"The other {len(others)} systems")
        lists, rest = shown, tag("details", summary, tag("div", others, class_="columns"))
    return section(
        "entities",
        "Entities",
        f"The entities that cost most. The cost of an entity is its share in the loss of {metric}"
        " F1, in points. A key entity costs recall if mentions are missing or apart. A response"
        " entity costs precision if it has mentions that do not belong together.",
        tag("div", lists, class_="columns" if len(lists) > 1 else "columns alone"),
        rest,
    )


def _expensive_entities(content: Content, at: int, places: dict[str, int]) -> Markup:
    analysis, many = content.analyses[at], len(content.analyses)
    shown = analysis.summary.expensive[: _FEWER if many > _MANY else None]
    items = [_item(content, at, one, places) for one in shown]
    lost = f"{100 * analysis.summary.loss:.2f} points are lost in total."
    heading = tag("h3", signed(at, content.comparison.systems[at], alone=many == 1))
    return tag(
        "div",
        heading,
        tag("p", lost, class_="soft"),
        tag("ol", items, class_="expensive") if items else tag("p", "No points are lost."),
    )


def _item(content: Content, at: int, one: Expensive, places: dict[str, int]) -> Markup:
    what = f"{one.side} entity, {counted(one.mentions, 'mention')}"
    if one.verdict and one.verdict != "right":
        what += f", {one.verdict}"
    words = mention_text(content, one.words, one.span)
    words = words if len(words) <= _LONGEST else f"{words[: _LONGEST - 3]}…"
    title, cost = tag("span", words, class_="words"), f"{100 * one.cost:.2f}"
    price = tag("span", cost, class_="cost")
    if one.document in places:
        number, document = one.number, places[one.document]
        title = tag("a", words, href=f"#doc/{document}/{at}/{number}", class_="words")
        link = cases_link(content, at, "errors", doc=document, entity=number)
        about = tag("span", what, f"{_where(content, one)} · ", link, class_="soft")
    else:
        about = tag("span", what, _where(content, one), class_="soft")
    return tag("li", price, title, about)


def _where(content: Content, one: Expensive) -> str:
    return f" · {one.document}" if content.key.documents > 1 else ""
