"""An explanation for notes, teaching and pull requests."""

from __future__ import annotations

from collections.abc import Sequence

from scoref.explanation import Explanation
from scoref.explanation.blocks import Formula, Grid, Section
from scoref.explanation.views.cells import (
    Writers,
    plain_cell,
    plain_steps,
    sections,
    table_rows,
    write_section,
)
from scoref.render.formatting import dropped_lines, side_rows
from scoref.render.markdown import escape, write_inputs


def render(explanation: Explanation) -> str:
    """Render what was read and done, each section, and the signature as code."""
    sides = explanation.key, explanation.response
    read = write_inputs(side_rows(*sides), dropped_lines(*sides))
    shown = [_section(section) for section in sections(explanation)]
    return "\n\n".join([read, *shown, f"`{explanation.signature}`"])


def _section(section: Section) -> str:
    title = f"## {escape(section.title)}"
    return write_section(title, section.blocks, Writers(escape, _table, _formulas))


def _formulas(formulas: Sequence[Formula]) -> str:
    return "\n".join(map(_formula, formulas))


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
    caption = f"{escape(grid.caption)}:\n\n" if grid.caption else ""
    return caption + "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _bold(text: str) -> str:
    return f"**{text}**" if text else ""
