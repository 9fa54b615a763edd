"""Numbers, formulas and sets of mentions as plain text, and the order of what is shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from scoref.base.phrases import counted
from scoref.explanation import Explanation
from scoref.explanation.blocks import Block, Cell, Formula, Grid, MentionList, MentionSets, Section
from scoref.explanation.expressions import Expression, Number, Over, Product, Sum, evaluate

_LONGEST = 13  # a longer fraction tells a reader less than its decimals
_BITS = 64  # what that many digits have at most; Python refuses to write numbers of thousands
_DIGITS = 10_000
SUM = "sum"
EQUALS, ABOUT = "=", "≈"


def sections(explanation: Explanation) -> list[Section]:
    """Return what is shown, in its order: the document, each metric, all documents."""
    shown = [explanation.opening]
    for walk in explanation.walks.values():
        title = f"{walk.title} [{walk.name}]" if walk.title else walk.name
        shown.append(Section(title, [*walk.steps, *walk.result]))
    for walk in explanation.walks.values():
        if walk.closing:
            many = counted(explanation.documents, "document")
            shown.append(Section(f"All {many}: {walk.name}", walk.closing))
    return shown


class Writers(NamedTuple):
    """How an output writes text, tables, and formulas that follow each other."""

    text: Callable[[str], str]
    table: Callable[[Grid], str]
    formulas: Callable[[Sequence[Formula]], str]


def write_section(title: str, blocks: Sequence[Block], writers: Writers) -> str:
    """Write the blocks of a section below its title."""
    written = [title]
    for _, run in groupby(blocks, type):
        group = list(run)
        formulas = [block for block in group if isinstance(block, Formula)]
        written += [writers.formulas(formulas)] if formulas else []
        written += [writers.text(block) for block in group if isinstance(block, str)]
        written += [writers.table(block) for block in group if isinstance(block, Grid)]
    return "\n\n".join(written)


def table_rows(grid: Grid) -> tuple[list[Sequence[Cell]], list[Sequence[Cell]]]:
    """Return the rows of a table with what it does not show, and the row of sums if it has one."""
    rows: list[Sequence[Cell]] = list(grid.rows)
    if grid.elided:
        rows.append((f"... {grid.elided.rows:,} more", *grid.elided.sums[1:]))
    return rows, [(SUM, *grid.total[1:])] if grid.total else []


def is_short(number: Number) -> bool:
    """Whether a number is shown as a fraction."""
    if not isinstance(number, Fraction):
        return False
    bits = number.numerator.bit_length() + number.denominator.bit_length()
    return bits <= _BITS and len(str(number)) <= _LONGEST


def decimals(number: Number) -> str:
    """Show a number with four decimals, also one that is too large to be a float."""
    if isinstance(number, Fraction):
        return f"{round(number * _DIGITS) / _DIGITS:.4f}"
    return f"{number:.4f}"


def rounded(number: Fraction) -> str:
    """Show a fraction with four decimals, and say whether that is all of it."""
    return f"{'' if _is_exact(number) else ABOUT}{decimals(number)}"


def is_rounded(expression: Expression) -> bool:
    """Whether an expression has numbers that are shown by four decimals and have more."""
    if isinstance(expression, Over):
        return is_rounded(expression.top) or is_rounded(expression.bottom)
    if isinstance(expression, Sum):
        return any(map(is_rounded, (*expression.terms, *expression.less)))
    if isinstance(expression, Product):
        return any(map(is_rounded, expression.factors))
    return not is_short(expression)


def plain_number(number: Number) -> str:
    """Show a number as a fraction if it is a short one."""
    return str(number) if is_short(number) else decimals(number)


def plain_cell(cell: Cell) -> str:
    """Show the cell of a table."""
    if cell is None:
        return ""
    if isinstance(cell, MentionList):
        more = [f"... {cell.more:,} more"] if cell.more else []
        return cell.separator.join([*cell.names, *more])
    if isinstance(cell, MentionSets):
        sets = [f"{{{plain_cell(one)}}}" for one in cell.sets]
        return " ".join([*sets, *([f"... {cell.more:,} more"] if cell.more else [])])
    if isinstance(cell, str):
        return cell
    about = ABOUT if isinstance(cell, Fraction) and is_rounded(cell) else ""
    return about + plain_expression(cell)


def plain_expression(expression: Expression) -> str:
    """Write an expression on one line."""
    if isinstance(expression, Over):
        top, bottom = _inner(expression.top), _inner(expression.bottom)
        tight = top.isdigit() and bottom.isdigit()
        return f"{top}/{bottom}" if tight else f"{top} / {bottom}"
    if isinstance(expression, Sum):
        terms = " + ".join(map(plain_expression, expression.terms))
        return "".join([terms, *(f" - {plain_expression(term)}" for term in expression.less)])
    if isinstance(expression, Product):
        return " × ".join(map(plain_expression, expression.factors))  # noqa: RUF001
    return plain_number(expression)


def _inner(expression: Expression) -> str:
    """Write a part of a ratio, in brackets if it could be misread."""
    written = plain_expression(expression)
    simple = not isinstance(expression, Over | Sum | Product) and "/" not in written
    return written if simple else f"({written})"


class Step(NamedTuple):
    """A sign and the text after it."""

    sign: str
    text: str


def plain_steps(formula: Formula) -> list[Step]:
    """Write what follows the name of a formula: expression, fraction, decimals; each once."""
    steps = formula_steps(formula, plain_expression, str)
    remark = formula.remark
    if formula.expression is not None and evaluate(formula.expression) is None:
        return [Step(steps[0].sign, f"{steps[0].text}, {remark}" if remark else steps[0].text)]
    if not steps:
        return [Step("=", f"undefined: {remark}")]
    *before, (sign, last) = steps
    return [*before, Step(sign, f"{last}: {remark}" if remark else last)]


def formula_steps(
    formula: Formula, write: Callable[[Expression], str], write_fraction: Callable[[Fraction], str]
) -> list[Step]:
    """Return the steps from an expression to its value as a short fraction and as decimals."""
    value, expression = formula.value, formula.expression
    steps: dict[str, str] = {}
    if expression is not None:
        steps[write(expression)] = EQUALS if not is_rounded(expression) else ABOUT
        if evaluate(expression) is None:
            value = None
    if isinstance(value, Fraction) and is_short(value):
        steps.setdefault(write_fraction(value), EQUALS)
    if value is not None and not (is_short(value) and value == int(value)):
        steps.setdefault(decimals(value), EQUALS if _is_exact(value) else ABOUT)
    return [Step(sign, text) for text, sign in steps.items()]


def _is_exact(number: Number) -> bool:
    """Whether four decimals are all that a number has."""
    return isinstance(number, Fraction) and _DIGITS % number.denominator == 0
