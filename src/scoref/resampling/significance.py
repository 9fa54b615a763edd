"""Significance tests for pairs of systems, and corrections for testing several pairs.

The tests are approximate randomisation (Noreen 1989) and the paired bootstrap. They see no
documents, only what each unit adds (`rows`) and a function that scores any sum of rows.

The corrections are Holm's (1979) and that of the maximum. Differences between systems on the same
documents are correlated, and Holm's correction ignores that. For the maximum, deviations of all
systems are drawn together, from a normal distribution with the covariances that the jackknife
finds. The largest of the differences, each divided by its standard error, is the maximum that
chance alone produces. Romano & Wolf (2005) for the steps; Hothorn, Bretz & Westfall (2008) for the
maximum of correlated deviations.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Floats, Ints
from scoref.resampling.jackknife import t_share
from scoref.resampling.sampling_options import TIE, Sampling, Score

SystemPairs = Sequence[tuple[int, int]]

ENUMERATED = 16
"""If at most this many units differ, all exchanges are tried instead of a sample."""

_BATCH = 32  # pairs that are scored at a time
_EXCHANGES = 1  # what random numbers are for: two purposes never share them
_MAXIMA = 2


class Significance(NamedTuple):
    """A p-value, the number of units that differ, and whether all exchanges were tried."""

    p: float
    differing: int
    exact: bool


def randomisation_tests(
    rows: Floats, score: Score, pairs: SystemPairs, draws: Sampling
) -> list[Significance]:
    """Test pairs of systems by random exchanges of their rows, unit by unit.

    Under the null hypothesis that it does not matter which system produced which row, every
    exchange is as likely as the observed rows. The p-value is two-sided: the share of exchanges
    with a difference at least as large as the observed one. Ties count, and the observed rows are
    one of the exchanges, so p is never zero. If few units differ, all exchanges are tried and p is
    exact.

    `rows` are (systems, units, columns), and `score` returns one number per sum.
    """
    tests: list[Significance] = []
    for start in range(0, len(pairs), _BATCH):
        tests += _test_batch(rows, score, pairs[start : start + _BATCH], draws)
    return tests


def _test_batch(
    rows: Floats, score: Score, pairs: SystemPairs, draws: Sampling
) -> list[Significance]:
    """Test pairs with few differing units exactly, and the other pairs with shared draws."""
    one, other = (list(side) for side in zip(*pairs, strict=True))
    total = rows.sum(axis=1)
    moved = np.ascontiguousarray((rows[one] - rows[other]).transpose(1, 0, 2))
    differ = np.any(moved != 0, axis=2)
    differing = np.count_nonzero(differ, axis=0)

    def enumerate_all(at: int) -> float:
        exchanged = _all_exchanges(int(differing[at])) @ moved[differ[:, at], at]
        extreme = _count_extreme(total[one[at]], total[other[at]], exchanged, score)
        return float(extreme / len(exchanged))

    p = np.empty(len(pairs))
    few = np.flatnonzero(differing <= ENUMERATED)
    p[few] = draws.map(enumerate_all, few.tolist())
    sampled = np.flatnonzero(differing > ENUMERATED)
    if len(sampled):
        totals = total[np.take(one, sampled)], total[np.take(other, sampled)]
        extreme = _sample_exchanges(moved[:, sampled], *totals, score, draws)
        p[sampled] = (1 + extreme) / (1 + draws.trials)
    return [
        Significance(value, units, exact=units <= ENUMERATED)
        for value, units in zip(p.tolist(), differing.tolist(), strict=True)
    ]


def _all_exchanges(units: int) -> Floats:
    """List the exchanges that keep the first unit; the other exchanges are their mirror images."""
    free = max(units - 1, 0)
    bits = np.arange(2**free)[:, None] >> np.arange(free)
    first = np.zeros((len(bits), min(units, 1)))
    return np.concatenate([first, (bits & 1).astype(np.float64)], axis=1)


def _sample_exchanges(
    moved: Floats, one: Floats, other: Floats, score: Score, draws: Sampling
) -> Ints:
    """Count the sampled exchanges that are as extreme as the observed rows, for each pair."""
    units, pairs, columns = moved.shape
    flat = moved.reshape(units, pairs * columns)

    def work(chunk: tuple[int, int]) -> Ints:
        number, size = chunk
        words = draws.random_words(_EXCHANGES, number, size * -(-units // 64))
        bits = np.unpackbits(words.astype("<u8").view(np.uint8)).reshape(size, -1)
        exchanged = bits[:, :units].astype(np.float64) @ flat
        return _count_extreme(one, other, exchanged.reshape(size, pairs, columns), score)

    counts: Ints = np.sum(draws.map(work, draws.chunks(units)), axis=0)
    return counts


def _count_extreme(one: Floats, other: Floats, exchanged: Floats, score: Score) -> Ints:
    """Count exchanges with a difference at least as large as the observed one.

    A difference that does not exist counts too, since it is not evidence against equality.
    """
    observed = np.abs(score(one) - score(other))
    scale = np.maximum(np.abs(one), np.abs(other))
    sums = (_without_residue(sums, scale) for sums in (one - exchanged, other + exchanged))
    differences = np.abs(score(next(sums)) - score(next(sums)))
    return np.asarray(np.sum(~(differences < observed - TIE), axis=0), dtype=np.int64)


def _without_residue(sums: Floats, scale: Floats) -> Floats:
    """Set sums to zero that are only rounding errors: 1e-17 / 1e-17 would be a score of 1."""
    sums[np.abs(sums) < TIE * scale] = 0.0
    return sums


def bootstrap_tests(
    rows: Floats, drawn: Floats, observed: Floats, pairs: SystemPairs, freedoms: Sequence[float]
) -> list[Significance]:
    """Test pairs of systems by the shifted paired bootstrap, given the scores of draws.

    The two-sided p-value starts from the share of draws whose difference is at least as far from
    the observed difference as the observed difference is from zero. The observed sample counts as
    one of the draws. Draws of few units vary too little, and their variance is estimated from these
    units. So the share is corrected as the ends of intervals are by Hesterberg (2015): draws are
    stretched by sqrt(n / (n - 1)), and the normal distribution is replaced by Student's t, with the
    degrees of freedom of each pair. Two units are then never enough for a small p-value.
    """
    units = rows.shape[1]
    tests = []
    for (one, other), freedom in zip(pairs, freedoms, strict=True):
        difference = float(observed[one] - observed[other])
        extreme = count_shifted_extreme(drawn[:, one] - drawn[:, other], difference)
        differing = int(np.count_nonzero(np.any(rows[one] != rows[other], axis=1)))
        p = stretch((1 + extreme) / (1 + len(drawn)), math.sqrt(1 - 1 / units), freedom)
        tests.append(Significance(p, differing, exact=False))
    return tests


def stretch(p: float, factor: float, freedom: float) -> float:
    """Return the p-value of a deviation that is only `factor` as many standard errors.

    `p` is a two-sided p-value of the normal distribution, and the result is one of Student's t.
    """
    if math.isnan(p) or p >= 1:
        return p
    from statistics import NormalDist  # noqa: PLC0415  # rarely needed

    return 2 * t_share(NormalDist().inv_cdf(p / 2) * factor, freedom)


def count_shifted_extreme(drawn: Floats, observed: float) -> int:
    """Count drawn differences as far from the observed difference as that is from zero."""
    return int(np.count_nonzero(~(np.abs(drawn - observed) < abs(observed) - TIE)))


def smallest_p(units: int) -> float:
    """Return the smallest p-value of the randomisation test: all units agree on the direction."""
    return min(1.0, 2.0 ** (1 - units))


def fewest_units(level: float) -> int:
    """Return the number of units from which on the randomisation test can reject at a level."""
    units = 1
    while smallest_p(units) >= level:
        units += 1
    return units


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjust p-values for their number, which bounds the probability of any false finding."""
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for place, at in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - place) * p_values[at]))
        adjusted[at] = largest
    return adjusted


