"""The bootstrap: scores of resampled units, and intervals from them.

All functions take `rows`, which are what each unit adds, or scores made from them; `score` scores
any sum of rows. Units are documents, or blocks of documents. A draw is a matrix product: the
weights of the units times their rows. Efron & Tibshirani (1993); Rao & Wu (1988) for strata.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Floats, Ints
from scoref.counts.counts import Statistic
from scoref.resampling.sampling_options import TIE, RandomWords, Sampling

_PURPOSE = 0


class Interval(NamedTuple):
    """The ends of a confidence interval; NaN if the score does not exist."""

    low: float
    high: float


def bootstrap(
    statistics: Sequence[Statistic], draws: Sampling, stratum: Ints | None = None
) -> list[Floats]:
    """Score resampled units: rows of (systems, units, columns) give (trials, systems, ...).

    All statistics and all systems see the same draws, so differences between scores are paired.
    With strata, each stratum of n units gives n - 1 of them, weighted by n / (n - 1). Drawing n of
    n understates the variance by a factor of (n - 1) / n, which is a half for strata of two.
    """
    systems, units, _ = statistics[0].rows.shape
    flat = [rows.transpose(1, 0, 2).reshape(units, -1) for rows, _ in statistics]
    strata, rescaled = [np.arange(units)], stratum is not None
    if stratum is not None:
        strata = [np.flatnonzero(stratum == one) for one in np.unique(stratum)]

    def work(chunk: tuple[int, int]) -> list[Floats]:
        number, size = chunk
        weights = np.empty((size, units))
        words = draws.random_words(_PURPOSE, number, size * units).reshape(size, units)
        for members in strata:
            weights[:, members] = _times_drawn(words.take(members, axis=1), rescaled)
        return [
            score((weights @ one).reshape(size, systems, -1))
            for one, (_, score) in zip(flat, statistics, strict=True)
        ]

    chunks = draws.map(work, draws.chunks(units))
    return [np.concatenate(scores) for scores in zip(*chunks, strict=True)]


def _times_drawn(words: RandomWords, rescaled: bool) -> Floats | Ints:  # noqa: FBT001  # private
    """Count how often each unit is drawn in each trial, given a random word per draw.

    If `rescaled`, the last word of each trial is not used, and the others weigh more.
    """
    size, units = words.shape
    if rescaled and units > 1:
        words = words[:, :-1].copy()
    # The high half of a word, scaled to the number of units, is the drawn unit.
    words >>= np.uint64(32)
    words *= np.uint64(units)
    words >>= np.uint64(32)
    words += np.arange(0, size * units, units, dtype=np.uint64)[:, None]
    cells = words.reshape(-1).view(np.int64)
    times = np.bincount(cells, minlength=size * units).reshape(size, units)
    return times * (units / (units - 1)) if words.shape[1] < units else times


def percentile_interval(drawn: Floats, level: float) -> Interval:
    """Return the interval of the middle 1 - level of drawn scores."""
    return _quantiles(drawn, level / 2, 1 - level / 2)


def bca_interval(drawn: Floats, value: float, deviation: Floats, level: float) -> Interval:
    """Return the bias-corrected and accelerated interval (Efron 1987).

    `deviation` is what each unit adds to the deviation of the score, as the jackknife finds it. It
    shows how the spread of the score depends on its value.
    """
    from statistics import NormalDist  # noqa: PLC0415  # rarely needed

    drawn = drawn[~np.isnan(drawn)]
    if not len(drawn) or math.isnan(value) or np.isnan(deviation).any():
        return percentile_interval(drawn, level)
    below = np.count_nonzero(drawn < value - TIE)
    equal = np.count_nonzero(np.abs(drawn - value) <= TIE)
    share = (below + equal / 2) / len(drawn)
    edge = 1 / (len(drawn) + 1)
    normal = NormalDist()
    bias = normal.inv_cdf(min(max(share, edge), 1 - edge))
    acceleration = _acceleration(deviation)

    def corrected(at: float) -> float:
        shifted = bias + normal.inv_cdf(at)
        rest = 1 - acceleration * shifted
        return normal.cdf(bias + shifted / rest) if rest > 0 else float(shifted > 0)

    return _quantiles(drawn, corrected(level / 2), corrected(1 - level / 2))


def _acceleration(deviation: Floats) -> float:
    squares, cubes = float((deviation**2).sum()), float((deviation**3).sum())
    return cubes / (6 * squares**1.5) if squares > TIE**2 else 0.0


def _quantiles(drawn: Floats, low: float, high: float) -> Interval:
    drawn = drawn[~np.isnan(drawn)]
    if not len(drawn):
        return Interval(math.nan, math.nan)
    return Interval(*np.quantile(drawn, [low, high]).tolist())
