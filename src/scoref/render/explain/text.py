"""An explanation for a terminal of 80 columns."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from scoref.analysis.explain import Explanation
from scoref.analysis.explain.blocks import Block, Cell, Formula, Grid, Section
from scoref.render.explain.cells import grouped, plain_cell, plain_value, sections, table_rows
from scoref.render.layout import done_lines, side_lines
from scoref.render.text import aligned

_WIDTH = 80
_INDENT = "  "
_LEAST = 24  # what a column of mentions is left, however wide the others are


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
    lines = []
    for formula in formulas:
        line = f"{_INDENT}{formula.name.ljust(width)}"
        for at, step in enumerate(plain_value(formula)):
            if at and len(line) + len(step) + 3 > _WIDTH:
                lines.append(line)
                line = f"{_INDENT}{' ' * width}"
            line += f" = {step}"
        indent = " " * (len(_INDENT) + width + 3)
        lines += textwrap.wrap(line, _WIDTH, subsequent_indent=indent, drop_whitespace=False)
    return "\n".join(line.rstrip() for line in lines)


def _table(grid: Grid) -> list[str]:
    """Align a table: numbers to the right, texts to the left, a long last column wrapped."""
    rows, total = table_rows(grid)
    cells = [_texts(row) for row in rows]
    sums = [_texts(row) for row in total]
    widths = [max(map(len, column)) for column in zip(grid.header, *cells, *sums, strict=True)]
    used = sum(width + 2 for width in widths[:-1])
    if not grid.numeric[-1]:
        widths[-1] = min(widths[-1], max(_WIDTH - len(_INDENT) - used, _LEAST))
    shown = [at for at, width in enumerate(widths) if any(row[at] for row in [*cells, *sums])]
    rule = ["-" * width for width in widths]
    lines: list[str] = []
    for row in ([*grid.header], rule, *cells, *([rule, *sums] if sums else [])):
        last = textwrap.wrap(row[-1], widths[-1]) or [""]
        for at, rest in enumerate(last):
            texts = [*([""] * (len(row) - 1) if at else row[:-1]), rest]
            line = "  ".join(
                texts[i].rjust(widths[i]) if grid.numeric[i] else texts[i].ljust(widths[i])
                for i in shown
            )
            lines.append(f"{_INDENT}{line}".rstrip())
    return lines


def _texts(row: Sequence[Cell]) -> list[str]:
    return [plain_cell(cell) for cell in row]
