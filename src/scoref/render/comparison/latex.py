"""A comparison as a table for a paper (booktabs); the caption names the test and its level."""

from __future__ import annotations

from collections.abc import Sequence

from scoref.comparison import Comparison
from scoref.render.comparison.layout import (
    Cell,
    Table,
    by_metric,
    pairs,
    ranking,
    remarks,
    taus,
    test_line,
)
from scoref.render.latex import escape, signature, tabular
from scoref.render.layout import interval_line


def render(comparison: Comparison, *, details: bool, digits: int) -> str:
    """Render tables that compile with the booktabs package."""
    how = _how(comparison)
    first = ranking(comparison, digits, _style)
    tables = [_float(_styled(first), f"Systems by F1 of {comparison.metric} in percent.", how)]
    if len(comparison.metrics) > 1:
        table = by_metric(comparison, digits, _style)
        tables.append(_float(_styled(table), "F1 in percent.", how))
    if details and len(comparison.systems) > 1:
        table = pairs(comparison, digits)
        what = f"Differences in F1 of {comparison.metric}, in points."
        tables.append(_float(tabular(*table), what, how))
        if len(comparison.metrics) > 1:
            tables.append(_float(tabular(*taus(comparison)), "Agreement of the rankings.", ""))
    comments = [f"% {line}" for line in remarks(comparison)]
    comments.append(f"% {comparison.signature}")
    return "\n\n".join(["% needs \\usepackage{booktabs}", *tables, "\n".join(comments)])


def _how(comparison: Comparison) -> str:
    """Say in the caption what brackets and letters mean, and under which policy all was scored."""
    parts = []
    if not comparison.refusal:
        line = interval_line(comparison.sampling, comparison.units)
        parts.append(f"In brackets: {escape(line)}.")
        if len(comparison.systems) > 1:
            level = f"{comparison.sampling.level:g}"
            parts.append(rf"Letters: the systems that a system beats at $p < {level}$")
            parts.append(f"({escape(test_line(comparison).removeprefix('tests: '))}).")
            parts.append("Bold: the best.")
    return " ".join([*parts, signature(comparison.signature)])


def _style(cell: Cell) -> str:
    value = rf"\textbf{{{cell.value}}}" if cell.best else cell.value
    return rf"{value}\textsuperscript{{{cell.beaten}}}" if cell.beaten else value


def _styled(table: Table) -> list[str]:
    """Write a table whose scores are LaTeX already; names are not."""
    header, rows = table
    name = header.index("system") if "system" in header else 0
    columns = "".join("l" if at <= name else "r" for at in range(len(header)))
    shown = [[*row[:name], escape(row[name]), *map(_minus, row[name + 1 :])] for row in rows]
    return [
        rf"\begin{{tabular}}{{{columns}}}",
        r"  \toprule",
        f"  {_row([_heading(cell) for cell in header])}",
        r"  \midrule",
        *(f"  {_row(row)}" for row in shown),
        r"  \bottomrule",
        r"\end{tabular}",
    ]


def _row(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"


def _heading(cell: str) -> str:
    return rf"$-$ {cell[2:]}" if cell.startswith("- ") else escape(cell)


def _minus(cell: str) -> str:
    """Write the signs of differences and of their intervals as signs."""
    if cell.startswith(("+", "-")):
        return f"${cell}$"
    return cell.replace("[-", "[$-$").replace(", -", ", $-$").replace("<", "$<$")


def _float(lines: Sequence[str], what: str, how: str) -> str:
    return "\n".join(
        [
            r"\begin{table}",
            r"  \centering",
            r"  \small\setlength{\tabcolsep}{4pt}",
            *(f"  {line}" for line in lines),
            rf"  \caption{{{what} {how}}}".replace(" }", "}"),
            r"\end{table}",
        ]
    )
