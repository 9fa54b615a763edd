"""The page: one file with its style, its program, its data, and a policy that allows only these."""

from __future__ import annotations

from scoref.base.phrases import counted
from scoref.browser.html_file import html_file
from scoref.browser.markup import Markup, tag
from scoref.report.assets import program, style
from scoref.report.content import Content
from scoref.report.controls import button
from scoref.report.formatting import file_name
from scoref.report.page_data import BUDGET, page_data
from scoref.report.sections.data import data_and_method
from scoref.report.sections.documents import documents
from scoref.report.sections.entities import entities
from scoref.report.sections.errors import errors
from scoref.report.sections.fidelity import fidelity, has_generated
from scoref.report.sections.glance import glance
from scoref.report.sections.mentions import mentions
from scoref.report.sections.scores import scores
from scoref.report.sections.views import cases_view, document_view, keys_dialog, results_view

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
        program(),
        data,
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
    )


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
