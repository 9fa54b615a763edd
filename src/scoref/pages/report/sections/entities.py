"""The entities that cost most, with links to their text and to their errors."""

from __future__ import annotations

from scoref.analysis.errors.summary import Expensive
from scoref.base.html import Markup, tag
from scoref.base.phrases import counted
from scoref.pages.report.charts import signed
from scoref.pages.report.content import Content
from scoref.pages.report.pieces import cases_link, mention_text
from scoref.pages.toolkit.html_file import section

_LONGEST = 60
_FEWER = 5  # entities of each system, if there are many systems
_MANY = 4
_MOST_LISTS = 6


def entities(content: Content, places: dict[str, int], *, with_text: bool) -> Markup:
    """List the entities that cost most, with links to their documents."""
    metric = content.analyses[0].summary.metric
    if metric is None:
        nothing = tag("p", "No metric in this report is a sum over entities.")
        return section("entities", "Entities", "", nothing)
    lists = [
        _expensive_entities(content, at, places, with_text=with_text)
        for at in range(len(content.analyses))
    ]
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


def _expensive_entities(
    content: Content, at: int, places: dict[str, int], *, with_text: bool
) -> Markup:
    analysis, many = content.analyses[at], len(content.analyses)
    shown = analysis.summary.expensive[: _FEWER if many > _MANY else None]
    items = [_item(content, at, one, places, with_text=with_text) for one in shown]
    lost = f"{100 * analysis.summary.loss:.2f} points are lost in total."
    heading = tag("h3", signed(at, content.comparison.systems[at], alone=many == 1))
    return tag(
        "div",
        heading,
        tag("p", lost, class_="soft"),
        tag("ol", items, class_="expensive") if items else tag("p", "No points are lost."),
    )


def _item(
    content: Content, at: int, one: Expensive, places: dict[str, int], *, with_text: bool
) -> Markup:
    what = f"{one.side} entity, {counted(one.mentions, 'mention')}"
    if one.verdict and one.verdict != "right":
        what += f", {one.verdict}"
    words = mention_text(one.words, one.span, with_text=with_text)
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
