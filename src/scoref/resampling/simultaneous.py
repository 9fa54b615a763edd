"""Statements about several differences at once: max-t intervals and step-down corrections.

Differences between systems on the same documents are correlated, and Holm's correction ignores
that. Here, deviations of all systems are drawn together, from a normal distribution with the
covariances that the jackknife finds. The largest of the differences, each divided by its standard
error, is the maximum that chance alone produces. Romano & Wolf (2005) for the steps; Hothorn, Bretz
& Westfall (2008) for the maximum of correlated deviations.
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
    """The deviations of several systems, and the pairs whose differences are of interest.

    `deviations` are (systems, units): what each unit adds to the deviation of each system. `own`
    are further variances of the systems, which are independent, such as that between runs.
    """

    def __init__(
        self, deviations: Floats, pairs: Sequence[tuple[int, int]], draws: Draws, own: Floats
    ) -> None:
        covariance = deviations @ deviations.T + np.diag(own)
        one, other = (np.array(side, dtype=np.int64) for side in zip(*pairs, strict=True))
        variance = np.diag(covariance)
        both = variance[one] + variance[other]
        apart = both - 2 * covariance[one, other]
        known = apart > TIE * both
        self._known = known
        self._scale = np.where(known, 1 / np.sqrt(np.where(known, apart, 1.0)), 0.0)
        self._pairs = one, other
        # A little more on the diagonal, since identical systems have no Cholesky factor.
        least = max(float(variance.max(initial=0.0)), TIE) * 1e-10
        self._factor = np.linalg.cholesky(covariance + least * np.eye(len(covariance)))
        self.draws = draws

    def individual_level(self, level: float) -> float:
        """Return the level of single intervals that all hold together with 1 - level."""
        if np.count_nonzero(self._known) < 2:
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

        systems = len(self._factor)
        one, other = self._pairs

        def draw(chunk: tuple[int, int]) -> Floats:
            number, size = chunk
            words = self.draws.random_words(_PURPOSE, number, size * systems)
            uniform = ((words >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-53
            drawn = ndtri(uniform).reshape(size, systems) @ self._factor.T
            return work(np.abs(drawn[:, one] - drawn[:, other]) * self._scale)

        return self.draws.map(draw, self.draws.chunks(max(systems, len(one))))


def _inside(p: float) -> float:
    """Keep a p-value within the range of the normal distribution."""
    return 1.0 if math.isnan(p) else min(max(p, 1e-300), 1.0)
