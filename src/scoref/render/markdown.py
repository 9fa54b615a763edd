"""Markdown for pull requests and notes: the table, then the signature as code."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from scoref.render.layout import (
    document_rows,
    done_lines,
    interval_lines,
    score_header,
    score_rows,
    side_lines,
)
from scoref.result import Result

if TYPE_CHECKING:
    from scoref.resampling.intervals import Intervals


def render(result: Result, *, per_document: bool, digits: int, intervals: Intervals | None) -> str:
    """Render what was read and done, the scores and the signature."""
    read = [
        f"- {name}: {', '.join(filter(None, [f'`{source}`' if source else '', *rest]))}"
        for name, source, *rest in side_lines(result)
    ]
    parts = ["\n".join([*read, *(f"- {line}" for line in done_lines(result))])]
    if per_document:
        parts.append(markdown_table(["F1 by document", *result], document_rows(result, digits)))
    parts.append(markdown_table(score_header(intervals), score_rows(result, digits, intervals)))
    if how := [*result.bound_lines(digits), *interval_lines(result, intervals, digits)]:
        parts.append("\n".join(f"- {escape(line)}" for line in how))
    return "\n\n".join([*parts, f"`{result.signature}`"])


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a table, the first column to the left, numbers to the right."""
    rule = ["---", *["---:"] * (len(header) - 1)]
    shown = (rule, *([escape(cell) for cell in row] for row in rows))
    return "\n".join(markdown_row(row) for row in ([escape(cell) for cell in header], *shown))


def markdown_row(cells: Sequence[str]) -> str:
    """Write a row of cells that are Markdown already."""
    return f"| {' | '.join(cells)} |"


def escape(text: str) -> str:
    """Keep bars, asterisks and the like of document names from meaning anything."""
    return re.sub(r"([\\|`*_<>\[\]])", r"\\\1", text)
