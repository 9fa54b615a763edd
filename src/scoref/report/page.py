"""The page: one file with its style, its program and its data, and a policy that allows no more."""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files

from scoref.base.phrases import counted
from scoref.report import sections
from scoref.report.content import Content
from scoref.report.markup import Markup, tag
from scoref.report.page_data import BUDGET, data, dump
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
    """Lay out a report as one HTML file."""
    style, program = _file("report.css"), _file("report.js")
    known = data(content, with_text=with_text and content.has_words, budget=budget)
    places = {known["documents"][int(at)]["name"]: int(at) for at in known["views"]}
    policy = (
        f"default-src 'none'; script-src 'sha256-{_hash(program)}';"
        f" style-src 'sha256-{_hash(style)}'; img-src data:; base-uri 'none'; form-action 'none'"
    )
    title = f"{' · '.join(known['systems'])}: coreference report"
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
            sections.glance(content),
            sections.scores(content),
            _documents(content, len(known["views"])),
            sections.errors(content),
            sections.entities(content, places, with_text=known["text"]),
            sections.slices(content, with_text=known["text"]),
            sections.card(content, content.comparison.signature, with_text=known["text"]),
            id="overview",
        ),
        _reader(),
        tag("script", Markup(dump(known)), type="application/json", id="data"),
        tag("script", Markup(program)),
    )
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"


def _header(content: Content) -> Markup:
    key = content.key
    sides = f"{counted(key.documents, 'document')}, {counted(key.mentions, 'mention')}"
    links = [tag("a", title, href=f"#{name}") for name, title in _LINKS]
    return tag(
        "header",
        tag(
            "div",
            tag("h1", "Coreference report"),
            tag("p", f"{key.source or 'key'} · {sides}", class_="soft"),
            class_="title",
        ),
        tag("nav", links, aria_label="Sections"),
        tag("button", "Dark", id="theme", type="button", aria_label="Switch light and dark"),
        id="top",
    )


def _documents(content: Content, embedded: int) -> Markup:
    many = content.key.documents
    left_out = ""
    if embedded < many:
        left_out = (
            f"{counted(many - embedded, 'document')} of {many:,} have no text view here: the worst"
            " come first, up to the budget of this file (scoref report --budget)."
        )
    return sections.section(
        "documents",
        "Documents",
        tag(
            "p",
            "Each point is a document; a click opens it."
            + (
                " Points far from the line are documents that one system finds much harder than"
                " the other."
                if len(content.parts) > 1
                else ""
            ),
            class_="lead",
        ),
        tag(
            "div",
            tag("label", "measure ", tag("select", id="by")),
            tag("label", "upright ", tag("select", id="one")),
            tag("label", "across ", tag("select", id="other")),
            class_="controls",
        ),
        tag("p", left_out, class_="soft") if left_out else "",
        tag(
            "div",
            tag("div", id="scatter"),
            tag(
                "div",
                tag(
                    "div",
                    tag("label", "find ", tag("input", type="search", id="find")),
                    tag("span", id="many", class_="soft", role="status"),
                    class_="controls",
                ),
                tag("div", id="list", class_="scroll", tabindex="0"),
            ),
            class_="plot",
        ),
    )


def _reader() -> Markup:
    """Make the frame of the text view; the program fills it."""
    bar = tag(
        "div",
        tag("a", "← Report", href="#documents", id="back"),
        tag("h2", id="name", tabindex="-1"),
        tag("span", id="facts", class_="soft"),
        class_="bar",
    )
    controls = tag(
        "div",
        tag("label", "system ", tag("select", id="system")),
        tag("label", "show ", tag("select", id="sides")),
        tag("label", "search ", tag("input", type="search", id="search", autocomplete="off")),
        tag("span", id="hits", class_="soft", role="status"),
        tag("button", "Keys", id="help", type="button"),
        class_="controls",
    )
    side = tag(
        "aside",
        tag("div", id="entity", aria_live="polite"),
        tag("h3", "Errors ", tag("span", id="count", class_="soft")),
        tag("div", id="kinds", class_="chips", role="group", aria_label="Kinds of errors"),
        tag("label", "mentions ", tag("select", id="type")),
        tag("ol", id="wrong"),
        tag("button", "Show more", id="more", type="button"),
        aria_label="Entity and errors",
    )
    keys = tag(
        "dialog",
        tag("h3", "Keys"),
        tag(
            "dl",
            [
                Markup(f"{tag('dt', key)}{tag('dd', what)}")
                for key, what in (
                    ("n p", "next and previous error"),
                    ("j k", "next and previous mention of the entity"),
                    ("[ ]", "previous and next document"),
                    ("s", "next system"),
                    ("/", "search"),
                    ("Esc", "let go of the entity; then back to the report"),
                    ("?", "this list"),
                )
            ],
        ),
        tag("form", tag("button", "Close"), method="dialog"),
        id="keys",
    )
    return tag(
        "div",
        bar,
        controls,
        tag("ul", id="signs", class_="signs", aria_label="Signs"),
        tag("div", tag("div", id="text", lang=""), side, class_="desk"),
        keys,
        id="reader",
        hidden="",
    )


def _file(name: str) -> str:
    return (files("scoref.report") / name).read_text("utf-8")


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
