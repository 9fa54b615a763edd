"""The walk-through of an average: the F1 of each part, and their mean."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from scoref.explanation.blocks import Block, Cell, Column, Formula, Grid
from scoref.explanation.explainer import Counted, Explainer, Scored, settled
from scoref.explanation.expressions import ONE, Number, Over, Sum, defined, evaluate
from scoref.explanation.scene import Scene
from scoref.metrics import Metric


def average(parts: Sequence[tuple[Metric, Explainer]]) -> Explainer:
    """Explain the mean F1 of some measures, each of which has an explainer."""
    names = [metric.name for metric, _ in parts]

    def count(scene: Scene) -> Counted:
        columns = [one.count(scene).columns for _, one in parts]
        text = (
            f"The mean of the F1 of {', '.join(names[:-1])} and {names[-1]}, whose own"
            " walk-throughs show where their counts come from."
        )
        return Counted(tuple(number for found in columns for number in found), [text])

    def score(columns: Sequence[Number], undefined: str) -> Scored:
        scored = []
        start = 0
        for metric, one in parts:
            end = start + len(metric.columns)
            scored.append(one.score(columns[start:end], undefined))
            start = end
        sides = {
            name: [_expression(found, name) for found in scored] for name in ("recall", "precision")
        }
        values = [found.f1 for found in scored]
        blocks: list[Block] = [
            Grid(
                [
                    Column("measure", names),
                    *(Column(name, cells) for name, cells in sides.items()),
                    Column("F1", values),
                ],
                [ONE] * len(parts),
                0,
            )
        ]
        there = defined(values)
        mean = Over(Sum(tuple(there)), Fraction(len(there)))
        formula = Formula("F1", mean if there else None, evaluate(mean))
        if there and len(there) < len(values):
            remark = "the mean of those that exist"
            formula = Formula("F1", mean, evaluate(mean), remark)
        formula = settled(formula, undefined, "no part has an F1")
        return Scored([*blocks, formula], None, None, formula.value)

    return Explainer(count, score)


def _expression(scored: Scored, name: str) -> Cell:
    """Return how a part's recall or precision comes about."""
    for block in scored.blocks:
        if isinstance(block, Formula) and block.name == name:
            return block.value if block.expression is None else block.expression
    return None
