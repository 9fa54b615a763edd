"""An explanation for programs: every number as a fraction and as a float."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from scoref.explanation import Explanation
from scoref.explanation.blocks import Block, Cell, Formula, Grid, MentionList, MentionSets
from scoref.explanation.expressions import Number
from scoref.explanation.views.cells import plain_expression
from scoref.explanation.walkthrough import ExactNumbers, Walkthrough

_MOST_BITS = 14_000  # about 4,200 digits, just below where Python stops


def render(explanation: Explanation) -> str:
    """Render everything that an explanation says. What does not exist is null."""
    content = {
        "document": explanation.document,
        "documents": explanation.documents,
        "key": explanation.key._asdict(),
        "response": explanation.response._asdict(),
        "steps": _blocks(explanation.opening.blocks),
        "measures": {name: _walk(walk) for name, walk in explanation.walks.items()},
        "signature": explanation.signature,
        "notes": list(explanation.notes),
    }
    return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False)


def _walk(walk: Walkthrough) -> dict[str, Any]:
    shown = {
        "title": walk.title,
        "steps": _blocks([*walk.steps, *walk.result]),
        **_numbers(walk.document),
    }
    if walk.corpus is not None:
        shown["corpus"] = {"steps": _blocks(walk.closing), **_numbers(walk.corpus)}
    return shown


def _numbers(numbers: ExactNumbers) -> dict[str, Any]:
    return {
        "counts": {name: _number(value) for name, value in numbers.counts.items()},
        "recall": _number(numbers.recall),
        "precision": _number(numbers.precision),
        "f1": _number(numbers.f1),
    }


def _number(number: Number | None) -> dict[str, Any] | None:
    if number is None or math.isnan(number):
        return None
    return {
        "fraction": str(number)
        if isinstance(number, Fraction) and _can_be_written(number)
        else None,
        "value": float(number),
    }


def _can_be_written(number: Fraction) -> bool:
    """Whether Python writes out a fraction: it refuses beyond some thousand digits."""
    return max(number.numerator.bit_length(), number.denominator.bit_length()) < _MOST_BITS


def _blocks(blocks: Sequence[Block]) -> list[dict[str, Any]]:
    return [_block(block) for block in blocks]


def _block(block: Block) -> dict[str, Any]:
    if isinstance(block, str):
        return {"text": block}
    if isinstance(block, Formula):
        expression = block.expression
        return {
            "formula": block.name,
            "expression": None if expression is None else plain_expression(expression),
            "number": _number(block.value),
            **({"remark": block.remark} if block.remark else {}),
        }
    return _table(block)


def _table(grid: Grid) -> dict[str, Any]:
    table: dict[str, Any] = {
        "table": grid.caption,
        "columns": list(grid.header),
        "rows": [[_cell(cell) for cell in row] for row in grid.rows],
    }
    if grid.elided:
        sums = _sums(grid.header, grid.elided.sums)
        table["not_shown"] = {"rows": grid.elided.rows, "sums": sums}
    if grid.total:
        table["sums"] = _sums(grid.header, grid.total)
    return table


def _sums(header: Sequence[str], sums: Sequence[Number | None]) -> Mapping[str, Any]:
    named = zip(header, sums, strict=True)
    return {name: _number(value) for name, value in named if value is not None}


def _cell(cell: Cell) -> Any:
    if cell is None or isinstance(cell, str):
        return cell
    if isinstance(cell, MentionList):
        return {"mentions": list(cell.names), **_more(cell.more)}
    if isinstance(cell, MentionSets):
        return {"sets": [_cell(one) for one in cell.sets], **_more(cell.more)}
    if isinstance(cell, Fraction | float):
        return _number(cell)
    return {"expression": plain_expression(cell)}


def _more(more: int) -> dict[str, int]:
    return {"not_shown": more} if more else {}
