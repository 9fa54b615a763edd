"""A LaTeX table for a paper (booktabs), the signature in its caption."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from scoref.render.layout import document_rows, interval_lines, score_header, score_rows
from scoref.result import Result

if TYPE_CHECKING:
    from scoref.resampling.intervals import Intervals

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "|": r"\textbar{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    **{character: f"\\{character}" for character in "&%$#_{}"},
}


def render(result: Result, *, per_document: bool, digits: int, intervals: Intervals | None) -> str:
    """Render a table that compiles with the booktabs package."""
    rows = score_rows(result, digits, intervals)
    how = [*result.bound_lines(digits), *interval_lines(result, intervals, digits)[:1]]
    tables = [_table(score_header(intervals), rows, result, how=how)]
    if per_document:
        *documents, together = document_rows(result, digits)
        tables.insert(0, _table(["document", *result], documents, result, together))
    return "\n\n".join(["% needs \\usepackage{booktabs}", *tables])


def escape(text: str) -> str:
    """Write any text so that LaTeX prints it."""
    return "".join(_SPECIAL.get(character, character) for character in text)


def breakable(signature: str) -> str:
    """Let a signature, one long word to LaTeX, break at its bars and colons."""
    return re.sub(r"(\\textbar\{\}|:)", r"\1\\allowbreak{}", escape(signature))


def _table(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    result: Result,
    total: Sequence[str] | None = None,
    how: Sequence[str] = (),
) -> str:
    what = "F1" if total else "Recall, precision and F1"
    caption = " ".join([f"{what} in percent.", *(f"{escape(line)}." for line in how)])
    lines = [
        r"\begin{table}",
        r"  \centering",
        *([r"  \small\setlength{\tabcolsep}{4pt}"] if total or how else []),  # many columns
        *(f"  {line}" for line in tabular(header, rows, total)),
        rf"  \caption{{{caption} {signature(result.signature)}}}",
        r"\end{table}",
    ]
    return "\n".join(lines)


def signature(text: str) -> str:
    """Write a signature for a caption."""
    return rf"{{\ttfamily {breakable(text)}}}"


def tabular(
    header: Sequence[str], rows: Sequence[Sequence[str]], total: Sequence[str] | None = None
) -> list[str]:
    """Write the lines of a table for the booktabs package."""
    return [
        rf"\begin{{tabular}}{{l{'r' * (len(header) - 1)}}}",
        r"  \toprule",
        f"  {_row(header)}",
        r"  \midrule",
        *(f"  {_row(row)}" for row in rows),
        *([r"  \midrule", f"  {_row(total)}"] if total else []),
        r"  \bottomrule",
        r"\end{tabular}",
    ]


def _row(cells: Sequence[str]) -> str:
    return " & ".join(escape(cell) for cell in cells) + r" \\"
