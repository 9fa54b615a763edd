"""The frames that the page's program fills: documents, one document, errors, found words."""

from __future__ import annotations

from scoref.base.html import Markup, join, tag
from scoref.base.phrases import counted
from scoref.pages.report.charts import chart
from scoref.pages.report.content import Content
from scoref.pages.report.pieces import control
from scoref.pages.toolkit.html_file import button, section

_KEYS = (
    ("/", "search all documents"),
    ("n p", "next and previous error"),
    ("j k", "next and previous mention of the entity"),
    ("[ ]", "previous and next document"),
    ("s", "next system"),
    ("f", "find in this document"),
    ("c", "copy a link to this view"),
    ("t", "copy the error as a test case"),
    ("Enter", "open the error in its document"),
    ("Esc", "clear the selected entity, then return"),
    ("?", "this list"),
)
MOST_BESIDE = 3
"""Systems that have room in a matrix beside the plot."""


def documents(content: Content, embedded: int) -> Markup:
    """Make the frames of the plot and of the matrix; the page's program fills them."""
    many, systems = content.key.documents, len(content.analyses)
    if many == 1:
        alone = tag("div", id="alone")
        return section("documents", "Documents", "One document was scored.", alone)
    lead = "Each point is a document, and so is each row of the matrix. Click one to open its text."
    if systems > 1:
        lead = (
            "Each point is a document, and so is each row of the matrix. Points far from the line,"
            " and the first rows, are much harder for one system than for the other."
        )
    omitted = ""
    if embedded < many:
        verb = "has" if many - embedded == 1 else "have"
        omitted = (
            f"{counted(many - embedded, 'document')} of {many:,} {verb} no text view. The documents"
            " with the lowest scores are included first, up to the size limit of this file"
            " (scoref report --budget)."
        )
    controls = [control("metric", "select", "by"), control("y axis", "select", "one")]
    controls.append(control("x axis", "select", "other"))
    beside = systems <= MOST_BESIDE
    moved = "" if beside else tag("div", id="moved", class_="card")
    plot = tag("div", chart("chart-documents", "Documents by F1"), class_="plot")
    matrix = _matrix()
    return section(
        "documents",
        "Documents",
        lead,
        tag("div", controls, class_="controls"),
        tag("p", omitted, class_="soft") if omitted else "",
        tag("div", plot, matrix if beside else moved, class_="halves even"),
        "" if beside else matrix,
    )


def _matrix() -> Markup:
    search = control("find", "input", "find", type="search", autocomplete="off")
    status = tag("span", id="many", class_="soft", role="status")
    bar = tag("div", search, status, tag("span", class_="tools"), class_="over controls")
    return tag("div", bar, tag("div", id="matrix", class_="scroll"), class_="matrix")


def document_view() -> Markup:
    """Make the frame in which the page's program shows a document."""
    return tag(
        "main",
        tag("div", _back(), tag("h2", id="name", tabindex="-1"), _facts("facts"), class_="bar"),
        tag(
            "div",
            control("system", "select", "system"),
            control("beside", "select", "with"),
            control("show", "select", "sides"),
            control("find", "input", "search", type="search", autocomplete="off"),
            tag("span", id="hits", class_="soft", role="status"),
            tag("span", button("Copy link", "copy-link"), button("Keys", "help"), class_="push"),
            class_="controls",
        ),
        tag(
            "details",
            tag("summary", "Signs"),
            tag("ul", id="signs", class_="signs", aria_label="Legend"),
            id="legend",
            open="",
        ),
        tag("section", id="what-if", hidden="", aria_label="What if"),
        tag("div", tag("div", id="text", lang=""), _side(), class_="desk"),
        id="reader",
        hidden="",
    )


def _back() -> Markup:
    return tag("a", "← Report", href="#documents", id="back")


def _facts(name: str) -> Markup:
    return tag("span", id=name, class_="soft")


def _side() -> Markup:
    return tag(
        "aside",
        tag("div", id="entity", aria_live="polite"),
        tag(
            "details",
            tag("summary", "Errors ", tag("span", id="count", class_="soft")),
            tag("div", id="kinds", class_="chips", role="group", aria_label="Kinds of errors"),
            control("mentions", "select", "type"),
            tag("ol", id="wrong"),
            button("Show more", "more"),
            id="errors-here",
            open="",
        ),
        aria_label="Entity and errors",
    )


def cases_view() -> Markup:
    """Make the frame in which the page's program lists errors of all documents."""
    back = tag("a", "← Report", href="#errors", id="cases-back")
    bar = tag("div", back, tag("h2", "Errors", id="cases-name", tabindex="-1"), class_="bar")
    filters = tag(
        "form",
        control("system", "select", "case-system"),
        control("sort", "select", "case-sort"),
        control("find", "input", "case-find", type="search", autocomplete="off"),
        tag("div", id="case-kinds", class_="chips", role="group", aria_label="Kinds of errors"),
        tag(
            "details",
            tag("summary", "Classes of mentions"),
            tag("div", id="case-slices", class_="selects"),
            id="case-classes",
            open="",
        ),
        tag("div", id="case-filters", class_="chips", role="group", aria_label="Other filters"),
        id="case-form",
        aria_label="Filters",
    )
    status = tag(
        "div",
        tag("span", id="case-status", role="status"),
        tag(
            "span",
            button("← previous", "case-previous"),
            button("next →", "case-next"),
            button("Copy link", "case-link"),
            button("CSV", "case-csv"),
            class_="push",
        ),
        class_="controls",
        id="case-bar",
    )
    found = tag("div", status, tag("ol", id="case-list"), button("Show more", "case-more"))
    body = tag("div", filters, found, class_="browser")
    return tag("main", bar, body, id="cases", hidden="")


def results_view() -> Markup:
    """Make the frame in which the page's program shows what a search has found."""
    back = tag("a", "← Report", href="#glance", id="results-back")
    heading = tag("h2", "Search", id="results-name", tabindex="-1")
    status = tag("p", id="results-status", class_="soft", role="status")
    found = tag("div", id="found")
    return tag(
        "main", tag("div", back, heading, class_="bar"), status, found, id="results", hidden=""
    )


def keys_dialog() -> Markup:
    """Make the list of keys."""
    return tag(
        "dialog",
        tag("h3", "Keys"),
        tag("dl", [join(tag("dt", key), tag("dd", what)) for key, what in _KEYS]),
        tag("form", tag("button", "Close"), method="dialog"),
        id="keys",
        aria_label="Keys",
    )
