"""The page: one file with its style, its program, its data, and a policy that allows only these."""

from __future__ import annotations

from functools import cache

from scoref.base.html import Markup, tag
from scoref.base.phrases import counted
from scoref.pages.report.content import Content
from scoref.pages.report.curves import curves
from scoref.pages.report.data import data_and_method, fidelity, has_generated
from scoref.pages.report.errors import entities, errors
from scoref.pages.report.mentions import mentions
from scoref.pages.report.overview import glance, scores
from scoref.pages.report.page_data import BUDGET, page_data
from scoref.pages.report.pieces import chart, control, file_name
from scoref.pages.toolkit import WHAT_IF, assets, button, html_file, section, static

STYLE = ("page.css", "numbers.css", "reading.css", "print.css")
PROGRAM = (
    *("page.js", "saving.js", "charts.js", "documents.js", "model.js", "text.js"),
    *("curves.js", "inspector.js", "document.js", "cases.js", "navigation.js"),
)
"""The files, in the order of their dependencies: a file uses what earlier files define."""
MOST_BESIDE = 3
"""Systems that have room in a matrix beside the plot."""
_LINKS = (
    ("scores", "Scores"),
    ("errors", "Errors"),
    ("entities", "Entities"),
    ("documents", "Documents"),
    ("mentions", "Mentions"),
    ("data-and-method", "Data"),
)


def page(content: Content, budget: int = BUDGET) -> str:
    """Return a report as one HTML file."""
    data = page_data(content, budget)
    places = {data["documents"][int(at)]["name"]: int(at) for at in data["views"]}
    names = [system["name"] for system in data["systems"]]
    return html_file(
        f"{' · '.join(names)}: coreference report",
        style(),
        tag("a", "Skip to the report", href="#scores", class_="skip"),
        _header(content),
        tag(
            "main",
            glance(content),
            scores(content),
            curves(content),
            errors(content),
            entities(content, places),
            documents(content, len(places)),
            mentions(content),
            fidelity(content),
            data_and_method(content),
            id="overview",
        ),
        static("report", "frames.html"),
        script=program(),
        data=data,
    )


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


@cache
def style() -> str:
    """Return the style of the page."""
    shared = assets("toolkit", "base.css", "systems.css", "whatif.css")
    return f"{shared}\n{assets('report/style', *STYLE)}"


@cache
def program() -> str:
    """Return the program of the page: the what-if editor, then all files in one scope."""
    own = assets("report/script", *PROGRAM)
    return f"{assets('toolkit', *WHAT_IF)}\n(() => {{\n{own}\n}})();\n"


def _header(content: Content) -> Markup:
    key = content.key
    sides = f"{counted(key.documents, 'document')}, {counted(key.mentions, 'mention')}"
    names = list(_LINKS)
    if content.curves:
        names.insert(1, ("curves", "Curves"))
    if has_generated(content):
        names.append(("fidelity", "Fidelity"))
    links = [tag("a", title, href=f"#{name}") for name, title in names]
    source = (key.source if content.show_paths else file_name(key.source)) or "key"
    about = tag("p", f"{source} · {sides}", class_="soft")
    title = tag("div", tag("h1", "Coreference report"), about, class_="title")
    query = tag(
        "input",
        id="query",
        type="search",
        autocomplete="off",
        placeholder="Search  /",
        aria_label="Search all documents",
    )
    theme = button("Dark", "theme", aria_label="Switch between light and dark")
    inner = tag(
        "div", title, tag("nav", links, aria_label="Sections"), query, theme, class_="inside"
    )
    return tag("header", inner, id="top")
