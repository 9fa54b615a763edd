"""The jackknife: standard errors, and intervals by Student's t, from what each unit adds.

All functions take `rows`, which are what each unit adds; `score` scores any sum of rows. The
jackknife leaves out one unit at a time. Within a stratum, the other units take over the weight of
the unit that is left out (Rust & Rao 1996, JKn).

A few large documents decide most of a score. The variance is then estimated from few documents,
whatever their number is, and the number of degrees of freedom has to say so. It is the smallest of

    units - strata
    effective units - 1       (Kish 1965), by the share of each unit in what the metric counts
    2 n / (kurtosis - 1)      how precisely the squared deviations of n units estimate a variance

Units that all give the same score show no variance, which does not mean that there is none. If a
share p of all units is unlike them, n units miss it with the probability (1 - p)^n. So with the
confidence 1 - a, at most the share p = 1 - a^(1/n) is unlike the units at hand, and at worst it has
the lowest or the highest value that is possible. For a score of 1, the interval is [a^(1/n), 1]:
the exact form of the rule of three (Hanley & Lippman-Hand 1983).

`make calibration` shows how often such intervals cover the truth.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Floats
from scoref.resampling.bootstrap import Interval
from scoref.resampling.sampling_options import TIE, Score
from scoref.resampling.units import Units


class Spread(NamedTuple):
    """A value, its standard error, and the degrees of freedom of that error.

    The value is possible from `lowest` to `highest`.
    """

    value: float
    error: float
    freedom: float
    lowest: float = -1.0
    highest: float = 1.0

    def __neg__(self) -> Spread:
        """Return the spread of the opposite value: a difference seen from the other side."""
        return self._replace(value=-self.value, lowest=-self.highest, highest=-self.lowest)

    @property
    def without_variance(self) -> bool:
        """Whether the units show no variance, so that intervals are only bounds."""
        return self.error <= TIE  # NaN is not known either, but it has no interval

    @property
    def has_limits(self) -> bool:
        """Whether the values that are possible end somewhere."""
        return self.highest - self.lowest < math.inf

    def share_unlike(self, level: float) -> float:
        """Return the largest share of all units that can be unlike units without variance."""
        return 1 - math.pow(level, 1 / (self.freedom + 1))

    def bound(self, level: float) -> Interval:
        """Return the interval for units without variance; NaN if the value has no limits."""
        if not self.has_limits:
            return Interval(math.nan, math.nan)
        unlike = self.share_unlike(level)
        low = self.value - unlike * (self.value - self.lowest)
        high = self.value + unlike * (self.highest - self.value)
        return Interval(low, high)

    def interval(self, level: float) -> Interval:
        """Return the interval of the confidence 1 - level by Student's t, of possible values."""
        if self.without_variance:
            return self.bound(level)
        reach = t_quantile(1 - level / 2, self.freedom) * self.error
        low, high = self.value - reach, self.value + reach
        return Interval(max(low, self.lowest), min(high, self.highest))

    def bounded_interval(self, level: float) -> Interval:
        """Return the interval of a score between 0 and 1, on the logit scale.

        The logit keeps the ends of an interval between 0 and 1, and makes the longer side of the
        interval the one that is farther from 0 and 1.
        """
        value, spread = self.value, self.value * (1 - self.value)
        if not spread > 0 or self.without_variance:  # 0, 1, beyond them, or NaN
            return self.interval(level)
        reach = t_quantile(1 - level / 2, self.freedom) * self.error / spread
        centre = math.log(value / (1 - value))
        return Interval(_logistic(centre - reach), _logistic(centre + reach))

    def p_above(self, limit: float) -> float:
        """Return the one-sided p-value for the claim that the value is above a limit."""
        if math.isnan(self.value) or math.isnan(self.error):
            return math.nan
        if self.without_variance:
            return self._chance_of_none_unlike(limit) if self.value > limit + TIE else 1.0
        return t_share(-(self.value - limit) / self.error, self.freedom)

    def _chance_of_none_unlike(self, limit: float) -> float:
        """Return how likely units without variance are if the value is at a limit below theirs."""
        room, above = self.value - self.lowest, self.value - limit
        return math.pow(1 - above / max(room, above), self.freedom + 1)

    def p_different(self) -> float:
        """Return the two-sided p-value for the claim that the value is not 0."""
        return min(1.0, 2 * self._replace(value=abs(self.value)).p_above(0.0))


def _logistic(value: float) -> float:
    return 1 / (1 + math.exp(-value)) if value > -700 else 0.0


def t_quantile(share: float, freedom: float) -> float:
    """Return a quantile of Student's t distribution."""
    from scipy.special import stdtrit  # noqa: PLC0415  # slow to load

    return float(stdtrit(freedom, share))


def t_share(value: float, freedom: float) -> float:
    """Return the share of Student's t distribution below a value."""
    from scipy.special import stdtr  # noqa: PLC0415  # slow to load

    return float(stdtr(freedom, value))


def leave_one_out(rows: Floats, score: Score, units: Units | None = None) -> Floats:
    """Score all units but one: rows of (..., units, columns) give (..., units, ...)."""
    total = rows.sum(axis=-2, keepdims=True)
    if units is None or units.stratum is None:
        return score(total - rows)
    stratum = units.stratum
    size = np.bincount(stratum)[stratum][:, None]
    sums = np.zeros((int(stratum.max()) + 1, *rows.shape[:-2], rows.shape[-1]))
    np.add.at(sums, stratum, np.moveaxis(rows, -2, 0))
    of_stratum = np.moveaxis(sums[stratum], 0, -2)
    return score(total - (size * rows - of_stratum) / (size - 1))


def deviations(left_out: Floats, units: Units) -> Floats:
    """Return the scaled deviation of each unit; the sum of their squares is the variance.

    `left_out` are the scores without each unit, as (..., units).
    """
    if units.stratum is None:
        size = len(units)
        apart: Floats = left_out.mean(axis=-1, keepdims=True) - left_out
        return math.sqrt(1 - 1 / size) * apart
    found = np.empty_like(left_out)
    for one in np.unique(units.stratum).tolist():
        members = units.stratum == one
        part = left_out[..., members]
        scale = math.sqrt(1 - 1 / part.shape[-1])
        found[..., members] = scale * (part.mean(axis=-1, keepdims=True) - part)
    return found


def freedom_of(deviation: Floats, effective: float, units: Units) -> float:
    """Return the degrees of freedom of a variance, given the deviation of each unit.

    They are at least 1, but without any deviation, their number plus 1 is the effective number of
    units.
    """
    squares = deviation**2
    total = float(squares.sum())
    freedom = min(float(units.freedom), effective - 1)
    if total <= TIE**2:
        return freedom
    kurtosis = len(squares) * float((squares**2).sum()) / total**2
    if kurtosis > 1 + TIE:
        freedom = min(freedom, 2 * len(squares) / (kurtosis - 1))
    return max(freedom, 1.0)
