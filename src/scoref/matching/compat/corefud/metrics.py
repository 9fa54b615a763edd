"""The metrics of corefud-scorer 1.2, counted from its tables; other metrics are refused.

The formulas are those of `scoref.metrics`. The differences are the table that each side is counted
from, and BLANC's rule for a kind of link that is absent: it counts unless both sides lack it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache

from scoref.base.arrays import Floats
from scoref.exceptions import UsageError
from scoref.matching.compat.corefud.alignment import alignment_of, precision_table, recall_table
from scoref.metrics import DEFAULT, Metric, find_metrics
from scoref.metrics.base import average
from scoref.metrics.blanc import score_if_either_has
from scoref.metrics.table import Table
from scoref.metrics.twinless import count_from_two_tables
from scoref.metrics.zero import classify_matches, count_anaphors


def as_corefud_counts(metrics: Iterable[Metric], compat: str) -> tuple[Metric, ...]:
    """Return metrics of the same names that count as the scorer does."""
    here, there = _known()
    chosen = tuple(metrics)
    for name, count in ((metric.name, metric.count) for metric in chosen):
        if name not in there or count not in (here[name].count, there[name].count):
            raise UsageError(
                f"compat {compat} cannot count {name}: the scorer does not have this metric",
                f"use metrics that it has: {', '.join(there)}",
            )
    return tuple(there[metric.name] for metric in chosen)


@cache
def _known() -> tuple[dict[str, Metric], dict[str, Metric]]:
    """Return the metrics of the scorer as scoref counts them, and as the scorer does."""
    here = {metric.name: metric for metric in find_metrics(_NAMES)}
    there = dict(here)
    for name in _TWO_SIDED:
        count = count_from_two_tables(here[name].count, _recall_and_precision)
        there[name] = replace(here[name], count=count)
    count_blanc, conll = here["blanc"].count, here["conll"]
    there["zero"] = replace(here["zero"], count=_count_zeros)
    there["blanc"] = replace(
        here["blanc"],
        count=lambda table: count_blanc(recall_table(table)),
        score=score_if_either_has,
    )
    there["conll"] = average("conll", [there[part.name] for part in conll.parts], conll.about)
    return here, there


def _recall_and_precision(table: Table) -> tuple[Table, Table]:
    return recall_table(table), precision_table(table)


def _count_zeros(table: Table) -> Floats:
    """Classify zeros by the partners that the scorer gives them."""
    found = alignment_of(table)
    return count_anaphors(table, classify_matches(table.mentions, found.partner, found.value))


_NAMES = (*DEFAULT, "mor", "zero")
_TWO_SIDED = ("mentions", "muc", "b3", "lea")
