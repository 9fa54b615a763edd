"""Aligned text for a terminal."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from itertools import zip_longest

from scoref.views.model import (
    FormulaView,
    Page,
    SectionView,
    TableCell,
    TableRow,
    TableView,
    is_too_wide,
    narrowed,
)

_WIDTH = 88
_SECTION_WIDTH = 80
_INDENT = "  "
_LEAST = 8  # characters that a column of texts keeps, however wide the others are


def write_page(page: Page) -> str:
    """Write a page for reading."""
    parts = [
        page.title,
        write_inputs(page.inputs, page.changes),
        *map(write_table, page.tables),
        *map(write_section, page.sections),
        "\n".join(map(wrapped, page.remarks)),
        page.signature,
    ]
    return "\n\n".join(filter(None, parts))


def write_inputs(inputs: Sequence[Sequence[str]], changes: Sequence[str]) -> str:
    """Write what was read, and what the policy did to it."""
    return "\n".join([*aligned(inputs, left=range(2)), *changes])


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
    return "\n".join([*title, *aligned(rows, table.left_columns)])


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


def aligned(rows: Sequence[Sequence[str]], left: Container[int]) -> list[str]:
    """Align cells: some columns to the left, the others to the right; skip empty columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            cell.ljust(width) if index in left else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
            if width
        )
        for row in rows
    ]
    return [line.rstrip() for line in lines]


def write_section(section: SectionView) -> str:
    """Write a section for a terminal of 80 columns."""
    lines = _lines(section.title)
    title = "\n".join([*lines, "=" * max(map(len, lines))])
    return section.write(
        title, lambda text: "\n".join(_lines(text)), write_fitted_table, write_formulas
    )


def _lines(text: str, width: int = _SECTION_WIDTH, indent: str = "") -> list[str]:
    """Break text into lines; the name of a metric, which is one word, after its commas."""
    from textwrap import wrap  # noqa: PLC0415  # most results have no sections

    loose = re.sub(r",(?=\w+=)", ",\0 ", text)
    lines = wrap(loose, width, subsequent_indent=indent)
    return [line.replace("\0 ", "").rstrip("\0") for line in lines]


def write_formulas(formulas: Sequence[FormulaView]) -> str:
    """Write formulas below each other, their equals signs aligned."""
    width = max(len(formula.name) for formula in formulas)
    indent = " " * (len(_INDENT) + width + 3)
    lines: list[str] = []
    for name, steps in formulas:
        line = f"{_INDENT}{name.ljust(width)}"
        for at, (sign, text, _) in enumerate(steps):
            if at and len(line) + len(text) + 3 > _SECTION_WIDTH:
                lines += _lines(line, indent=indent)
                line = f"{_INDENT}{' ' * width}"
            line += f" {sign} {text}"
        lines += _lines(line, indent=indent)
    return "\n".join(lines)


def write_fitted_table(table: TableView) -> str:
    """Align a table whose titles and texts take several lines where it would be too wide.

    If it is too wide even so, some cells are shorter. Empty columns are left out.
    """
    for shorten in (False, True):
        body = [[_cell_text(cell, shorten=shorten) for cell in row] for row in table.body]
        shown = [at for at in range(len(table.header)) if any(row[at] for row in body)]
        rows = [[row[at] for at in shown] for row in (table.header, *body)]
        left = {place for place, at in enumerate(shown) if at in table.left_columns}
        widths = _fitted_widths(rows, left)
        if not is_too_wide(widths, _SECTION_WIDTH):
            break
    rule = ["-" * width for width in widths]
    rows.insert(1, rule)
    if table.total:
        rows.insert(-1, rule)
    lines = [
        texts for row in rows for texts in zip_longest(*map(_lines, row, widths), fillvalue="")
    ]
    title = [*_lines(table.title), ""] if table.title else []
    return "\n".join([*title, *(f"{_INDENT}{line}" for line in aligned(lines, left))])


def _cell_text(cell: str | TableCell, *, shorten: bool) -> str:
    if isinstance(cell, str):
        return cell
    return cell.short if shorten and cell.short else cell.text


def _fitted_widths(rows: Sequence[Sequence[str]], left: Container[int]) -> list[int]:
    """Return widths of columns: too wide a table first breaks titles, then the widest texts."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    if is_too_wide(widths, _SECTION_WIDTH):
        columns = zip(*rows, strict=True)
        widths = [max(map(len, [*title.split(), *cells])) for title, *cells in columns]
    return narrowed(widths, left, _SECTION_WIDTH, _LEAST)
