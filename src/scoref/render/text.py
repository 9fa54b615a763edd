"""Aligned text for a terminal: what was read and done, the scores, the signature."""

from __future__ import annotations

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

_WIDTH = 88


def render(result: Result, *, per_document: bool, digits: int, intervals: Intervals | None) -> str:
    """Render a result for reading."""
    read = [*aligned(side_lines(result), left=2), *done_lines(result)]
    tables = [render_table(score_header(intervals), score_rows(result, digits, intervals))]
    if per_document:
        header = ["F1 by document", *result]
        tables.insert(0, render_table(header, document_rows(result, digits)))
    lines = [*result.bound_lines(digits), *interval_lines(result, intervals, digits)]
    how = ["\n".join(map(wrapped, lines))] if lines else []
    return "\n\n".join(["\n".join(read), *tables, *how, result.signature])


def wrapped(line: str) -> str:
    """Break a long line, and set the rest of it in."""
    from textwrap import fill  # noqa: PLC0415  # most results have no such lines

    return fill(
        line, _WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )


def render_table(header: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """Align a table: the first column, or some, to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    return "\n".join(aligned([header, ["-" * width for width in widths], *rows], left=left))


def aligned(rows: Sequence[Sequence[str]], left: int) -> list[str]:
    """Align cells: some columns to the left, the others to the right, empty ones left out."""
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
