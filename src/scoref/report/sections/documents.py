"""The documents of a report: the frames of the plot and of the matrix."""

from __future__ import annotations

from scoref.base.phrases import counted
from scoref.browser.markup import Markup, section, tag
from scoref.report.charts import chart
from scoref.report.content import Content
from scoref.report.controls import control

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
