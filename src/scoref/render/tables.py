"""A table of strings in any output that people or spreadsheets read."""

from __future__ import annotations

from collections.abc import Sequence

from scoref.exceptions import UsageError
from scoref.render.latex import tabular
from scoref.render.markdown import markdown_table
from scoref.render.text import render_table

Row = list[str]


def render_rows(
    header: Sequence[str], rows: Sequence[Sequence[str]], output: str, left: int = 1
) -> str:
    """Render a table as `text`, `markdown`, `latex` or `csv`; in text, some columns stand left."""
    if output == "text":
        return render_table(header, rows, left)
    if output == "markdown":
        return markdown_table(header, rows)
    if output == "latex":
        return "\n".join(tabular(header, rows))
    if output == "csv":
        import csv  # noqa: PLC0415  # the one output that needs it
        import io  # noqa: PLC0415

        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([header, *rows])
        return text.getvalue().rstrip("\n")
    raise UsageError(f"unknown output {output!r}")
