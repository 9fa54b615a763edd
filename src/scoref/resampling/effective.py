"""The effective number of documents: how many equal documents a metric would see as many.

Scores are ratios of sums, so a document weighs as much as it has in the denominators of the
metric. If w are the shares of the documents, the effective number is 1 / sum(w²) (Kish 1965): it is
the number of documents if all are equal, and about 1 if one document has nearly everything.

If large documents are also harder, a sample without the largest documents has scores that are too
high, and its variance does not show this. The rank correlation of share and score is a sign of it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Floats
from scoref.metrics.base import Metric, divide
from scoref.policy import Policy
from scoref.resampling.units import Units


class EffectiveUnits(NamedTuple):
    """The effective number of units by one metric, and the unit with the largest share.

    `size_correlation` is the rank correlation (Spearman 1904) of the shares and the F1 of units.
    """

    number: float
    largest: str
    share: float
    size_correlation: float = math.nan

    @classmethod
    def of(cls, shares: Floats, units: Units, f1: Floats) -> EffectiveUnits:
        """Return the effective number of units, given the share and the F1 of each."""
        if not len(shares):
            return cls(0.0, "", 0.0)
        at = int(np.argmax(shares))
        correlation = rank_correlation(shares[shares > 0], f1[shares > 0])
        return cls(kish(shares), units.names[at], float(shares[at]), correlation)


def kish(shares: Floats) -> float:
    """Return the effective number of units with these shares, which sum to 1."""
    return 1 / float((shares**2).sum()) if len(shares) else 0.0


def rank_correlation(one: Floats, other: Floats) -> float:
    """Return Spearman's rank correlation of the values that both have; NaN if either is constant.

    Values that differ by rounding errors have the same rank.
    """
    both = ~(np.isnan(one) | np.isnan(other))
    ranks = [_ranks(values[both]) for values in (one, other)]
    first, second = (rank - rank.mean() if len(rank) else rank for rank in ranks)
    scale = math.sqrt(float((first**2).sum() * (second**2).sum()))
    return float((first * second).sum()) / scale if scale else math.nan


def _ranks(values: Floats) -> Floats:
    """Return the ranks of values, from 0; equal values have the mean of their ranks."""
    _, place, times = np.unique(values.round(12), return_inverse=True, return_counts=True)
    ranks: Floats = (np.cumsum(times) - (times + 1) / 2)[place]
    return ranks


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
