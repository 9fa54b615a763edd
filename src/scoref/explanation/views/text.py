"""An explanation for a terminal of 80 columns."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from fractions import Fraction
from itertools import zip_longest

from scoref.explanation import Explanation
from scoref.explanation.blocks import Cell, Formula, Grid, Section
from scoref.explanation.views.cells import (
    Writers,
    plain_cell,
    plain_steps,
    rounded,
    sections,
    table_rows,
    write_section,
)
from scoref.render.formatting import dropped_lines, side_rows
from scoref.render.text import write_inputs

_WIDTH = 80
_INDENT = "  "
_LEAST = 8  # what a column of mentions is left, however wide the others are


def render(explanation: Explanation) -> str:
    """Render what was read and done, each section, and the signature."""
    sides = explanation.key, explanation.response
    read = write_inputs(side_rows(*sides), dropped_lines(*sides))
    shown = [_section(section) for section in sections(explanation)]
    return "\n\n".join([read, *shown, explanation.signature])


def _section(section: Section) -> str:
    lines = _wrapped(section.title)
    title = "\n".join([*lines, "=" * max(map(len, lines))])
    return write_section(title, section.blocks, Writers(_text, _table, _formulas))


def _text(text: str) -> str:
    return "\n".join(_wrapped(text))


def _wrapped(text: str) -> list[str]:
    """Break text into lines; the name of a metric, which is one word, after its commas."""
    loose = re.sub(r",(?=\w+=)", ",\0 ", text)
    return [line.replace("\0 ", "").rstrip("\0") for line in textwrap.wrap(loose, _WIDTH)]


def _formulas(formulas: Sequence[Formula]) -> str:
    """Write formulas below each other, their equals signs aligned."""
    width = max(len(formula.name) for formula in formulas)
    indent = " " * (len(_INDENT) + width + 3)
    lines: list[str] = []
    for formula in formulas:
        line = f"{_INDENT}{formula.name.ljust(width)}"
        for at, (sign, step) in enumerate(plain_steps(formula)):
            if at and len(line) + len(step) + 3 > _WIDTH:
                lines += textwrap.wrap(line, _WIDTH, subsequent_indent=indent)
                line = f"{_INDENT}{' ' * width}"
            line += f" {sign} {step}"
        lines += textwrap.wrap(line, _WIDTH, subsequent_indent=indent)
    return "\n".join(lines)


def _table(grid: Grid) -> str:
    """Align a table: numbers to the right, texts to the left."""
    rows, total = table_rows(grid)
    header = [*grid.header]
    cells = [_texts(row) for row in rows]
    sums = [_texts(row) for row in total]
    shown = [at for at in range(len(header)) if any(row[at] for row in [*cells, *sums])]
    widths = _widths(header, [*cells, *sums], shown, grid.numeric)
    if _excess(widths, shown) > 0:
        cells, sums = [_short_texts(row) for row in rows], [_short_texts(row) for row in total]
        widths = _widths(header, [*cells, *sums], shown, grid.numeric)
    rule = ["-" * width for width in widths]
    lines = [*_wrapped(grid.caption), ""] if grid.caption else []
    for row in (header, rule, *cells, *([rule, *sums] if sums else [])):
        wrapped = [textwrap.wrap(row[at], widths[at]) for at in shown]
        for texts in zip_longest(*wrapped, fillvalue=""):
            line = "  ".join(
                text.rjust(widths[at]) if grid.numeric[at] else text.ljust(widths[at])
                for at, text in zip(shown, texts, strict=True)
            )
            lines.append(f"{_INDENT}{line}".rstrip())
    return "\n".join(lines)


def _widths(
    header: list[str], rows: list[list[str]], shown: list[int], numeric: Sequence[bool]
) -> list[int]:
    """Return the widths of columns.

    In a table that is too wide, titles take several lines, then the widest texts.
    """
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    if _excess(widths, shown) > 0:
        for at in shown:
            widths[at] = max(map(len, [*header[at].split(), *(row[at] for row in rows)]))
    texts = [at for at in shown if not numeric[at]]
    while texts and _excess(widths, shown) > 0:
        widest = max(texts, key=lambda at: widths[at])
        if widths[widest] <= _LEAST:
            break
        widths[widest] -= 1
    return widths


def _excess(widths: Sequence[int], shown: Sequence[int]) -> int:
    """Return by how many characters a table is too wide."""
    return len(_INDENT) + sum(widths[at] + 2 for at in shown) - 2 - _WIDTH


def _texts(row: Sequence[Cell]) -> list[str]:
    return [plain_cell(cell) for cell in row]


def _short_texts(row: Sequence[Cell]) -> list[str]:
    """Write fractions by their decimals where these are shorter, in a table that is too wide."""
    return [
        min(plain_cell(cell), rounded(cell), key=len)
        if isinstance(cell, Fraction)
        else plain_cell(cell)
        for cell in row
    ]
