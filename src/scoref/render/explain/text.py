"""An explanation for a terminal of 80 columns."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from itertools import zip_longest

from scoref.analysis.explain import Explanation
from scoref.analysis.explain.blocks import Block, Cell, Formula, Grid, Section
from scoref.render.explain.cells import grouped, plain_cell, plain_steps, sections, table_rows
from scoref.render.layout import done_lines, side_lines
from scoref.render.text import aligned

_WIDTH = 80
_INDENT = "  "
_LEAST = 20  # what a column of mentions is left, however wide the others are


def render(explanation: Explanation) -> str:
    """Render what was read and done, each section, and the signature."""
    read = [*aligned(side_lines(explanation), left=2), *done_lines(explanation)]
    shown = [_section(section) for section in sections(explanation)]
    return "\n\n".join(["\n".join(read), *shown, explanation.signature])


def _section(section: Section) -> str:
    title = f"{section.title}\n{'=' * len(section.title)}"
    return "\n\n".join([title, *(_blocks(group) for group in grouped(section.blocks))])


def _blocks(group: Sequence[Block]) -> str:
    (first, *_) = group
    if isinstance(first, str):
        return textwrap.fill(first, _WIDTH)
    if isinstance(first, Grid):
        caption = f"{textwrap.fill(first.caption, _WIDTH)}\n\n" if first.caption else ""
        return caption + "\n".join(_table(first))
    return _formulas([block for block in group if isinstance(block, Formula)])


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


def _table(grid: Grid) -> list[str]:
    """Align a table: numbers to the right, texts to the left."""
    rows, total = table_rows(grid)
    header = [*grid.header]
    cells = [_texts(row) for row in rows]
    sums = [_texts(row) for row in total]
    shown = [at for at in range(len(header)) if any(row[at] for row in [*cells, *sums])]
    widths = _widths(header, [*cells, *sums], shown, grid.numeric)
    rule = ["-" * width for width in widths]
    lines: list[str] = []
    for row in (header, rule, *cells, *([rule, *sums] if sums else [])):
        wrapped = [textwrap.wrap(row[at], widths[at]) for at in shown]
        for texts in zip_longest(*wrapped, fillvalue=""):
            line = "  ".join(
                text.rjust(widths[at]) if grid.numeric[at] else text.ljust(widths[at])
                for at, text in zip(shown, texts, strict=True)
            )
            lines.append(f"{_INDENT}{line}".rstrip())
    return lines


def _widths(
    header: list[str], rows: list[list[str]], shown: list[int], numeric: Sequence[bool]
) -> list[int]:
    """Return the widths of columns.

    In a table that is too wide, titles of numbers take several lines, then the widest texts.
    """
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]

    def excess() -> int:
        return len(_INDENT) + sum(widths[at] + 2 for at in shown) - 2 - _WIDTH

    if excess() > 0:
        for at in shown:
            if numeric[at]:
                widths[at] = max(map(len, [*header[at].split(), *(row[at] for row in rows)]))
    texts = [at for at in shown if not numeric[at]]
    if texts and excess() > 0:
        widest = max(texts, key=lambda at: widths[at])
        widths[widest] = min(widths[widest], max(widths[widest] - excess(), _LEAST))
    return widths


def _texts(row: Sequence[Cell]) -> list[str]:
    return [plain_cell(cell) for cell in row]
