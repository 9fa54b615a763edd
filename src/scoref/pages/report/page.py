"""The page: one file with its style, its program, its data, and a policy that allows only these."""

from __future__ import annotations

from functools import cache

from scoref.base.html import Markup, tag
from scoref.base.phrases import counted
from scoref.pages.report.content import Content
from scoref.pages.report.page_data import BUDGET, page_data
from scoref.pages.report.pieces import file_name
from scoref.pages.report.sections.data import data_and_method
from scoref.pages.report.sections.entities import entities
from scoref.pages.report.sections.errors import errors
from scoref.pages.report.sections.fidelity import fidelity, has_generated
from scoref.pages.report.sections.frames import (
    cases_view,
    document_view,
    documents,
    keys_dialog,
    results_view,
)
from scoref.pages.report.sections.glance import glance
from scoref.pages.report.sections.mentions import mentions
from scoref.pages.report.sections.scores import scores
from scoref.pages.toolkit import WHAT_IF
from scoref.pages.toolkit.html_file import assets, button, html_file

STYLE = ("page.css", "numbers.css", "reading.css", "print.css")
PROGRAM = (
    *("page.js", "saving.js", "charts.js", "documents.js", "model.js", "text.js"),
    *("inspector.js", "document.js", "cases.js", "navigation.js"),
)
"""The files, in the order of their dependencies: a file uses what earlier files define."""
_LINKS = (
    ("scores", "Scores"),
    ("errors", "Errors"),
    ("entities", "Entities"),
    ("documents", "Documents"),
    ("mentions", "Mentions"),
    ("data-and-method", "Data"),
)


def page(
    content: Content, *, with_text: bool = False, budget: int = BUDGET, show_paths: bool = False
) -> str:
    """Return a report as one HTML file."""
    with_text = with_text and content.has_words
    data = page_data(content, with_text=with_text, budget=budget)
    places = {data["documents"][int(at)]["name"]: int(at) for at in data["views"]}
    names = [system["name"] for system in data["systems"]]
    return html_file(
        f"{' · '.join(names)}: coreference report",
        style(),
        tag("a", "Skip to the report", href="#scores", class_="skip"),
        _header(content, show_paths=show_paths),
        tag(
            "main",
            glance(content),
            scores(content),
            errors(content),
            entities(content, places, with_text=with_text),
            documents(content, len(places)),
            mentions(content, with_text=with_text),
            fidelity(content, with_text=with_text),
            data_and_method(content, with_text=with_text, show_paths=show_paths),
            id="overview",
        ),
        document_view(),
        cases_view(),
        results_view(),
        keys_dialog(),
        tag("div", id="tip", role="tooltip", hidden=""),
        tag("div", id="toast", role="status", class_="toast"),
        script=program(),
        data=data,
    )


@cache
def style() -> str:
    """Return the style of the page."""
    return f"{assets('toolkit', 'base.css', 'whatif.css')}\n{assets('report/style', *STYLE)}"


@cache
def program() -> str:
    """Return the program of the page: the what-if editor, then all files in one scope."""
    own = assets("report/script", *PROGRAM)
    return f"{assets('toolkit', *WHAT_IF)}\n(() => {{\n{own}\n}})();\n"


def _header(content: Content, *, show_paths: bool) -> Markup:
    key = content.key
    sides = f"{counted(key.documents, 'document')}, {counted(key.mentions, 'mention')}"
    names = [*_LINKS, ("fidelity", "Fidelity")] if has_generated(content) else _LINKS
    links = [tag("a", title, href=f"#{name}") for name, title in names]
    source = (key.source if show_paths else file_name(key.source)) or "key"
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
