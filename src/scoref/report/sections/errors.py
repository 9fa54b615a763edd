"""The errors of a report: how many of each kind, what they cost, and the costliest entities."""

from __future__ import annotations

from scoref.analysis.errors import KINDS, TITLES
from scoref.analysis.errors.records import ALL
from scoref.analysis.errors.summary import Expensive
from scoref.base.phrases import counted
from scoref.report.charts import bar
from scoref.report.content import Content, SystemAnalysis
from scoref.report.formatting import mention_text, points
from scoref.report.markup import Markup, join, section, table, tag

_MEANING = {
    "span": "the right mention with the wrong boundaries",
    "conflated": "mentions of another key entity in a response entity",
    "extra_mention": "a mention that is not in the key, in an entity that is",
    "extra_entity": "an entity that is not in the key",
    "divided": "a part of a key entity that is separate from the rest",
    "missing_mention": "a mention that is not in the response, of an entity that is",
    "missing_entity": "an entity that is not in the response",
}
_LONGEST = 60


def errors(content: Content) -> Markup:
    """Show the number of errors of each kind, and what each kind costs."""
    metric = content.comparison.metric
    gains = [one.gains[metric] for a in content.analyses for one in a.repairs_of_kinds]
    most, losses = max(map(abs, gains), default=0.0), any(gain < -1e-9 for gain in gains)
    rows = []
    for repairs in zip(*(analysis.summary.repairs for analysis in content.analyses), strict=True):
        name = repairs[0].name
        title = tag("span", TITLES.get(name, "all errors"), class_="kind")
        meaning = tag("span", _MEANING[name], class_="soft meaning") if name != ALL else ""
        cells: list[str] = [join(title, meaning)]
        for one in repairs:
            gain, cost = one.gains[metric], points(one.gains[metric])
            picture = bar(gain, most, f"{cost} points", losses=losses) if name != ALL else ""
            cells += [f"{one.count:,}", cost, picture]
        rows.append(cells)
    groups = [(analysis.name, ("errors", "cost", "")) for analysis in content.analyses]
    return section(
        "errors",
        "Errors",
        f"The cost of a kind of error is the gain in {metric} F1, in points, if all errors of"
        " that kind were repaired and no others. Costs do not add up, because one repair can"
        " correct several errors.",
        table("error", groups, rows, "Errors by kind, and their cost"),
        [_details(analysis) for analysis in content.analyses],
    )


def _details(analysis: SystemAnalysis) -> Markup:
    """Show the cost of each kind of error in every metric, and the errors by mention type."""
    repairs, by_type = analysis.summary.repairs, analysis.errors.by_type
    name = analysis.name
    costs = [
        [TITLES.get(one.name, "all errors"), *map(points, one.gains.values())] for one in repairs
    ]
    types = [type_ for type_ in by_type if any(by_type[type_].values())]
    counts = [[TITLES[kind], *(f"{by_type[type_][kind]:,}" for type_ in types)] for kind in KINDS]
    columns = [("", [type_ or "unknown" for type_ in types])]
    return tag(
        "details",
        tag("summary", f"{name}: all metrics, and errors by mention type"),
        table("cost", [("", list(repairs[0].gains))], costs, f"Costs for {name}"),
        table("errors", columns, counts, f"Errors of {name} by mention type"),
    )


def entities(content: Content, places: dict[str, int], *, with_text: bool) -> Markup:
    """List the entities that cost most, with links to their documents."""
    metric = content.analyses[0].summary.metric
    if metric is None:
        nothing = tag("p", "No metric in this report is a sum over entities.")
        return section("entities", "Most expensive entities", "", nothing)
    lists = [
        _expensive_entities(analysis, at, places, with_text=with_text)
        for at, analysis in enumerate(content.analyses)
    ]
    return section(
        "entities",
        "Most expensive entities",
        f"The cost of an entity is its share in the loss of {metric} F1, in points. A key"
        " entity costs recall if mentions are missing or apart. A response entity costs"
        " precision if it has mentions that do not belong together.",
        tag("div", lists, class_="columns"),
    )


def _expensive_entities(
    analysis: SystemAnalysis, at: int, places: dict[str, int], *, with_text: bool
) -> Markup:
    items = []
    for one in analysis.summary.expensive:
        what = f"{one.side} entity, {counted(one.mentions, 'mention')}"
        if one.verdict and one.verdict != "right":
            what += f", {one.verdict}"
        words = mention_text(one.words, one.span, with_text=with_text)
        words = words if len(words) <= _LONGEST else f"{words[: _LONGEST - 3]}…"
        link = tag("span", words, class_="words")
        if one.document in places:
            target = f"#doc/{places[one.document]}/{at}/{_number(analysis, one)}"
            link = tag("a", words, href=target, class_="words")
        cost = tag("span", f"{100 * one.cost:.2f}", class_="cost")
        items.append(tag("li", cost, link, tag("span", f"{what} · {one.document}", class_="soft")))
    return tag(
        "div",
        tag("h3", tag("b", analysis.name)),
        tag("p", f"{100 * analysis.summary.loss:.2f} points are lost in total.", class_="soft"),
        tag("ol", items, class_="expensive") if items else tag("p", "No points are lost."),
    )


def _number(analysis: SystemAnalysis, one: Expensive) -> int:
    entities, _ = analysis.mentions.entities(one.side)
    numbers = analysis.numbers
    number = numbers.key_number if one.side == "key" else numbers.res_number
    return int(number[entities[one.row]])
