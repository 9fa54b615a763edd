"""Numbers, formulas and cells as plain text and as LaTeX's mathematics."""

from __future__ import annotations

from fractions import Fraction

from scoref.explanation.blocks import Cell, Formula, MentionList, MentionSets
from scoref.explanation.expressions import Expression, Number, Over, Product, Sum, evaluate
from scoref.render.latex import typeset
from scoref.render.model import FormulaStep, FormulaView, TableCell

_LONGEST = 13  # a longer fraction tells a reader less than its decimals
_BITS = 64  # what that many digits have at most; Python refuses to write numbers of thousands
_DIGITS = 10_000


def _is_short(number: Number) -> bool:
    """Whether a number is shown as a fraction."""
    if not isinstance(number, Fraction):
        return False
    bits = number.numerator.bit_length() + number.denominator.bit_length()
    return bits <= _BITS and len(str(number)) <= _LONGEST


def _is_exact(number: Number) -> bool:
    """Whether four decimals are all that a number has."""
    return isinstance(number, Fraction) and _DIGITS % number.denominator == 0


def _decimals(number: Number) -> str:
    """Show a number with four decimals, also one that is too large to be a float."""
    if isinstance(number, Fraction):
        return f"{round(number * _DIGITS) / _DIGITS:.4f}"
    return f"{number:.4f}"


def _is_rounded(expression: Expression) -> bool:
    """Whether an expression has numbers that are shown by four decimals and have more."""
    if isinstance(expression, Over):
        return _is_rounded(expression.top) or _is_rounded(expression.bottom)
    if isinstance(expression, Sum):
        return any(map(_is_rounded, (*expression.terms, *expression.less)))
    if isinstance(expression, Product):
        return any(map(_is_rounded, expression.factors))
    return not _is_short(expression)


def write_expression(expression: Expression, *, latex: bool = False) -> str:
    """Write an expression: on one line, or for LaTeX."""

    def write(part: Expression) -> str:
        return write_expression(part, latex=latex)

    if isinstance(expression, Over):
        top, bottom = write(expression.top), write(expression.bottom)
        if latex:
            return rf"\frac{{{top}}}{{{bottom}}}"
        if top.isdigit() and bottom.isdigit():
            return f"{top}/{bottom}"
        return f"{_bracketed(expression.top, top)} / {_bracketed(expression.bottom, bottom)}"
    if isinstance(expression, Sum):
        terms = " + ".join(map(write, expression.terms))
        return "".join([terms, *(f" - {write(term)}" for term in expression.less)])
    if isinstance(expression, Product):
        times = r" \times " if latex else " × "  # noqa: RUF001
        return times.join(map(write, expression.factors))
    return str(expression) if _is_short(expression) else _decimals(expression)


def _bracketed(expression: Expression, written: str) -> str:
    """Write a part of a ratio, in brackets if it could be misread."""
    simple = not isinstance(expression, Over | Sum | Product) and "/" not in written
    return written if simple else f"({written})"


def view_cell(cell: Cell) -> str | TableCell:
    """Write the cell of a table."""
    if cell is None or isinstance(cell, str):
        return cell or ""
    if isinstance(cell, MentionList):
        return cell.separator.join([*cell.names, *_more(cell.more)])
    if isinstance(cell, MentionSets):
        sets = [f"{{{view_cell(one)}}}" for one in cell.sets]
        return " ".join([*sets, *_more(cell.more)])
    text, math = write_expression(cell), write_expression(cell, latex=True)
    if not isinstance(cell, Fraction):
        return TableCell(text, math=math)
    decimals = f"{'' if _is_exact(cell) else '≈'}{_decimals(cell)}"
    if _is_rounded(cell):
        text, math = f"≈{text}", rf"\approx {math}"
    return TableCell(text, short=min(text, decimals, key=len), math=math)


def _more(more: int) -> list[str]:
    return [f"... {more:,} more"] if more else []


def view_formula(formula: Formula) -> FormulaView:
    """Write a formula: its expression, its value as a short fraction and as decimals; each once."""
    value, expression, separator = formula.value, formula.expression, ": "
    steps: dict[str, FormulaStep] = {}

    def add(text: str, math: str, *, about: bool = False) -> None:
        steps.setdefault(text, FormulaStep("≈" if about else "=", text, math))

    if expression is not None:
        written = write_expression(expression), write_expression(expression, latex=True)
        add(*written, about=_is_rounded(expression))
        if evaluate(expression) is None:
            value, separator = None, ", "
    if isinstance(value, Fraction) and _is_short(value):
        add(str(value), _fraction(value))
    if value is not None and not (_is_short(value) and value == int(value)):
        add(_decimals(value), _decimals(value), about=not _is_exact(value))
    if not steps:
        add("undefined", r"\mbox{undefined}")
    *before, last = steps.values()
    if remark := formula.remark:
        note = rf"\mbox{{ ({typeset(remark)})}}"
        last = FormulaStep(last.sign, last.text + separator + remark, last.math + note)
    return FormulaView(formula.name, [*before, last])


def _fraction(number: Fraction) -> str:
    """Write a short fraction for LaTeX."""
    if number.denominator == 1:
        return str(number)
    sign = "-" if number < 0 else ""
    return rf"{sign}\frac{{{abs(number.numerator)}}}{{{number.denominator}}}"
