"""Aligned text for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from scoref.render.model import Page, TableCell, TableRow, TableView

_WIDTH = 88


def write_page(page: Page) -> str:
    """Write a page for reading."""
    parts = [
        page.title,
        write_inputs(page.inputs, page.changes),
        *map(write_table, page.tables),
        "\n".join(map(wrapped, page.remarks)),
        page.signature,
    ]
    return "\n\n".join(filter(None, parts))


def write_inputs(inputs: Sequence[Sequence[str]], changes: Sequence[str]) -> str:
    """Write what was read, and what the policy did to it."""
    return "\n".join([*aligned(inputs, left=2), *changes])


def wrapped(line: str) -> str:
    """Break a long line, and indent the rest of it."""
    from textwrap import fill  # noqa: PLC0415  # most results have no such lines

    return fill(
        line, _WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )


def write_table(table: TableView) -> str:
    """Align a table: its first columns to the left, numbers to the right."""
    columns = [_column(cells) for cells in zip(*table.body, strict=True)] or [()] * len(
        table.header
    )
    rows = [table.header, *zip(*columns, strict=True)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rows.insert(1, ["-" * width for width in widths])
    title = [table.title] if table.title else []
    return "\n".join([*title, *aligned(rows, left=table.left)])


def _column(cells: TableRow) -> Sequence[str]:
    """Write cells with their marks: an asterisk before the best, superscripts after a blank.

    Cells are padded on the right as far as superscripts reach, so that numbers line up.
    """
    marked = [cell if isinstance(cell, TableCell) else TableCell(cell) for cell in cells]
    width = max(len(cell.superscript) for cell in marked)
    return [
        f"{'*' if cell.bold else ''}{cell.text}"
        + (f" {cell.superscript:<{width}}" if width else "")
        for cell in marked
    ]


def aligned(rows: Sequence[Sequence[str]], left: int) -> list[str]:
    """Align cells: some columns to the left, the others to the right; skip empty columns."""
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
