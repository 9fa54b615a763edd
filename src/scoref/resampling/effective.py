"""The effective number of documents: how many equal documents a metric would see as many.

Scores are ratios of sums, so a document weighs as much as it has in the denominators of the
metric. If w are the shares of the documents, the effective number is 1 / sum(w²) (Kish 1965): it is
the number of documents if all are equal, and about 1 if one document has nearly everything.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Floats
from scoref.base.phrases import counted
from scoref.metrics.base import Metric, divide
from scoref.policy import Policy
from scoref.resampling.units import Units

_FEW = 10
_SMALL_PART = 0.2  # of the units


class EffectiveUnits(NamedTuple):
    """The effective number of units by one metric, and the unit with the largest share."""

    number: float
    largest: str
    share: float

    @classmethod
    def of(cls, shares: Floats, units: Units) -> EffectiveUnits:
        """Return the effective number of units, given the share of each."""
        if not len(shares):
            return cls(0.0, "", 0.0)
        at = int(np.argmax(shares))
        return cls(kish(shares), units.names[at], float(shares[at]))


def kish(shares: Floats) -> float:
    """Return the effective number of units with these shares, which sum to 1."""
    return 1 / float((shares**2).sum()) if len(shares) else 0.0


def unit_shares(metric: Metric, policy: Policy, rows: Floats) -> Floats:
    """Return the share of each unit in what a metric divides by; rows are (..., units, columns)."""
    if policy.average == "macro":
        return _normalised(rows[..., 3:].sum(axis=-1))  # the number of scores that are defined
    if metric.parts:
        ends = np.cumsum([len(part.columns) for part in metric.parts])
        split = np.split(rows, ends[:-1], axis=-1)
        parts = [
            unit_shares(part, policy, columns)
            for part, columns in zip(metric.parts, split, strict=True)
        ]
        mean: Floats = np.mean(parts, axis=0)
        return mean
    denominators = [at for at, name in enumerate(metric.columns) if name.endswith("_den")]
    return _normalised(np.abs(rows[..., denominators or slice(None)]).sum(axis=-1))


def _normalised(weights: Floats) -> Floats:
    """Divide weights by their sum; units without any weight are equal."""
    shares = divide(weights, weights.sum(axis=-1, keepdims=True))
    return np.where(np.isnan(shares), 1 / max(weights.shape[-1], 1), shares)


def effective_cautions(effective: Mapping[str, EffectiveUnits], units: Units) -> list[str]:
    """Return a warning for metrics that a few units decide, and for few units at all."""
    count, kind = len(units), units.kind
    if count < 2:
        return []
    dominated = {
        metric: one for metric, one in effective.items() if one.number < _SMALL_PART * count
    }
    found = []
    if dominated:
        metric, worst = _fewest(dominated.items())
        found.append(
            f"{counted(count, kind)} count as {worst.number:.1f} by {_names(dominated, metric)}:"
            f" {worst.largest} alone has {100 * worst.share:.0f} % of the counts of {metric}, so"
            " intervals can be too narrow"
        )
    few = {metric: one for metric, one in effective.items() if one.number < _FEW}
    few = {metric: one for metric, one in few.items() if metric not in dominated}
    if few:
        metric, worst = _fewest(few.items())
        found.append(
            f"few {kind}s: {counted(count, kind)} count as {worst.number:.1f} of equal size by"
            f" {_names(few, metric)}; intervals are wide, and they hold only if other {kind}s are"
            " like these"
        )
    return found


def _fewest(items: Iterable[tuple[str, EffectiveUnits]]) -> tuple[str, EffectiveUnits]:
    return min(items, key=lambda item: item[1].number)


def _names(metrics: Mapping[str, object], first: str) -> str:
    others = len(metrics) - 1
    return first if not others else f"{first} (and few by {counted(others, 'other metric')})"
