"""The documents of a report: a plot and a list, and the frame in which a document is shown."""

from __future__ import annotations

from scoref.base.phrases import counted
from scoref.report.content import Content
from scoref.report.markup import Markup, join, section, tag

_KEYS = (
    ("n p", "next and previous error"),
    ("j k", "next and previous mention of the entity"),
    ("[ ]", "previous and next document"),
    ("s", "next system"),
    ("/", "search"),
    ("Esc", "clear the selected entity, then return to the report"),
    ("?", "this list"),
)


def documents(content: Content, embedded: int) -> Markup:
    """Make the frame of the plot and of the list of documents; the page's program fills it."""
    many = content.key.documents
    lead = "Each point is a document. Click a point to open its document."
    if len(content.analyses) > 1:
        lead += " Points far from the line are much harder for one system than for the other."
    omitted = ""
    if embedded < many:
        verb = "has" if many - embedded == 1 else "have"
        omitted = (
            f"{counted(many - embedded, 'document')} of {many:,} {verb} no text view. The documents"
            " with the lowest scores are included first, up to the size limit of this file"
            " (scoref report --budget)."
        )
    axes = {"by": "metric ", "one": "y axis ", "other": "x axis "}
    selects = [_control(label, "select", name) for name, label in axes.items()]
    search = _control("find ", "input", "find", type="search")
    status = tag("span", id="many", class_="soft", role="status")
    found = tag("div", id="list", class_="scroll", tabindex="0")
    listing = tag("div", tag("div", search, status, class_="controls"), found)
    return section(
        "documents",
        "Documents",
        lead,
        tag("div", selects, class_="controls"),
        tag("p", omitted, class_="soft") if omitted else "",
        tag("div", tag("div", id="scatter"), listing, class_="plot"),
    )


def document_view() -> Markup:
    """Make the frame in which the page's program shows a document."""
    back = tag("a", "← Report", href="#documents", id="back")
    name, facts = tag("h2", id="name", tabindex="-1"), tag("span", id="facts", class_="soft")
    bar = tag("div", back, name, facts, class_="bar")
    controls = tag(
        "div",
        _control("system ", "select", "system"),
        _control("show ", "select", "sides"),
        _control("search ", "input", "search", type="search", autocomplete="off"),
        tag("span", id="hits", class_="soft", role="status"),
        tag("button", "Keys", id="help", type="button"),
        class_="controls",
    )
    side = tag(
        "aside",
        tag("div", id="entity", aria_live="polite"),
        tag("h3", "Errors ", tag("span", id="count", class_="soft")),
        tag("div", id="kinds", class_="chips", role="group", aria_label="Kinds of errors"),
        _control("mentions ", "select", "type"),
        tag("ol", id="wrong"),
        tag("button", "Show more", id="more", type="button"),
        aria_label="Entity and errors",
    )
    keys = tag(
        "dialog",
        tag("h3", "Keys"),
        tag("dl", [join(tag("dt", key), tag("dd", what)) for key, what in _KEYS]),
        tag("form", tag("button", "Close"), method="dialog"),
        id="keys",
    )
    signs = tag("ul", id="signs", class_="signs", aria_label="Legend")
    desk = tag("div", tag("div", id="text", lang=""), side, class_="desk")
    return tag("div", bar, controls, signs, desk, keys, id="reader", hidden="")


def _control(label: str, element: str, name: str, **attributes: object) -> Markup:
    return tag("label", label, tag(element, id=name, **attributes))
