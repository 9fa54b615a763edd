"""LaTeX tables for a paper (booktabs), with the short signature in the first caption.

Names of metrics are typeset as in papers: `b3` is B³, with its digit raised. Views mark names in
cells and headers as `MetricName`. In sentences, names are found by their spelling, except for those
that are English words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress

from scoref.base.viewed import MetricName
from scoref.exceptions import UsageError
from scoref.policy import short_signature
from scoref.views.model import (
    FormulaView,
    Page,
    SectionView,
    TableCell,
    TableRow,
    TableView,
    is_too_wide,
    narrowed,
)

TYPESET = {
    "mentions": "Mentions",
    "muc": "MUC",
    "b3": "B$^3$",
    "ceafm": "CEAF$_m$",
    "ceafe": "CEAF$_e$",
    "ceaf": "CEAF",
    "blanc": "BLANC",
    "lea": "LEA",
    "pairwise": "Pairwise",
    "conll": "CoNLL",
    "rand": "Rand",
    "ari": "ARI",
    "nmi": "NMI",
    "vmeasure": "V-measure",
    "vi": "VI",
    "ami": "AMI",
    "fowlkes_mallows": "Fowlkes-Mallows",
    "purity": "Purity",
    "closest": "Closest entity",
    "exact_entity": "Exact entity",
    "merge_distance": "Merge distance",
    "lmuc": "LMUC",
    "lb3": "LB$^3$",
    "lceafm": "LCEAF$_m$",
    "lceafe": "LCEAF$_e$",
    "arcs": "ARCS",
    "mor": "MOR",
    "zero": "Zero",
    "bridging": "Bridging",
    "nonreferring": "Non-referring",
    "ace": "ACE",
}
"""Every built-in metric; metrics of users and packages are written as they are called."""

_WORDS = {"mentions", "pairwise", "rand", "arcs", "zero", "bridging", "nonreferring", "ace"}
_WORDS |= {"purity", "closest"}
_IN_PROSE = re.compile(
    rf"(?<![\w/.\[-])({'|'.join(sorted(TYPESET.keys() - _WORDS, key=len, reverse=True))})"
    r"(?![\w/-]|\.\w|\\_)"
)
_LABEL = re.compile(r"\b(L?CEAF)([me])\b")  # as papers and titles call them
_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "|": r"\textbar{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "±": r"$\pm$",
    "²": r"$^2$",
    "³": r"$^3$",
    **{character: f"\\{character}" for character in "&%$#_{}"},
}
_SYMBOLS = {
    "≈": r"$\approx$",
    " - ": " $-$ ",
    "...": r"\dots{}",
    "--": "-{}-",
}
_FEW = 4  # columns that fit on a page at the usual size
_MANY = 6  # columns of a section's table that have room for the usual space between them
_WIDTH = 68  # characters that fit on a line of a section, with the space between columns
_LEAST = 12  # characters that a column of texts keeps, however wide the others are
_EM = 0.5  # the width of a character
_SIGNED = re.compile(r"[+-][\d.]+")
_INTERVAL = re.compile(r"\[-?[\d.]+, -?[\d.]+\]")


def write_page(page: Page) -> str:
    """Write tables that compile with the booktabs package.

    What no caption says is written as comments, which LaTeX does not print.
    """
    first = next((table for table in page.tables if table.caption), None)
    tables = [write_table(table, page.signature if table is first else "") for table in page.tables]
    parts = [r"% needs \usepackage{booktabs}", *tables, *map(write_section, page.sections)]
    said = {sentence for table in page.tables for sentence in table.caption}
    comments = [*page.remarks, page.signature]
    if page.sections:
        signature = rf"\raggedright\footnotesize\ttfamily {breakable(page.signature)}\par"
        parts.append(rf"\noindent{{{signature}}}")
        said.add(page.signature)
    parts.append("\n".join(f"% {line}" for line in comments if line and line not in said))
    return "\n\n".join(filter(None, parts))


def escape(text: str) -> str:
    """Write any text so that LaTeX prints it."""
    return "".join(_SPECIAL.get(character, character) for character in text)


def breakable(signature: str) -> str:
    """Let a signature, one long word to LaTeX, break at its bars and colons."""
    return re.sub(r"(\\textbar\{\}|:)", r"\1\\allowbreak{}", escape(signature))


def write_signature(signature: str) -> str:
    """Write a signature for a caption: the short form, from which the long one can be made."""
    with suppress(UsageError):  # an analysis has added what is not a policy
        signature = short_signature(signature)
    return rf"{{\ttfamily {breakable(signature)}}}"


def write_table(table: TableView, signature: str = "") -> str:
    """Write a table: a float if it has a caption."""
    lines = _tabular(table)
    if not table.caption:
        return "\n".join([*([f"% {table.title}"] if table.title else []), *lines])
    return "\n".join(
        [
            r"\begin{table}",
            r"  \centering",
            *([r"  \small\setlength{\tabcolsep}{4pt}"] if len(table.header) > _FEW else []),
            *(f"  {line}" for line in lines),
            rf"  \caption{{{write_caption(table.caption, signature)}}}",
            r"\end{table}",
        ]
    )


def write_caption(sentences: Sequence[str], signature: str = "") -> str:
    """Write the text of a caption: sentences without full stops, and the short signature."""
    parts = []
    for sentence in sentences:
        written = typeset_prose(escape(sentence))
        written = re.sub(r"\bp \\textless\{\} ([\d.]+\d)", r"$p < \1$", written)
        parts.append(f"{written[:1].upper()}{written[1:]}.")  # a remark elsewhere
    return " ".join([*parts, *([write_signature(signature)] if signature else [])])


def _tabular(table: TableView) -> list[str]:
    columns = "".join(
        "l"
        if at in table.left_columns or any(isinstance(cell, TableCell) for cell in column)
        else "r"
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
    return f"  {' & '.join(map(write_cell, cells))} \\\\"


def write_cell(cell: str | TableCell) -> str:
    """Write a cell, with minus signs where it is a number, an interval or a difference."""
    if isinstance(cell, TableCell):
        value = rf"\textbf{{{write_cell(cell.text)}}}" if cell.bold else write_cell(cell.text)
        above = escape(cell.superscript)
        return rf"{value}\textsuperscript{{{above}}}" if above else value
    if isinstance(cell, MetricName):
        return typeset_metric(escape(cell))
    text = cell.strip()
    if _SIGNED.fullmatch(text):
        return f"${text}$"
    if _INTERVAL.fullmatch(text):
        return text.replace("-", "$-$")
    written = typeset_labels(escape(text))
    return f"$-${written[1:]}" if text.startswith("- ") else written


def typeset_metric(escaped: str) -> str:
    """Typeset the name of a metric, which is escaped already; what follows it stays as it is."""
    return re.sub(r"^\w+\b", lambda found: TYPESET.get(found[0].lower(), found[0]), escaped)


def typeset_labels(escaped: str) -> str:
    """Typeset CEAFm and CEAFe wherever a text has them."""
    return _LABEL.sub(r"\1$_\2$", escaped)


def typeset_prose(escaped: str) -> str:
    """Typeset the names of metrics in a sentence."""
    return typeset_labels(_IN_PROSE.sub(lambda found: TYPESET[found[1]], escaped))


def typeset(text: str) -> str:
    """Write any text so that LaTeX prints it, with indices and signs as in mathematics."""
    return typeset_metric(escape(text)) if isinstance(text, MetricName) else _signs(escape(text))


def _signs(escaped: str) -> str:
    """Typeset indices and signs of an escaped text as in mathematics."""
    for sign, command in _SYMBOLS.items():
        escaped = escaped.replace(sign, command)
    return re.sub(r"\b([A-Za-z])\\_([a-z])\b", r"$\1_\2$", escaped)


def _typeset_prose(text: str) -> str:
    """Write a sentence or a title, with names of metrics as papers write them."""
    return typeset_prose(_signs(escape(text)))


def write_section(section: SectionView) -> str:
    """Write a section without a number."""
    called = re.sub(r"\[(.+)\]$", r"[\\texttt{\1}]", _typeset_prose(section.title))
    title = rf"\subsection*{{\raggedright {_breakable_name(called)}}}"
    return section.write(
        title,
        lambda text: rf"\smallskip\noindent {_typeset_prose(text)}",
        write_fitted_table,
        write_formulas,
    )


def _breakable_name(text: str) -> str:
    """Let the name of a metric, one long word to LaTeX, break before its parameters."""
    return re.sub(r",(?=[\w\\]+=)", r",\\allowbreak{}", text)


def write_fitted_table(table: TableView) -> str:
    """Write a table in the text, whose widest texts take several lines if it is too wide."""
    widths = [
        max(len(cell if isinstance(cell, str) else cell.text) for cell in column)
        for column in zip(table.header, *table.body, strict=True)
    ]
    fitted = narrowed(widths, table.left_columns, _WIDTH, _LEAST)
    columns = [
        "r"
        if at not in table.left_columns
        else "l"
        if width == whole
        else f"p{{{width * _EM:g}em}}"
        for at, (width, whole) in enumerate(zip(fitted, widths, strict=True))
    ]
    wide = len(columns) > _MANY and is_too_wide(widths, _WIDTH * 3 // 4)
    caption = rf"{_breakable_name(_typeset_prose(table.title))}\\*[0.7ex]"  # on the same page
    header, *rows = (_fitted_row(row, columns) for row in (table.header, *table.body))
    if table.total:
        rows.insert(-1, r"  \midrule")
    return "\n".join(
        [
            r"\begin{center}\small",
            *([caption] if table.title else []),
            *([r"\setlength{\tabcolsep}{4pt}"] if wide else []),
            rf"\begin{{tabular}}{{{''.join(columns)}}}",
            *(r"  \toprule", header, r"  \midrule", *rows, r"  \bottomrule"),
            r"\end{tabular}",
            r"\end{center}",
        ]
    )


def _fitted_row(cells: TableRow, columns: Sequence[str]) -> str:
    marked = [TableCell(cell) if isinstance(cell, str) else cell for cell in cells]
    written = [
        ("\\raggedright " if column.startswith("p") else "")
        + (f"${cell.math}$" if cell.math else typeset(cell.text))
        for cell, column in zip(marked, columns, strict=True)
    ]
    # \raggedright gives \\ another meaning up to the end of its cell.
    end = r" \tabularnewline" if columns[-1].startswith("p") else r" \\"
    row = " & ".join(written) + end
    # A bracket would belong to the row before.
    return f"  {'{}' if row.startswith('[') else ''}{row}"


def write_formulas(formulas: Sequence[FormulaView]) -> str:
    """Write formulas below each other; fractions of two rows would touch without a space."""
    rows = " \\\\[2.5ex]\n".join(map(_formula, formulas))
    lines = [r"\[", r"\begin{array}{r@{\;}c@{\;}l}", rows, r"\end{array}", r"\]"]
    return "\n".join(lines)


def _formula(formula: FormulaView) -> str:
    indexed = re.fullmatch(r"([A-Za-z])_([a-z])", formula.name)
    name = f"{indexed[1]}_{indexed[2]}" if indexed else rf"\mbox{{{escape(formula.name)}}}"
    (sign, first), *others = (
        (sign.replace("≈", r"\approx"), math) for sign, _, math in formula.steps
    )
    rest = "".join(f" {sign} {math}" for sign, math in others)
    return rf"  {name} & {sign} & \displaystyle {first}{rest}"
