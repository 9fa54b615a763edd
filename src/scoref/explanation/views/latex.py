r"""An explanation for a paper or a handout: booktabs, and nothing else that needs a package."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from scoref.explanation import Explanation
from scoref.explanation.blocks import Cell, Formula, Grid, MentionList, MentionSets, Section
from scoref.explanation.expressions import Expression, Over, Product, Sum
from scoref.explanation.views.cells import (
    ABOUT,
    EQUALS,
    Step,
    Writers,
    decimals,
    formula_steps,
    is_rounded,
    is_short,
    plain_cell,
    sections,
    table_rows,
    write_section,
)
from scoref.render.latex import breakable, escape

_SYMBOLS = {
    "≈": r"$\approx$",
    "²": r"$^2$",
    "³": r"$^3$",
    " - ": " $-$ ",
    "...": r"\dots{}",
    "--": "-{}-",
}
_SIGNS = {EQUALS: "=", ABOUT: r"\approx"}
_BETWEEN = r" \\[2.5ex]"  # fractions of two rows would touch without
_WIDTH = 68  # characters that fit on a line, with the space between columns
_LEAST = 12  # what a column of text keeps of them
_MANY = 6  # columns that have room for the usual space between them
_EM = 0.5  # the width of a character
_INDEXED = re.compile(r"([A-Za-z])_([a-z])")


def render(explanation: Explanation) -> str:
    """Render a fragment to include: a section for the document and for each metric."""
    parts = ["% needs \\usepackage{booktabs}", *map(_section, sections(explanation))]
    parts.append(
        rf"\noindent{{\raggedright\footnotesize\ttfamily {breakable(explanation.signature)}\par}}"
    )
    return "\n\n".join(parts)


def _section(section: Section) -> str:
    title = rf"\subsection*{{\raggedright {_breakable_name(_text(section.title))}}}"
    return write_section(title, section.blocks, Writers(_paragraph, _table, _formulas))


def _paragraph(text: str) -> str:
    return rf"\smallskip\noindent {_text(text)}"


def _text(text: str) -> str:
    """Write text so that LaTeX prints it, with indices and signs as in mathematics."""
    escaped = escape(text)
    for sign, command in _SYMBOLS.items():
        escaped = escaped.replace(sign, command)
    return re.sub(r"\b([A-Za-z])\\_([a-z])\b", r"$\1_\2$", escaped)


def _breakable_name(text: str) -> str:
    """Let the name of a metric, one long word to LaTeX, break before its parameters."""
    return re.sub(r",(?=[\w\\]+=)", r",\\allowbreak{}", text)


def _table(grid: Grid) -> str:
    rows, total = table_rows(grid)
    natural = [
        max(len(plain_cell(cell)) for cell in column)
        for column in zip(grid.header, *rows, *total, strict=True)
    ]
    columns = _columns(natural, grid.numeric)
    wide = len(columns) > _MANY and sum(natural) + 2 * len(columns) > _WIDTH * 3 / 4
    caption = rf"{_text(grid.caption)}\\*[0.7ex]"  # on the same page
    lines = [
        r"\begin{center}\small",
        *([_breakable_name(caption)] if grid.caption else []),
        *([r"\setlength{\tabcolsep}{4pt}"] if wide else []),
        rf"\begin{{tabular}}{{{''.join(columns)}}}",
        r"  \toprule",
        f"  {_row(grid.header, columns)}",
        r"  \midrule",
        *(f"  {_row(row, columns)}" for row in rows),
        *(line for row in total for line in (r"  \midrule", f"  {_row(row, columns)}")),
        r"  \bottomrule",
        r"\end{tabular}",
        r"\end{center}",
    ]
    return "\n".join(lines)


def _columns(natural: Sequence[int], numeric: Sequence[bool]) -> list[str]:
    """Align numbers to the right and texts to the left; break the widest texts if need be."""
    widths = [*natural]
    texts = [at for at, is_number in enumerate(numeric) if not is_number]
    while texts and sum(widths) + 2 * len(widths) > _WIDTH:
        widest = max(texts, key=lambda at: widths[at])
        if widths[widest] <= _LEAST:
            break
        widths[widest] -= 1
    return [
        "r" if is_number else "l" if width == whole else f"p{{{width * _EM:g}em}}"
        for is_number, width, whole in zip(numeric, widths, natural, strict=True)
    ]


def _row(cells: Sequence[Cell], columns: Sequence[str]) -> str:
    written = [
        rf"\raggedright {_cell(cell)}" if column.startswith("p") else _cell(cell)
        for cell, column in zip(cells, columns, strict=True)
    ]
    # \raggedright gives \\ another meaning up to the end of its cell.
    end = r" \tabularnewline" if columns[-1].startswith("p") else r" \\"
    row = " & ".join(written) + end
    return "{}" + row if row.startswith("[") else row  # or it would belong to the row before


def _cell(cell: Cell) -> str:
    if cell is None or isinstance(cell, str | MentionList | MentionSets):
        return _text(plain_cell(cell))
    about = r"\approx " if isinstance(cell, Fraction) and is_rounded(cell) else ""
    return f"${about}{_math(cell)}$"


def _formulas(formulas: Sequence[Formula]) -> str:
    rows = (_BETWEEN + "\n").join(map(_formula, formulas))
    lines = [r"\[", r"\begin{array}{r@{\;}c@{\;}l}", rows, r"\end{array}", r"\]"]
    return "\n".join(lines)


def _formula(formula: Formula) -> str:
    indexed = _INDEXED.fullmatch(formula.name)
    name = f"{indexed[1]}_{indexed[2]}" if indexed else rf"\mbox{{{escape(formula.name)}}}"
    steps = formula_steps(formula, _math, _fraction) or [Step(EQUALS, r"\mbox{undefined}")]
    (sign, first), *others = [(_SIGNS[sign], text) for sign, text in steps]
    rest = "".join(f" {sign} {text}" for sign, text in others)
    remark = rf"\mbox{{ ({_text(formula.remark)})}}" if formula.remark else ""
    return rf"  {name} & {sign} & \displaystyle {first}{rest}{remark}"


def _fraction(number: Fraction) -> str:
    """Write a short fraction as one."""
    if number.denominator == 1:
        return str(number)
    sign = "-" if number < 0 else ""
    return rf"{sign}\frac{{{abs(number.numerator)}}}{{{number.denominator}}}"


def _math(expression: Expression) -> str:
    if isinstance(expression, Over):
        return rf"\frac{{{_math(expression.top)}}}{{{_math(expression.bottom)}}}"
    if isinstance(expression, Sum):
        terms = " + ".join(map(_math, expression.terms))
        return "".join([terms, *(f" - {_math(term)}" for term in expression.less)])
    if isinstance(expression, Product):
        return r" \times ".join(map(_math, expression.factors))
    if is_short(expression):
        return str(expression)  # on one line: a fraction of fractions is hard to read
    return decimals(expression)
