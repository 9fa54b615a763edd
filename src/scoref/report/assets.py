"""The style and the program of the page, concatenated from small files of one concept each."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from scoref import browser

STYLE = (
    "colours",
    "base",
    "layout",
    "tables",
    "charts",
    "matrix",
    "text",
    "document",
    "cases",
    "what_if",
    "print",
)
PROGRAM = (
    "dom",
    "format",
    "systems",
    "address",
    "theme",
    "tooltip",
    "save",
    "copy",
    "chart",
    "score_chart",
    "document_chart",
    "matrix",
    "overview",
    "model",
    "lines",
    "text",
    "entity",
    "document_errors",
    "find",
    "document",
    "case_model",
    "case_card",
    "case_list",
    "test_case",
    "search",
    "legend",
    "what_if",
    "keys",
    "route",
)
"""The files, in the order of their dependencies: a file uses what earlier files define."""


@cache
def style() -> str:
    """Return the style of the page."""
    own = [_read("style", f"{name}.css") for name in STYLE]
    return "\n".join([browser.program("whatif.css"), *own])


@cache
def program() -> str:
    """Return the program of the page: the what-if editor, then all files in one scope."""
    parts = "\n".join(_read("script", f"{name}.js") for name in PROGRAM)
    return f"{browser.program(*browser.WHAT_IF)}\n(() => {{\n{parts}\n}})();\n"


def _read(folder: str, name: str) -> str:
    return (files("scoref.report") / folder / name).read_text("utf-8").strip()
