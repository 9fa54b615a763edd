"""Statements about several differences at once: max-t intervals and step-down corrections.

Differences between systems on the same documents are correlated, and Holm's correction ignores
that. Here, the deviations of the differences are drawn together: each unit's deviation times a
normal random number, summed over units. The largest of the absolute values, each divided by its
standard error, is the maximum that chance alone produces. Romano & Wolf (2005) for the steps;
Hothorn, Bretz & Westfall (2008) for the maximum of correlated deviations.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from statistics import NormalDist

import numpy as np

from scoref.base.arrays import Floats
from scoref.resampling.draws import TIE, Draws

_PURPOSE = 2
_NORMAL = NormalDist()


class JointDeviations:
    """The standardised deviations of several differences, as (differences, units).

    `draws` makes the same normal numbers for every metric and every set of differences, so the
    result for some differences does not depend on their order.
    """

    def __init__(self, deviations: Floats, draws: Draws) -> None:
        error = np.sqrt((deviations**2).sum(axis=1, keepdims=True))
        known = error > TIE
        self.standard = np.where(known, deviations / np.where(known, error, 1.0), 0.0)
        self.draws = draws

    def individual_level(self, level: float) -> float:
        """Return the level of single intervals that all hold together with 1 - level."""
        if np.count_nonzero(self.standard.any(axis=1)) < 2:
            return level
        largest = np.concatenate(self._map(lambda drawn: drawn.max(axis=1)))
        critical = float(np.quantile(largest, 1 - level))
        return min(level, 2 * _NORMAL.cdf(-critical))

    def step_down(self, p_values: Sequence[float]) -> list[float]:
        """Adjust p-values for their number and their correlation, smallest first.

        The adjusted p-value is the probability that the smallest of this p-value's and all larger
        ones' would be as small by chance.
        """
        count = len(p_values)
        if count < 2:
            return list(p_values)
        order = sorted(range(count), key=lambda at: (math.isnan(p_values[at]), p_values[at]))
        critical = np.array([-_NORMAL.inv_cdf(_inside(p_values[at]) / 2) for at in order])

        def count_larger(drawn: Floats) -> Floats:
            ranked = drawn[:, order[::-1]]
            largest = np.maximum.accumulate(ranked, axis=1)[:, ::-1]
            return np.asarray((largest >= critical - TIE).sum(axis=0), dtype=np.float64)

        counts = np.sum(self._map(count_larger), axis=0)
        adjusted, largest = [0.0] * count, 0.0
        for place, at in enumerate(order):
            if math.isnan(p_values[at]):
                adjusted[at] = math.nan
                continue
            share = (1 + float(counts[place])) / (1 + self.draws.trials)
            largest = max(largest, min(1.0, max(share, p_values[at])))
            adjusted[at] = largest
        return adjusted

    def _map(self, work: Callable[[Floats], Floats]) -> list[Floats]:
        """Call a function for the absolute deviations of each chunk of draws."""
        from scipy.special import ndtri  # noqa: PLC0415  # slow to load

        units = self.standard.shape[1]

        def draw(chunk: tuple[int, int]) -> Floats:
            number, size = chunk
            words = self.draws.random_words(_PURPOSE, number, size * units)
            uniform = ((words >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-53
            normal = ndtri(uniform).reshape(size, units)
            return work(np.abs(normal @ self.standard.T))

        return self.draws.map(draw, self.draws.chunks(units))


def _inside(p: float) -> float:
    """Keep a p-value within the range of the normal distribution."""
    return 1.0 if math.isnan(p) else min(max(p, 1e-300), 1.0)
