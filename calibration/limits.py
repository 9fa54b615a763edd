"""Where intervals reach their limits: perfect documents, and difficulty that depends on size."""

from __future__ import annotations

from typing import NamedTuple

from calibration.pool import Shape
from calibration.simulate import TWO_SYSTEMS, Share, corpora, pool, resample
from scoref.metrics.base import F1
from scoref.resampling.cautions import effective_cautions, size_cautions

PERFECT = Shape(systems=2, median=30.0, spread=0.6, wrong=-6.8, difficulty=1.5, taste=0.8)
"""Most documents are right in everything."""
LARGER_IS_HARDER = Shape(systems=2, pareto=1.4, least=15, harder=0.5)
"""A few documents have a hundred times the mentions of the median, and far lower scores."""
SAME_SIZES = Shape(systems=2, pareto=1.4, least=15)
"""Documents of the same sizes, all equally hard up to chance."""


class Perfect(NamedTuple):
    """How often documents show no variance, and how often intervals cover then and always."""

    flat: Share
    covered: Share
    by_the_value_alone: Share


def perfect_coverage(
    metric: str, count: int, number: int, *, difference: bool, seed: int = 11
) -> Perfect:
    """Return how often intervals cover where systems are right in nearly all documents."""
    statistic = pool(PERFECT).statistic(metric)
    scores = statistic.score(statistic.rows.sum(axis=1))[:, F1]
    truth = float(scores[0] - scores[1]) if difference else float(scores[0])
    flat = covered = alone = 0
    for rows in corpora(statistic, count, number, seed):
        resampled = resample(statistic, rows, metric)
        spread = resampled.difference_spread(0, 1) if difference else resampled.spread(0)
        found = resampled.difference(0, 1) if difference else resampled.interval(0)
        holds = found.low <= truth <= found.high
        flat += spread.without_variance
        covered += holds
        alone += abs(spread.value - truth) <= 1e-12 if spread.without_variance else holds
    return Perfect(Share(flat, number), Share(covered, number), Share(alone, number))


class Warned(NamedTuple):
    """How often an interval misses the truth, and how often a caution says that it can."""

    missed: Share
    by_size: Share
    any_if_missed: Share


def warnings(
    metric: str, count: int, number: int, shape: Shape = TWO_SYSTEMS, seed: int = 12
) -> Warned:
    """Return how often the caution about sizes warns, and any caution where intervals miss."""
    statistic = pool(shape).statistic(metric)
    truth = float(statistic.score(statistic.rows[0].sum(axis=0))[F1])
    missed = by_size = caught = 0
    for rows in corpora(statistic, count, number, seed):
        resampled = resample(statistic, rows[:1], metric)
        found = resampled.interval(0)
        effective = {metric: resampled.effective()}
        about_size = size_cautions(effective, resampled.units)
        misses = not found.low <= truth <= found.high
        missed += misses
        by_size += bool(about_size)
        caught += bool(misses and (about_size or effective_cautions(effective, resampled.units)))
    return Warned(Share(missed, number), Share(by_size, number), Share(caught, max(missed, 1)))
