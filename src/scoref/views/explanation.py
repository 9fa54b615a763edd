"""An explanation in every output: sections for people, fractions and floats for programs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any

from scoref.base.phrases import counted
from scoref.explanation.blocks import Block, Cell, Formula, Grid, MentionList, MentionSets
from scoref.explanation.explanation import Explanation
from scoref.explanation.expressions import Expression, Number, Over, Product, Sum, evaluate
from scoref.explanation.walkthrough import ExactNumbers, Walkthrough
from scoref.views.formatting import dropped_lines, side_rows
from scoref.views.model import (
    BaseView,
    FormulaStep,
    FormulaView,
    Page,
    SectionView,
    TableCell,
    TableView,
)
from scoref.views.writers.latex import typeset

_LONGEST = 13  # a longer fraction tells a reader less than its decimals
_BITS = 64  # what that many digits have at most; Python refuses to write numbers of thousands
_DIGITS = 10_000
_MOST_BITS = 14_000  # about 4,200 digits, just below where Python stops


@dataclass(frozen=True, slots=True)
class ExplanationView(BaseView):
    """All that an explanation says."""

    explanation: Explanation
    outputs = ("text", "markdown", "latex", "json")

    def page(self) -> Page:
        """Return the document, each metric on it, and each metric on all documents."""
        explanation, walks = self.explanation, self.explanation.walks.values()
        many = counted(explanation.documents, "document")
        one_of = f" (one of {explanation.documents})" if explanation.documents > 1 else ""
        shown = [
            (f"Document {explanation.document}{one_of}", explanation.opening),
            *((walk.heading, [*walk.steps, *walk.result]) for walk in walks),
            *((f"All {many}: {walk.name}", walk.closing) for walk in walks if walk.closing),
        ]
        sides = explanation.key, explanation.response
        return Page(
            inputs=side_rows(*sides),
            changes=dropped_lines(*sides),
            sections=[SectionView(title, list(_views(blocks))) for title, blocks in shown],
            signature=explanation.signature,
        )

    def records(self) -> list[Sequence[object]]:
        """Return nothing: an explanation is not one table."""
        return []

    def content(self) -> dict[str, Any]:
        """Return everything; what does not exist is None."""
        explanation = self.explanation
        return {
            "document": explanation.document,
            "documents": explanation.documents,
            "key": explanation.key._asdict(),
            "response": explanation.response._asdict(),
            "steps": _contents(explanation.opening),
            "metrics": {name: _walkthrough(walk) for name, walk in explanation.walks.items()},
            "signature": explanation.signature,
            "notes": list(explanation.notes),
        }


def _views(blocks: Sequence[Block]) -> Iterator[str | TableView | list[FormulaView]]:
    """Return what is shown; formulas that follow each other are a group."""
    for is_formula, run in groupby(blocks, lambda block: isinstance(block, Formula)):
        if is_formula:
            yield [view_formula(block) for block in run if isinstance(block, Formula)]
        else:
            yield from (_table(block) if isinstance(block, Grid) else str(block) for block in run)


def _table(grid: Grid) -> TableView:
    """Lay out a table with what it does not show, and with the row of sums if it has one."""
    rows: list[Sequence[Cell]] = list(grid.rows)
    if grid.elided:
        rows.append((f"... {grid.elided.rows:,} more", *grid.elided.sums[1:]))
    sums = [] if grid.total is None else [view_cell(cell) for cell in grid.total[1:]]
    bold = [one if isinstance(one, str) else one._replace(bold=True) for one in sums]
    return TableView(
        grid.header,
        [[view_cell(cell) for cell in row] for row in rows],
        total=[TableCell("sum", bold=True), *bold] if grid.total else (),
        left=[at for at, numeric in enumerate(grid.numeric) if not numeric],
        title=grid.caption,
    )


def _walkthrough(walk: Walkthrough) -> dict[str, Any]:
    shown = {
        "title": walk.title,
        "steps": _contents([*walk.steps, *walk.result]),
        **_exact_numbers(walk.document),
    }
    if walk.corpus is not None:
        shown["corpus"] = {"steps": _contents(walk.closing), **_exact_numbers(walk.corpus)}
    return shown


def _exact_numbers(numbers: ExactNumbers) -> dict[str, Any]:
    return {
        "counts": {name: _number(value) for name, value in numbers.counts.items()},
        **{name: _number(getattr(numbers, name)) for name in ("recall", "precision", "f1")},
    }


def _number(number: Number | None) -> dict[str, Any] | None:
    """Write a number, without a fraction where Python refuses to write it out."""
    if number is None or math.isnan(number):
        return None
    bits = max(map(int.bit_length, number.as_integer_ratio()))
    exact = isinstance(number, Fraction) and bits < _MOST_BITS
    return {"fraction": str(number) if exact else None, "value": float(number)}


def _contents(blocks: Sequence[Block]) -> list[dict[str, Any]]:
    return [_block(block) for block in blocks]


def _block(block: Block) -> dict[str, Any]:
    if isinstance(block, str):
        return {"text": block}
    if isinstance(block, Formula):
        expression = block.expression
        return {
            "formula": block.name,
            "expression": None if expression is None else write_expression(expression),
            "number": _number(block.value),
            **({"remark": block.remark} if block.remark else {}),
        }
    table: dict[str, Any] = {
        "table": block.caption,
        "columns": list(block.header),
        "rows": [[_cell(cell) for cell in row] for row in block.rows],
    }
    if block.elided:
        sums = _sums(block.header, block.elided.sums)
        table["not_shown"] = {"rows": block.elided.rows, "sums": sums}
    if block.total:
        table["sums"] = _sums(block.header, block.total)
    return table


def _sums(header: Sequence[str], sums: Sequence[Number | None]) -> dict[str, Any]:
    named = zip(header, sums, strict=True)
    return {name: _number(value) for name, value in named if value is not None}


def _cell(cell: Cell) -> Any:
    if cell is None or isinstance(cell, str):
        return cell
    if isinstance(cell, Fraction | float):
        return _number(cell)
    if isinstance(cell, MentionList):
        shown: dict[str, Any] = {"mentions": list(cell.names)}
    elif isinstance(cell, MentionSets):
        shown = {"sets": [_cell(one) for one in cell.sets]}
    else:
        return {"expression": write_expression(cell)}
    return {**shown, "not_shown": cell.more} if cell.more else shown


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
