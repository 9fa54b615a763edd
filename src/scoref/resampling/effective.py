"""The effective number of documents: how many equal documents a metric would see as many.

Scores are ratios of sums, so a document weighs as much as it has in the denominators of the
metric. If w are the shares of the documents, the effective number is 1 / sum(w²) (Kish 1965): it is
the number of documents if all are equal, and about 1 if one document has nearly everything.

If large documents are also harder, a sample without the largest documents has scores that are too
high, and its variance does not show this. Two signs of it are the rank correlation of share and
score, and how far one larger document would move the score.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Floats
from scoref.metrics.base import Metric, divide
from scoref.policy import Policy
from scoref.resampling.units import Units

_LARGER = 5.0
_NO_SPREAD = 1e-9


class EffectiveUnits(NamedTuple):
    """The effective number of units by one metric, and the unit with the largest share.

    `size_correlation` is the rank correlation (Spearman 1904) of the shares and the F1 of units.
    `size_effect` is how far one more unit, five times as large as the largest, would move the
    score, as a share of the width of its interval. The F1 of that unit is predicted by a line
    through the F1 of units by the logarithm of their shares.
    """

    number: float
    largest: str
    share: float
    size_correlation: float = math.nan
    size_effect: float = math.nan

    @classmethod
    def of(cls, shares: Floats, units: Units, f1: Floats, width: float) -> EffectiveUnits:
        """Return the effective number of units.

        Given are the share and the F1 of each unit, and the width of the interval of the score.
        """
        if not len(shares):
            return cls(0.0, "", 0.0)
        at = int(np.argmax(shares))
        correlation = rank_correlation(shares[shares > 0], f1[shares > 0])
        effect = _effect_of_larger(shares, f1) / width if width > 0 else math.nan
        return cls(kish(shares), units.names[at], float(shares[at]), correlation, effect)


def _effect_of_larger(shares: Floats, f1: Floats) -> float:
    """Return how far one more unit, larger than all others, would move the score."""
    known = (shares > 0) & ~np.isnan(f1)
    size, score = np.log(shares[known]), f1[known]
    if len(size) < 2 or (spread := float(size.var())) < _NO_SPREAD:
        return math.nan
    slope = float(np.mean((size - size.mean()) * (score - score.mean()))) / spread
    added = _LARGER * float(shares.max())
    predicted = float(score.mean()) + slope * (math.log(added) - float(size.mean()))
    predicted = min(max(predicted, min(0.0, float(score.min()))), 1.0)
    pooled = float(np.average(score, weights=shares[known]))
    return added / (1 + added) * (predicted - pooled)


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
