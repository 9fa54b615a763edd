"""Numbers, formulas and sets of mentions as plain text, and the order of what is shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import groupby

from scoref.analysis.explain import Explanation
from scoref.analysis.explain.blocks import Block, Cell, Formula, Grid, Mentions, Parts, Section
from scoref.analysis.explain.expressions import Expression, Number, Over, Product, Sum, evaluate
from scoref.wording import counted

_LONGEST = 15  # a longer fraction tells a reader less than its decimals
SUM = "sum"


def sections(explanation: Explanation) -> list[Section]:
    """Return what is shown, in its order: the document, each measure, all documents."""
    shown = [explanation.opening]
    for walk in explanation.walks.values():
        title = f"{walk.title} [{walk.name}]" if walk.title else walk.name
        shown.append(Section(title, [*walk.steps, *walk.result]))
    for walk in explanation.walks.values():
        if walk.closing:
            many = counted(explanation.documents, "document")
            shown.append(Section(f"All {many}: {walk.name}", walk.closing))
    return shown


def grouped(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    """Put formulas that follow each other together."""
    for is_formula, run in groupby(blocks, lambda block: isinstance(block, Formula)):
        group = list(run)
        yield from [group] if is_formula else [[block] for block in group]


def table_rows(grid: Grid) -> tuple[list[Sequence[Cell]], list[Sequence[Cell]]]:
    """Return the rows of a table with what it does not show, and the row of sums if it has one."""
    rows: list[Sequence[Cell]] = list(grid.rows)
    if grid.elided:
        rows.append((f"... {grid.elided.rows:,} more", *grid.elided.sums[1:]))
    return rows, [(SUM, *grid.total[1:])] if grid.total else []


def is_short(number: Number) -> bool:
    """Whether a number is shown as a fraction."""
    return isinstance(number, Fraction) and len(str(number)) <= _LONGEST


def decimals(number: Number) -> str:
    """Show a number with four decimals, also one that is too large to be a float."""
    if isinstance(number, Fraction):
        return f"{round(number * 10_000) / 10_000:.4f}"
    return f"{number:.4f}"


def plain_number(number: Number) -> str:
    """Show a number as a fraction if it is a short one."""
    if is_short(number):
        return str(number)
    return f"≈{decimals(number)}" if isinstance(number, Fraction) else decimals(number)


def plain_cell(cell: Cell) -> str:
    """Show what stands in a table."""
    if cell is None:
        return ""
    if isinstance(cell, Mentions):
        return ", ".join([*cell.names, *([f"... {cell.more:,} more"] if cell.more else [])])
    if isinstance(cell, Parts):
        sets = [f"{{{plain_cell(one)}}}" for one in cell.sets]
        return " ".join([*sets, *([f"... {cell.more:,} more"] if cell.more else [])])
    return cell if isinstance(cell, str) else plain_expression(cell)


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


def plain_value(formula: Formula) -> list[str]:
    """Write what follows the name of a formula: expression, fraction, decimals; each once."""
    value, expression = formula.value, formula.expression
    if expression is not None and evaluate(expression) is None:
        return [f"{plain_expression(expression)}{f', {formula.remark}' if formula.remark else ''}"]
    shown = [] if expression is None else [plain_expression(expression)]
    if value is None:
        return [f"undefined: {formula.remark}"]
    if is_short(value):
        shown.append(str(value))
    if not is_short(value) or "/" in str(value):
        shown.append(decimals(value))
    if formula.remark:
        shown[-1] = f"{shown[-1]}: {formula.remark}"
    return list(dict.fromkeys(shown))
