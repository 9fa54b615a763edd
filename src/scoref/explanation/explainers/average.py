"""The walk-through of an average: the F1 of each part, and their mean."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

from scoref.base.viewed import MetricName
from scoref.explanation.blocks import Cell, Formula, Grid
from scoref.explanation.explainer import (
    Columns,
    Explainer,
    Scored,
    Steps,
    mean_of,
    score_formulas,
    settled,
)
from scoref.explanation.expressions import Number
from scoref.metrics import Metric


def average(parts: Sequence[tuple[Metric, Explainer]]) -> Explainer:
    """Explain the mean F1 of some metrics, each with its explainer."""
    names = [metric.name for metric, _ in parts]
    starts = [0, *accumulate(len(metric.columns) for metric, _ in parts)]
    text = (
        f"The mean of the F1 of {', '.join(names[:-1])} and {names[-1]}. Their own walk-throughs"
        " show how they are counted."
    )

    def count(steps: Steps) -> Columns:
        steps.show(text)
        counts = (explainer.count(Steps(steps.scene)) for _, explainer in parts)
        return tuple(number for columns in counts for number in columns)

    def score(columns: Sequence[Number], undefined: str) -> Scored:
        scored = [
            explainer.score(columns[start:end], undefined)
            for (_, explainer), (start, end) in zip(parts, pairwise(starts), strict=True)
        ]
        values = [found.f1 for found in scored]
        table = Grid(
            {
                "metric": [MetricName(name) for name in names],
                "recall": [_expression(found, "recall") for found in scored],
                "precision": [_expression(found, "precision") for found in scored],
                "F1": values,
            }
        )
        mean = settled(mean_of("F1", values), undefined, "no part has an F1")
        return score_formulas([mean], [table])

    return Explainer(count, score)


def _expression(scored: Scored, name: str) -> Cell:
    """Return the expression of a part's recall or precision."""
    for block in scored.blocks:
        if isinstance(block, Formula) and block.name == name:
            return block.value if block.expression is None else block.expression
    return None
