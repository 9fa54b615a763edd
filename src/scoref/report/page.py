"""The page: one file with its style, its program, its data, and a policy that allows only these."""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files

from scoref.base.phrases import counted
from scoref.report.content import Content
from scoref.report.markup import Markup, tag
from scoref.report.page_data import BUDGET, dump, page_data
from scoref.report.sections.data import data_and_method
from scoref.report.sections.documents import document_view, documents
from scoref.report.sections.errors import entities, errors
from scoref.report.sections.fidelity import fidelity, has_generated
from scoref.report.sections.scores import glance, scores
from scoref.report.sections.slices import slices
from scoref.version import __version__

_LINKS = (
    ("scores", "Scores"),
    ("documents", "Documents"),
    ("errors", "Errors"),
    ("entities", "Entities"),
    ("slices", "Slices"),
    ("card", "Data"),
)


def page(content: Content, *, with_text: bool = False, budget: int = BUDGET) -> str:
    """Return a report as one HTML file."""
    style, program = _file("report.css"), _file("report.js")
    with_text = with_text and content.has_words
    data = page_data(content, with_text=with_text, budget=budget)
    places = {data["documents"][int(at)]["name"]: int(at) for at in data["views"]}
    policy = (
        f"default-src 'none'; script-src 'sha256-{_hash(program)}';"
        f" style-src 'sha256-{_hash(style)}'; img-src data:; base-uri 'none'; form-action 'none'"
    )
    title = f"{' · '.join(data['systems'])}: coreference report"
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="generator", content=f"scoref {__version__}"),
        tag("title", title),
        tag("link", rel="icon", href="data:,"),
        tag("style", Markup(style)),
    )
    body = tag(
        "body",
        tag("a", "Skip to the report", href="#scores", class_="skip"),
        _header(content),
        tag(
            "main",
            glance(content),
            scores(content),
            documents(content, len(places)),
            errors(content),
            entities(content, places, with_text=with_text),
            slices(content, with_text=with_text),
            fidelity(content, with_text=with_text),
            data_and_method(content, with_text=with_text),
            id="overview",
        ),
        document_view(),
        tag("script", Markup(dump(data)), type="application/json", id="data"),
        tag("script", Markup(program)),
    )
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"


def _header(content: Content) -> Markup:
    key = content.key
    sides = f"{counted(key.documents, 'document')}, {counted(key.mentions, 'mention')}"
    names = [*_LINKS, ("fidelity", "Fidelity")] if has_generated(content) else _LINKS
    links = [tag("a", title, href=f"#{name}") for name, title in names]
    about = tag("p", f"{key.source or 'key'} · {sides}", class_="soft")
    title = tag("div", tag("h1", "Coreference report"), about, class_="title")
    switch = {"type": "button", "aria_label": "Switch between light and dark"}
    theme = tag("button", "Dark", id="theme", **switch)
    return tag("header", title, tag("nav", links, aria_label="Sections"), theme, id="top")


def _file(name: str) -> str:
    return (files("scoref.report") / name).read_text("utf-8")


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
