"""LaTeX tables for a paper (booktabs), with the signature in each caption."""

from __future__ import annotations

import re

from scoref.render.model import Page, TableCell, TableRow, TableView

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "|": r"\textbar{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    **{character: f"\\{character}" for character in "&%$#_{}"},
}
_FEW = 4  # columns that fit on a page at the usual size
_SIGNED = re.compile(r"[+-][\d.]+")
_INTERVAL = re.compile(r"\[-?[\d.]+, -?[\d.]+\]")


def write_page(page: Page) -> str:
    """Write tables that compile with the booktabs package.

    What no caption says is written as comments, which LaTeX does not print.
    """
    tables = [write_table(table, page.signature) for table in page.tables]
    said = {sentence for table in page.tables for sentence in table.caption}
    comments = [line for line in (*page.remarks, page.signature) if line and line not in said]
    parts = [r"% needs \usepackage{booktabs}", *tables, "\n".join(f"% {line}" for line in comments)]
    return "\n\n".join(filter(None, parts))


def escape(text: str) -> str:
    """Write any text so that LaTeX prints it."""
    return "".join(_SPECIAL.get(character, character) for character in text)


def breakable(signature: str) -> str:
    """Let a signature, one long word to LaTeX, break at its bars and colons."""
    return re.sub(r"(\\textbar\{\}|:)", r"\1\\allowbreak{}", escape(signature))


def write_signature(signature: str) -> str:
    """Write a signature for a caption."""
    return rf"{{\ttfamily {breakable(signature)}}}"


def write_table(table: TableView, signature: str = "") -> str:
    """Write a table: a float if it has a caption."""
    lines = _tabular(table)
    if not table.caption:
        return "\n".join([*([f"% {table.title}"] if table.title else []), *lines])
    caption = [f"{_prose(sentence)}." for sentence in table.caption]
    caption += [write_signature(signature)] if signature else []
    return "\n".join(
        [
            r"\begin{table}",
            r"  \centering",
            *([r"  \small\setlength{\tabcolsep}{4pt}"] if len(table.header) > _FEW else []),
            *(f"  {line}" for line in lines),
            rf"  \caption{{{' '.join(caption)}}}",
            r"\end{table}",
        ]
    )


def _tabular(table: TableView) -> list[str]:
    columns = "".join(
        "l" if at < table.left or any(isinstance(cell, TableCell) for cell in column) else "r"
        for at, column in enumerate(zip(table.header, *table.body, strict=True))
    )  # cells with superscripts start at the left, so that their numbers line up
    return [
        rf"\begin{{tabular}}{{{columns}}}",
        r"  \toprule",
        _row(table.header),
        r"  \midrule",
        *map(_row, table.rows),
        *([r"  \midrule", _row(table.total)] if table.total else []),
        r"  \bottomrule",
        r"\end{tabular}",
    ]


def _row(cells: TableRow) -> str:
    return f"  {' & '.join(map(_cell, cells))} \\\\"


def _cell(cell: str | TableCell) -> str:
    """Write a cell, with minus signs where it is a number, an interval or a difference."""
    if isinstance(cell, TableCell):
        value = rf"\textbf{{{_cell(cell.text)}}}" if cell.bold else _cell(cell.text)
        above = escape(cell.superscript)
        return rf"{value}\textsuperscript{{{above}}}" if above else value
    text = cell.strip()
    if _SIGNED.fullmatch(text):
        return f"${text}$"
    if _INTERVAL.fullmatch(text):
        return text.replace("-", "$-$")
    return f"$-$ {escape(text[2:])}" if text.startswith("- ") else escape(text)


def _prose(text: str) -> str:
    """Write a sentence, with levels of significance as formulas."""
    return re.sub(r"\bp \\textless\{\} ([\d.]+\d)", r"$p < \1$", escape(text))
