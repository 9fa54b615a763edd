"""Regenerated tables and figures in every output. They were computed elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scoref.exceptions import UsageError
from scoref.papers.exhibits import Exhibit, Figure, Table
from scoref.papers.views.document import as_latex, as_markdown, as_text
from scoref.papers.views.values import as_csv, as_json


class Made(NamedTuple):
    """An exhibit with what was computed for it."""

    exhibit: Exhibit
    content: Table | Figure


def render(made: Sequence[Made], output: str) -> str:
    """Render exhibits one below the other; csv takes one, since each has columns of its own."""
    if output == "json":
        return as_json(made)
    if output == "csv":
        if len(made) > 1:
            raise UsageError(
                f"csv shows one table or figure, and these are {len(made)}",
                "name one, or write a file for each with -o DIR",
            )
        return as_csv(made[0].content)
    write = {"text": as_text, "markdown": as_markdown, "latex": as_latex}[output]
    return "\n\n\n".join(write(*one) for one in made)
