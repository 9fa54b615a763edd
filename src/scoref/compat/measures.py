"""The measures of corefud-scorer 1.2, counted from its tables; others are refused.

Formulas are those of `scoref.metrics`: what differs is the table that each side is counted from,
and BLANC's rule for a kind of link that is absent, which counts unless both sides lack it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache

import numpy as np

from scoref.base.arrays import Floats
from scoref.compat.memberships import members, precision_table, recall_table
from scoref.exceptions import UsageError
from scoref.metrics import DEFAULT, Metric, find_metrics
from scoref.metrics.base import average
from scoref.metrics.blanc import score_if_either_has
from scoref.metrics.zero import count_anaphors, judge_matches
from scoref.overlap.table import Table

Count = Callable[[Table], Floats]


def as_corefud_counts(metrics: Iterable[Metric], compat: str) -> tuple[Metric, ...]:
    """Return metrics that count as the scorer does, under the same names."""
    return tuple(_as_counted(metric, compat) for metric in metrics)


def _as_counted(metric: Metric, compat: str) -> Metric:
    ours, theirs = _known()
    name = metric.name
    if name in theirs and metric.count in (ours[name].count, theirs[name].count):
        return theirs[name]
    raise UsageError(
        f"compat {compat} cannot count {name}, which that scorer does not have",
        f"it goes with: {', '.join(theirs)}",
    )


@cache
def _known() -> tuple[dict[str, Metric], dict[str, Metric]]:
    """Return the measures of that scorer as they are counted here, and as it counts them."""
    ours = {metric.name: metric for metric in find_metrics(_NAMES)}
    theirs = {
        name: replace(metric, count=_COUNTED[name](metric.count)) if name in _COUNTED else metric
        for name, metric in ours.items()
    }
    theirs["blanc"] = replace(theirs["blanc"], score=score_if_either_has)
    conll = ours["conll"]
    theirs["conll"] = average("conll", [theirs[part.name] for part in conll.parts], conll.about)
    return ours, theirs


def _two_sided(count: Count) -> Count:
    """Count recall from one table and precision from another."""

    def counted(table: Table) -> Floats:
        recall, precision = count(recall_table(table)), count(precision_table(table))
        return np.concatenate([recall[:, :2], precision[:, 2:]], axis=-1)

    return counted


def _by_recall(count: Count) -> Count:
    """Count both sides from the table of recall, with the sizes that entities have."""
    return lambda table: count(recall_table(table))


def _zeros(_: Count) -> Count:
    """Judge zeros by the partners which that scorer gives them."""

    def counted(table: Table) -> Floats:
        rows = members(table)
        return count_anaphors(table, judge_matches(rows, rows.partner, rows.value))

    return counted


_NAMES = (*DEFAULT, "mor", "zero")
_COUNTED: dict[str, Callable[[Count], Count]] = {
    "mentions": _two_sided,
    "muc": _two_sided,
    "b3": _two_sided,
    "blanc": _by_recall,
    "lea": _two_sided,
    "zero": _zeros,
}
