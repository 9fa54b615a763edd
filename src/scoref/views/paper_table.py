"""The table of most papers on coreference: MUC, B³ and CEAF_e, and the average of their F1.

Systems are rows. Each metric has recall, precision and F1 in a group of columns of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from scoref.base.phrases import listed
from scoref.base.visible import visible
from scoref.exceptions import UsageError
from scoref.result import Score
from scoref.views.formatting import percent
from scoref.views.model import TableCell, best_in_bold
from scoref.views.writers.latex import TYPESET, write_caption, write_cell

STYLES = ("full", "conll")
METRICS = {name: TYPESET[name] for name in ("muc", "b3", "ceafe")}
"""The metrics with a group of columns, and how they are typeset."""

AVERAGE = "conll"


@dataclass(frozen=True, slots=True)
class PaperRow:
    """A system: its name, its letter, its scores, and the marks of each F1.

    `marks` are the letters of the systems that it beats, by metric. `spread` is written after the
    average, such as the standard deviation over runs.
    """

    name: str
    scores: Mapping[str, Score]
    label: str = ""
    marks: Mapping[str, str] | None = None
    spread: str = ""


def check_style(style: str, output: str) -> None:
    """Refuse other styles than that of papers, and other outputs."""
    if style not in STYLES:
        raise UsageError(f"unknown style {style!r}", f"one of: {', '.join(STYLES)}")
    if output != "latex":
        raise UsageError(f"the style {style} is one of LaTeX", "add --to latex")


def left_out(scored: Iterable[str]) -> list[str]:
    """Note the metrics that were scored, but are not in the table."""
    names = [name for name in scored if name not in {*METRICS, AVERAGE}]
    return [f"--style conll leaves out {listed(names)}: --style full writes them"] if names else []


def write_paper_table(
    rows: Sequence[PaperRow], caption: Sequence[str], signature: str, digits: int
) -> str:
    """Write a float for the booktabs package; `caption` are sentences without full stops."""
    for name in (*METRICS, AVERAGE):
        if any(name not in row.scores for row in rows):
            raise UsageError(
                f"the style conll requires {', '.join(METRICS)} and {AVERAGE}, but {name} was not"
                " scored",
                "leave -m out, or use --style full",
            )
    columns = [*_columns(rows, digits)]
    marked = ["l" if any(cell.superscript for cell in column) else "r" for column in columns]
    groups = [rf"\multicolumn{{3}}{{c}}{{{title}}}" for title in METRICS.values()]
    rules = [rf"\cmidrule(lr){{{first}-{first + 2}}}" for first in (2, 5, 8)]
    names = [_name(row) for row in rows]
    body = [
        " & ".join([name, *map(write_cell, cells)]) + r" \\"
        for name, *cells in zip(names, *columns, strict=True)
    ]
    return "\n".join(
        [
            r"% needs \usepackage{booktabs}",
            "",
            r"\begin{table*}",
            r"  \centering",
            r"  \small\setlength{\tabcolsep}{4pt}",
            rf"  \begin{{tabular}}{{l{''.join(marked)}}}",
            r"    \toprule",
            rf"    & {' & '.join(groups)} & Avg. \\",
            f"    {' '.join(rules)}",
            rf"    System & {' & '.join(['R', 'P', 'F$_1$'] * 3)} & F$_1$ \\",
            r"    \midrule",
            *(f"    {row}" for row in body),
            r"    \bottomrule",
            r"  \end{tabular}",
            rf"  \caption{{{write_caption(caption, signature)}}}",
            r"\end{table*}",
            "",
            f"% {visible(signature)}",
        ]
    )


def _columns(rows: Sequence[PaperRow], digits: int) -> list[list[TableCell]]:
    """Return the columns of numbers: recall, precision and F1 of each metric, and the average."""
    found = []
    for metric in METRICS:
        for field in ("recall", "precision", "f1"):
            values = [percent(getattr(row.scores[metric], field), digits) for row in rows]
            found.append(_column(rows, values, metric if field == "f1" else ""))
    average = [percent(row.scores[AVERAGE].f1, digits) for row in rows]
    return [*found, _column(rows, average, AVERAGE)]


def _column(rows: Sequence[PaperRow], values: Sequence[str], metric: str) -> list[TableCell]:
    """Return the cells of a column, the best in bold; `metric` is the one whose marks it has."""
    marks = [(row.marks or {}).get(metric, "") for row in rows]
    return best_in_bold(values, marks, [row.spread if metric == AVERAGE else "" for row in rows])


def _name(row: PaperRow) -> str:
    return write_cell(TableCell(visible(row.name), row.label))
