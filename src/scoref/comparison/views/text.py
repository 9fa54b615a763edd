"""A comparison for a terminal."""

from __future__ import annotations

import re

from scoref.base.phrases import counted
from scoref.comparison.comparison import Comparison
from scoref.comparison.views.layout import Cell, by_metric, pairs, ranking, remarks, taus
from scoref.render.text import render_table, wrapped

_SCORE = re.compile(r"(\*?-?\d+(\.\d+)?)?")


def render(comparison: Comparison, *, details: bool, digits: int) -> str:
    """Render what was read, the ranking, F1 by metric, how it was made, and the signature."""
    key = comparison.key
    read = "  ".join(
        [
            "key",
            counted(key.documents, "document"),
            counted(key.mentions, "mention"),
            counted(key.entities, "entity", "entities"),
        ]
    )
    parts = [read, _table(*ranking(comparison, digits, _style))]
    if len(comparison.metrics) > 1:
        parts.append(_table(*by_metric(comparison, digits, _style)))
    if details and len(comparison.systems) > 1:
        parts.append(render_table(*pairs(comparison, digits)))
        if table := taus(comparison):
            parts.append(render_table(*table))
    lines = "\n".join(map(wrapped, remarks(comparison)))
    return "\n\n".join([*parts, lines, comparison.signature])


def _style(cell: Cell) -> str:
    """Mark the best with an asterisk; the letters follow after a blank."""
    value = f"*{cell.value}" if cell.best else cell.value
    return f"{value} {cell.beaten}" if cell.beaten else value


def _table(header: list[str], rows: list[list[str]]) -> str:
    """Align numbers under each other, with the letters behind them."""
    columns = list(zip(header, *rows, strict=True))
    padded = [_aligned(column) for column in columns]
    header, *rows = (list(row) for row in zip(*padded, strict=True))
    return render_table(header, rows, left=1 + ("rank" in header))


def _aligned(column: tuple[str, ...]) -> list[str]:
    """Pad what follows a score, so that the scores themselves line up."""
    name, *cells = column
    scores = [cell.partition(" ") for cell in cells]
    if not all(_SCORE.fullmatch(score) for score, _, _ in scores):
        return list(column)
    width = max((len(blank + beaten) for _, blank, beaten in scores), default=0)
    return [name, *(score + (blank + beaten).ljust(width) for score, blank, beaten in scores)]
