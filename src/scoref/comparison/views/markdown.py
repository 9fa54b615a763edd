"""A comparison for pull requests and notes."""

from __future__ import annotations

from scoref.comparison.comparison import Comparison
from scoref.comparison.views.layout import Cell, Table, by_metric, pairs, ranking, remarks, taus
from scoref.render.markdown import escape, markdown_row, markdown_table


def render(comparison: Comparison, *, details: bool, digits: int) -> str:
    """Render the ranking, F1 by metric, how it was made, and the signature."""
    parts = [_table(ranking(comparison, digits, _style))]
    if len(comparison.metrics) > 1:
        parts.append(_table(by_metric(comparison, digits, _style)))
    if details and len(comparison.systems) > 1:
        parts.append(markdown_table(*pairs(comparison, digits)))
        if table := taus(comparison):
            parts.append(markdown_table(*table))
    parts.append("\n".join(f"- {escape(line)}" for line in remarks(comparison)))
    return "\n\n".join([*parts, f"`{comparison.signature}`"])


def _style(cell: Cell) -> str:
    value = f"**{cell.value}**" if cell.best else cell.value
    return f"{value}<sup>{cell.beaten}</sup>" if cell.beaten else value


def _table(table: Table) -> str:
    """Write a table whose scores are Markdown already; names are not."""
    header, rows = table
    name = header.index("system") if "system" in header else 0
    rule = ["---" if at <= name else "---:" for at in range(len(header))]
    shown = [
        [*row[:name], escape(row[name]), *(_plain(cell) for cell in row[name + 1 :])]
        for row in rows
    ]
    return "\n".join(markdown_row(row) for row in ([escape(h) for h in header], rule, *shown))


def _plain(cell: str) -> str:
    """Keep an interval's brackets from being a link."""
    return cell.replace("[", "\\[").replace("]", "\\]")
