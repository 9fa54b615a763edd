"""A comparison as a table for a paper (booktabs); the caption names the test and its level."""

from __future__ import annotations

from collections.abc import Sequence

from scoref.comparison.comparison import Comparison
from scoref.comparison.views.layout import (
    Cell,
    Table,
    by_metric,
    pairs,
    ranking,
    remarks,
    taus,
    test_line,
)
from scoref.render.latex import escape, signature
from scoref.render.layout import interval_line


def render(comparison: Comparison, *, details: bool, digits: int) -> str:
    """Render tables that compile with the booktabs package."""
    tested = not comparison.refusal
    several = len(comparison.systems) > 1
    brackets = _brackets(comparison) if tested else ""
    letters = _letters(comparison) if tested and several else ""
    table = ranking(comparison, digits, _style)
    what = f"Systems by F1 of {escape(comparison.metric)} in percent."
    tables = [_float(_styled(table), what, brackets, letters, signature(comparison.signature))]
    if len(comparison.metrics) > 1:
        table = by_metric(comparison, digits, _style)
        tables.append(
            _float(_styled(table), "F1 in percent.", letters, signature(comparison.signature))
        )
    if details and several:
        header, rows = pairs(comparison, digits)
        table = header, [[*row[:-1], escape(row[-1])] for row in rows]
        what = f"Differences in F1 of {escape(comparison.metric)}, in points."
        test = f"{escape(test_line(comparison).replace('tests:', 'Tests:', 1))}."
        tables.append(_float(_styled(table), what, *([brackets, test] if tested else [])))
        if agreement := taus(comparison):
            tables.append(_float(_styled(agreement), "Agreement of the rankings by F1."))
    comments = [f"% {line}" for line in (*remarks(comparison), comparison.signature)]
    return "\n\n".join(["% needs \\usepackage{booktabs}", *tables, "\n".join(comments)])


def _brackets(comparison: Comparison) -> str:
    line = interval_line(comparison.sampling, comparison.units)
    return f"In brackets: {escape(line)}."


def _letters(comparison: Comparison) -> str:
    """Say in the caption what letters and bold mean, with the test and its level."""
    test = escape(test_line(comparison).removeprefix("tests: "))
    level = f"{comparison.sampling.level:g}"
    return rf"Letters: the systems that a system beats at $p < {level}$ ({test}). Bold: the best."


def _style(cell: Cell) -> str:
    value = rf"\textbf{{{cell.value}}}" if cell.best else cell.value
    return rf"{value}\textsuperscript{{{cell.beaten}}}" if cell.beaten else value


def _styled(table: Table) -> list[str]:
    """Write a table whose scores are LaTeX already; names are not."""
    header, rows = table
    name = header.index("system") if "system" in header else 0
    # Scores stand to the left, so that they line up whatever letters follow them.
    left = name + 1 if "system" in header else len(header) * (header[0] == "F1")
    columns = "".join("l" if at <= left else "r" for at in range(len(header)))
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


def _float(lines: Sequence[str], *caption: str) -> str:
    return "\n".join(
        [
            r"\begin{table}",
            r"  \centering",
            r"  \small\setlength{\tabcolsep}{4pt}",
            *(f"  {line}" for line in lines),
            rf"  \caption{{{' '.join(filter(None, caption))}}}",
            r"\end{table}",
        ]
    )
