"""Significance tests for pairs of systems: approximate randomisation and paired bootstrap.

The tests see no documents, only what each unit adds (`rows`) and a function that scores any sum of
rows. Noreen (1989) for approximate randomisation; Holm (1979) for the correction.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Floats, Ints
from scoref.resampling.draws import TIE, Draws, Score
from scoref.resampling.jackknife import t_share

SystemPairs = Sequence[tuple[int, int]]

ENUMERATED = 16
"""If at most this many units differ, all exchanges are tried instead of a sample."""

_BATCH = 32  # pairs that are scored at a time
_PURPOSE = 1


class Significance(NamedTuple):
    """A p-value, the number of units that differ, and whether all exchanges were tried."""

    p: float
    differing: int
    exact: bool


def randomisation_tests(
    rows: Floats, score: Score, pairs: SystemPairs, draws: Draws
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


def _test_batch(rows: Floats, score: Score, pairs: SystemPairs, draws: Draws) -> list[Significance]:
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
    moved: Floats, one: Floats, other: Floats, score: Score, draws: Draws
) -> Ints:
    """Count the sampled exchanges that are as extreme as the observed rows, for each pair."""
    units, pairs, columns = moved.shape
    flat = moved.reshape(units, pairs * columns)

    def work(chunk: tuple[int, int]) -> Ints:
        number, size = chunk
        words = draws.random_words(_PURPOSE, number, size * -(-units // 64))
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
