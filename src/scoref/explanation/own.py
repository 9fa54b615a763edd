"""What can be said of a measure that has no walk-through, such as one of the user's own."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from scoref.base.arrays import Floats
from scoref.explanation.blocks import Block, Column, Formula, Grid
from scoref.explanation.explainer import Counted, Explainer, Scored, score_ratio, settled
from scoref.explanation.expressions import ONE, Number, exact
from scoref.explanation.scene import Scene
from scoref.metrics import Metric
from scoref.metrics.base import score_ratio as divides

_TEXT = (
    "This measure has no walk-through: what follows is what it counts, and what it makes of the"
    " counts."
)
_NAMES = ("recall", "precision", "F1")


def own(metric: Metric, counts: Floats) -> Explainer:
    """Show what a measure itself counted, a row of counts per document."""

    def count(scene: Scene) -> Counted:
        columns = tuple(exact(value) for value in counts[scene.unit].tolist())
        formula = [f"{metric.about.formula}."] if metric.about else []
        blocks: list[Block] = [*formula, _TEXT]
        if columns:
            names = Column("count", list(metric.columns))
            table = Grid([names, Column("value", columns)], [ONE] * len(columns), 0)
            blocks.append(table)
        return Counted(columns, blocks)

    def score(columns: Sequence[Number], undefined: str) -> Scored:
        scores = metric.scores(np.array([float(number) for number in columns]), "skip").tolist()
        exists = (metric.has_sides, metric.has_sides, True)
        formulas = [
            settled(Formula(name, None, None if math.isnan(value) else value), undefined)
            for name, value, there in zip(_NAMES, scores, exists, strict=True)
            if there
        ]
        recall, precision = (f.value for f in formulas[:-1]) if metric.has_sides else (None, None)
        return Scored([*formulas], recall, precision, formulas[-1].value)

    return Explainer(count, score_ratio if metric.score is divides else score)
