"""The numbers of a walk-through, and the proof that they are the measure's own."""

from __future__ import annotations

import math
from collections.abc import Sequence

from scoref.explanation.explainer import Scored
from scoref.explanation.explanation import Numbers
from scoref.explanation.expressions import Number
from scoref.metrics import Metric

_TOLERANCE = 1e-9


def numbers(metric: Metric, columns: Sequence[Number], scored: Scored) -> Numbers:
    """Name what was counted."""
    named = dict(zip(metric.columns, columns, strict=True))
    return Numbers(named, scored.recall, scored.precision, scored.f1)


def check(
    metric: Metric, where: str, ours: Sequence[Number | None], theirs: Sequence[float]
) -> None:
    """Refuse to show numbers that are not those of the measure; None stands for NaN."""
    same = len(ours) == len(theirs) and all(map(_same, ours, theirs))
    if not same:
        found = ", ".join("none" if one is None else repr(float(one)) for one in ours)
        expected = ", ".join(map(repr, theirs))
        raise RuntimeError(
            f"the walk-through of {metric.name} on {where} finds {found}, but the measure itself"
            f" {expected}: this is an error in scoref, please report it"
        )


def _same(ours: Number | None, theirs: float) -> bool:
    if ours is None or math.isnan(theirs):
        return math.isnan(theirs) and (ours is None or math.isnan(ours))
    return math.isclose(float(ours), theirs, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE)
