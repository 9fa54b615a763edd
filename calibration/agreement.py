"""How often the interval of Krippendorff's alpha covers, from two simulated annotators."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from calibration.experiments import each_method
from calibration.pool import Floats, Shape, draw_two_annotators
from calibration.simulate import Share, draw_documents, units_of
from scoref.annotators.beyond_chance import EntitySets, score_alpha
from scoref.counts.counts import Statistic
from scoref.metrics.base import F1
from scoref.resampling.resampled_scores import Resampled
from scoref.resampling.sampling_options import Method, Sampling


@cache
def _rows(distance: str) -> Floats:
    """Return what each document of a pool adds to the distances of two annotators."""
    document, one, other = draw_two_annotators(Shape())
    count = len(document)
    own = np.arange(count)  # a mention that an annotator did not mark is alone in its set
    first = np.where(one < 0, one.max() + 1 + own, one)
    second = np.where(other < 0, other.max() + 1 + own, other) + first.max() + 1
    values = np.stack([first, second])
    sets = EntitySets(values, np.bincount(values.ravel()), document, int(document.max()) + 1)
    return sets.alpha_rows(distance)


def alpha_coverage(
    distance: str, count: int, number: int, methods: Sequence[Method], seed: int = 9
) -> list[Share]:
    """Return how often the interval of alpha covers alpha of all documents, by method."""
    pool = _rows(distance)
    truth = float(score_alpha(pool.sum(axis=0))[F1])
    rng = np.random.default_rng([seed, count])
    covered = [0] * len(methods)
    for at in range(number):
        rows = pool[draw_documents(rng, len(pool), count)]
        shares = (rows[:, 1] / rows[:, 1].sum())[None]
        sampling = Sampling(trials=400, seed=at)
        statistic = Statistic(rows, score_alpha)
        resampled = Resampled([[statistic]], shares, units_of(count), sampling, lowest=-1.0)
        for place in each_method(resampled, methods):
            low, high = resampled.interval(0)
            covered[place] += low <= truth <= high
    return [Share(one, number) for one in covered]
