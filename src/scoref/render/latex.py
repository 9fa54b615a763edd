"""A LaTeX table for a paper (booktabs), the signature in its caption."""

from __future__ import annotations

from collections.abc import Sequence

from scoref.render.layout import HEADER, document_rows, score_rows
from scoref.result import Result

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "|": r"\textbar{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    **{character: f"\\{character}" for character in "&%$#_{}"},
}


def render_latex(result: Result, per_document: bool, digits: int) -> str:  # noqa: FBT001
    """Render a table that compiles with the booktabs package."""
    rows = score_rows(result, digits)
    tables = [_table(HEADER, rows, result)]
    if per_document:
        *documents, together = document_rows(result, digits)
        tables.insert(0, _table(["document", *result], documents, result, together))
    return "\n\n".join(["% needs \\usepackage{booktabs}", *tables])


def escape(text: str) -> str:
    """Write any text so that LaTeX prints it."""
    return "".join(_SPECIAL.get(character, character) for character in text)


def _table(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    result: Result,
    total: Sequence[str] | None = None,
) -> str:
    what = "F1" if total else "Recall, precision and F1"
    # A signature is one long word to LaTeX: let it break at its bars.
    signature = escape(result.signature).replace(r"\textbar{}", r"\textbar{}\allowbreak{}")
    lines = [
        r"\begin{table}",
        r"  \centering",
        rf"  \begin{{tabular}}{{l{'r' * (len(header) - 1)}}}",
        r"    \toprule",
        f"    {_row(header)}",
        r"    \midrule",
        *(f"    {_row(row)}" for row in rows),
        *([r"    \midrule", f"    {_row(total)}"] if total else []),
        r"    \bottomrule",
        r"  \end{tabular}",
        rf"  \caption{{{what} in percent. {{\ttfamily {signature}}}}}",
        r"\end{table}",
    ]
    return "\n".join(lines)


def _row(cells: Sequence[str]) -> str:
    return " & ".join(escape(cell) for cell in cells) + r" \\"
