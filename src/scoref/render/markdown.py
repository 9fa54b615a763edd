"""Markdown for pull requests and notes: the table, then the signature as code."""

from __future__ import annotations

import re
from collections.abc import Sequence

from scoref.render.layout import HEADER, document_rows, done_lines, score_rows, side_lines
from scoref.result import Result


def render(result: Result, *, per_document: bool, digits: int) -> str:
    """Render what was read and done, the scores and the signature."""
    read = [
        f"- {name}: {', '.join(filter(None, [f'`{source}`' if source else '', *rest]))}"
        for name, source, *rest in side_lines(result)
    ]
    parts = ["\n".join([*read, *(f"- {line}" for line in done_lines(result))])]
    if per_document:
        parts.append(markdown_table(["F1 by document", *result], document_rows(result, digits)))
    parts += [markdown_table(HEADER, score_rows(result, digits)), f"`{result.signature}`"]
    return "\n\n".join(parts)


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a table, the first column to the left, numbers to the right."""
    rule = ["---", *["---:"] * (len(header) - 1)]
    return "\n".join(f"| {' | '.join(map(escape, row))} |" for row in (header, rule, *rows))


def escape(cell: str) -> str:
    """Keep bars, asterisks and the like of document names from meaning anything."""
    return cell if cell.startswith("---") else re.sub(r"([\\|`*_<>\[\]])", r"\\\1", cell)
