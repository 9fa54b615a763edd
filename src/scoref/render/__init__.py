"""Every way to show a result. Renderers never compute: they lay out what a result says."""

from __future__ import annotations

from collections.abc import Callable

from scoref.errors import UsageError
from scoref.render.csv import render_csv
from scoref.render.json import render_json
from scoref.render.latex import render_latex
from scoref.render.markdown import render_markdown
from scoref.render.text import render_text
from scoref.result import Result

RENDERERS: dict[str, Callable[[Result, bool, int], str]] = {
    "text": render_text,
    "json": render_json,
    "csv": render_csv,
    "latex": render_latex,
    "markdown": render_markdown,
}


def render(result: Result, output: str, *, per_document: bool = False, digits: int = 2) -> str:
    """Render a result, with scores in percent to some digits where people read it."""
    if output not in RENDERERS:
        raise UsageError(f"unknown output {output!r}", f"one of: {', '.join(RENDERERS)}")
    return RENDERERS[output](result, per_document, digits)
