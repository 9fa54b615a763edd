"""An explanation for notes, teaching and pull requests."""

from __future__ import annotations

from collections.abc import Sequence

from scoref.explanation import Explanation
from scoref.explanation.blocks import Block, Formula, Grid, Section
from scoref.explanation.views.cells import grouped, plain_cell, plain_steps, sections, table_rows
from scoref.render.formatting import dropped_lines, side_rows
from scoref.render.markdown import escape, write_inputs


def render(explanation: Explanation) -> str:
    """Render what was read and done, each section, and the signature as code."""
    sides = explanation.key, explanation.response
    read = write_inputs(side_rows(*sides), dropped_lines(*sides))
    shown = [_section(section) for section in sections(explanation)]
    return "\n\n".join([read, *shown, f"`{explanation.signature}`"])


def _section(section: Section) -> str:
    blocks = [_blocks(group) for group in grouped(section.blocks)]
    return "\n\n".join([f"## {escape(section.title)}", *blocks])


def _blocks(group: Sequence[Block]) -> str:
    (first, *_) = group
    if isinstance(first, str):
        return escape(first)
    if isinstance(first, Grid):
        caption = f"{escape(first.caption)}:\n\n" if first.caption else ""
        return caption + _table(first)
    return "\n".join(_formula(block) for block in group if isinstance(block, Formula))


def _formula(formula: Formula) -> str:
    steps = [f"{sign} {step}" for sign, step in plain_steps(formula)]
    return f"- {escape(' '.join([formula.name, *steps]))}"


def _table(grid: Grid) -> str:
    rows, total = table_rows(grid)
    lines = [
        [escape(title) for title in grid.header],
        ["---:" if numeric else "---" for numeric in grid.numeric],
        *([escape(plain_cell(cell)) for cell in row] for row in rows),
        *([_bold(escape(plain_cell(cell))) for cell in row] for row in total),
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _bold(text: str) -> str:
    return f"**{text}**" if text else ""
