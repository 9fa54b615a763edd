"""Aligned text for a terminal: what was read and done, the scores, the signature."""

from __future__ import annotations

from collections.abc import Sequence

from scoref.render.layout import HEADER, document_rows, done_lines, score_rows, side_lines
from scoref.result import Result


def render(result: Result, *, per_document: bool, digits: int) -> str:
    """Render a result for reading."""
    read = [*aligned(side_lines(result), left=2), *done_lines(result)]
    tables = [render_table(HEADER, score_rows(result, digits))]
    if per_document:
        header = ["F1 by document", *result]
        tables.insert(0, render_table(header, document_rows(result, digits)))
    return "\n\n".join(["\n".join(read), *tables, result.signature])


def render_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Align a table: the first column to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    return "\n".join(aligned([header, ["-" * width for width in widths], *rows], left=1))


def aligned(rows: Sequence[Sequence[str]], left: int) -> list[str]:
    """Align columns, some first ones to the left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            cell.ljust(width) if index < left else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
            if width
        )
        for row in rows
    ]
    return [line.rstrip() for line in lines]