class JointDeviations:
    """The deviations of several systems, and the pairs whose differences are of interest.

    `deviations` are (systems, units): what each unit adds to the deviation of each system. `own`
    are further variances of the systems, which are independent, such as that between runs.
    """

    def __init__(
        self, deviations: Floats, pairs: Sequence[tuple[int, int]], draws: Sampling, own: Floats
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
        from statistics import NormalDist  # noqa: PLC0415  # rarely needed

        critical = float(np.quantile(largest, 1 - level))
        return min(level, 2 * NormalDist().cdf(-critical))

    def step_down(self, p_values: Sequence[float]) -> list[float]:
        """Adjust p-values for their number and their correlation, smallest first.

        The adjusted p-value is the probability that the smallest of this p-value's and all larger
        ones' would be as small by chance.
        """
        count = len(p_values)
        if count < 2:
            return list(p_values)
        order = sorted(range(count), key=lambda at: (math.isnan(p_values[at]), p_values[at]))
        from statistics import NormalDist  # noqa: PLC0415  # rarely needed

        normal = NormalDist()
        critical = np.array([-normal.inv_cdf(_inside(p_values[at]) / 2) for at in order])

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
            words = self.draws.random_words(_MAXIMA, number, size * systems)
            uniform = ((words >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-53
            drawn = ndtri(uniform).reshape(size, systems) @ self._factor.T
            return work(np.abs(drawn[:, one] - drawn[:, other]) * self._scale)

        return self.draws.map(draw, self.draws.chunks(max(systems, len(one))))


def _inside(p: float) -> float:
    """Keep a p-value within the range of the normal distribution."""
    return 1.0 if math.isnan(p) else min(max(p, 1e-300), 1.0)
