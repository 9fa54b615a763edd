"""The candidates for the default interval of a score, on the same corpora."""

from __future__ import annotations

import math

import numpy as np

from calibration.pool import Floats
from calibration.simulate import Share, corpora, pool, resample
from scoref.metrics.base import F1
from scoref.resampling.bootstrap import Interval
from scoref.resampling.jackknife import Spread, t_quantile
from scoref.resampling.resampled_scores import Resampled
from scoref.resampling.sampling_options import Score

LEVEL = 0.05


def candidates(resampled: Resampled) -> dict[str, Interval]:
    """Return the interval of the first system's F1 by each candidate."""
    spread, drawn = resampled.spread(0), resampled.drawn[:, 0, F1]
    units = len(resampled.units)
    plain = spread._replace(freedom=float(units - 1))
    reach = math.sqrt(units / (units - 1)) * t_quantile(1 - LEVEL / 2, units - 1)
    tail = (1 - math.erf(reach / math.sqrt(2))) / 2
    return {
        "percentile": Interval(*np.quantile(drawn, [LEVEL / 2, 1 - LEVEL / 2]).tolist()),
        "expanded percentile": Interval(*np.quantile(drawn, [tail, 1 - tail]).tolist()),
        "bootstrap-t": _bootstrap_t(resampled, spread),
        "jackknife, t with n - 1": plain.interval(LEVEL),
        "the same, arcsine scale": _arcsine_interval(plain),
        "the same, logit scale": plain.bounded_interval(LEVEL),
        "jackknife, effective t": spread.interval(LEVEL),
        "the same, logit scale (default)": spread.bounded_interval(LEVEL),
    }


def _arcsine_interval(spread: Spread) -> Interval:
    """Return an interval on the arcsine scale of square roots."""
    root = math.sqrt(spread.value * (1 - spread.value))
    reach = t_quantile(1 - LEVEL / 2, spread.freedom) * spread.error / (2 * root)
    centre = math.asin(math.sqrt(spread.value))
    low, high = max(0.0, centre - reach), min(math.pi / 2, centre + reach)
    return Interval(math.sin(low) ** 2, math.sin(high) ** 2)


def _bootstrap_t(resampled: Resampled, spread: Spread, trials: int = 400) -> Interval:
    """Return the studentised interval; the error of each draw comes from a linearisation."""
    rows, units = resampled.rows[0], len(resampled.units)
    rng = np.random.default_rng(resampled.sampling.seed)
    weights = rng.multinomial(units, np.full(units, 1 / units), size=trials).astype(np.float64)
    sums = weights @ rows
    slopes = _slopes(resampled.f1, sums)
    errors = np.sqrt((weights * (slopes @ rows.T) ** 2).sum(axis=1) * units / (units - 1))
    known = errors > 1e-9
    deviations = (resampled.f1(sums)[known] - spread.value) / errors[known]
    low, high = np.quantile(deviations, [LEVEL / 2, 1 - LEVEL / 2]).tolist()
    return Interval(spread.value - high * spread.error, spread.value - low * spread.error)


def _slopes(score: Score, sums: Floats) -> Floats:
    """Return the derivatives of scores by each column of their sums."""
    steps = 1e-6 * np.maximum(sums, 1.0)
    columns = sums.shape[1]
    moved = sums[:, None, :] + np.eye(columns) * steps[:, None, :]
    slopes: Floats = (score(moved) - score(sums)[:, None]) / steps
    return slopes


def candidate_coverage(metric: str, count: int, number: int, seed: int = 1) -> dict[str, Share]:
    """Return how often each candidate covers the score of all documents."""
    statistic = pool().statistic(metric)
    truth = float(statistic.score(statistic.rows[0].sum(axis=0))[F1])
    covered: dict[str, int] = {}
    for at, rows in enumerate(corpora(statistic, count, number, seed)):
        found = candidates(resample(statistic, rows[:1], metric, seed=at))
        for name, (low, high) in found.items():
            covered[name] = covered.get(name, 0) + (low <= truth <= high)
    return {name: Share(times, number) for name, times in covered.items()}
