"""What the what-if editor of the page needs to score the corpus: exact totals of all documents.

The page adds the counts of a document after an edit, and subtracts those before. Totals are sums
without rounding errors, as in `math.fsum`: each is a list of numbers that are added at the end. So
the page needs no counts of other documents, and its scores have the same bits as Python's.
"""

from __future__ import annotations

import math
from dataclasses import fields
from itertools import zip_longest

from scoref.counts.counts import Counts
from scoref.metrics import find_metrics
from scoref.policy import Policy
from scoref.report.content import Content

_WITHOUT_EFFECT = frozenset(
    (
        *("duplicates", "missing_documents", "extra_documents", "types", "markup", "repair"),
        *("unclosed_tags", "positions", "pair_documents"),
    )
)
"""Policies that do not change how an edited response is scored."""

Totals = list[dict[str, list[float]]]


def corpus_totals(content: Content) -> list[Totals] | None:
    """Return the totals of each system; None under a policy that the page cannot follow."""
    results = content.comparison.results.values()
    if not all(can_edit(result.policy) for result in results):
        return None
    metrics = find_metrics(None)
    return [_totals(Counts.of(one.mentions.table, metrics)) for one in content.analyses]


def can_edit(policy: Policy) -> bool:
    """Whether the page scores an edited response as this policy does."""
    return all(
        getattr(policy, field.name) == field.default
        for field in fields(Policy)
        if field.name not in _WITHOUT_EFFECT
    )


def _totals(counts: Counts) -> Totals:
    """Return counts that add up to those of the corpus; each metric has some numbers per column."""
    found: dict[str, list[tuple[float, ...]]] = {}
    for name, rows in counts.rows.items():
        parts = [exact_parts(column) for column in rows.T.tolist()]
        found[name] = list(zip_longest(*parts, fillvalue=0.0))
    widths = {name: rows.shape[1] for name, rows in counts.rows.items()}
    longest = max(map(len, found.values()))
    return [
        {
            name: list(parts[at]) if at < len(parts) else [0.0] * widths[name]
            for name, parts in found.items()
        }
        for at in range(longest)
    ]


def exact_parts(values: list[float]) -> list[float]:
    """Return a few numbers whose sum is exactly that of the values (Shewchuk 1997)."""
    parts: list[float] = []
    for value in values:
        kept = 0
        high = value
        for part in parts:
            large, small = (high, part) if abs(high) >= abs(part) else (part, high)
            high = large + small
            if low := small - (high - large):
                parts[kept] = low
                kept += 1
        parts[kept:] = [high] if high else []
    assert math.fsum(parts) == math.fsum(values)  # noqa: S101  # cheap, and it is a score
    return parts
