"""Corpora drawn from a pool, resampled by the code that users run."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np

from calibration.pool import Floats, Ints, Pool, Shape
from scoref.counts.counts import Statistic
from scoref.metrics import find_metric
from scoref.policy import Policy
from scoref.resampling.effective import unit_shares
from scoref.resampling.resampled_scores import Resampled
from scoref.resampling.sampling_options import Method, Sampling
from scoref.resampling.units import Units

TWO_SYSTEMS = Shape(systems=2)


class Share(NamedTuple):
    """How often something happened, and how often it was tried."""

    happened: int
    tried: int

    @property
    def percent(self) -> float:
        """The share in percent."""
        return 100 * self.happened / self.tried


@cache
def pool(shape: Shape = TWO_SYSTEMS, seed: int = 15) -> Pool:
    """Return a pool, made once."""
    return Pool(shape, seed)


@cache
def units_of(count: int, strata: int = 0) -> Units:
    """Return units with sorted names, in strata of equal size if any are asked for."""
    names = [f"d{at:05d}" for at in range(count)]
    rule = {name: f"{at * strata // count:03d}" for at, name in enumerate(names)}
    return Units.of(names, strata=rule if strata else None)


def draw_documents(rng: np.random.Generator, documents: int, count: int) -> Ints:
    """Draw the documents of a corpus."""
    return rng.integers(documents, size=count)


def resample(
    statistic: Statistic,
    rows: Floats,
    metric: str,
    *,
    method: Method = "jackknife",
    trials: int = 400,
    seed: int = 0,
    runs: int = 1,
    units: Units | None = None,
    level: float = 0.05,
    policy: Policy | None = None,
) -> Resampled:
    """Resample a corpus, given the rows of its systems, each with some runs."""
    shares = unit_shares(find_metric(metric), policy or Policy(), rows)
    statistics = [Statistic(one, statistic.score) for one in rows]
    systems = [statistics[at : at + runs] for at in range(0, len(statistics), runs)]
    sampling = Sampling(method=method, trials=trials, seed=seed, level=level)
    return Resampled(systems, shares, units or units_of(rows.shape[1]), sampling)


def exchange(rng: np.random.Generator, rows: Floats) -> Floats:
    """Deal the rows of each document to the systems at random, so that systems are equal."""
    order = rng.permuted(np.tile(np.arange(len(rows)), (rows.shape[1], 1)), axis=1)
    dealt: Floats = rows[order.T, np.arange(rows.shape[1])]
    return dealt


def corpora(
    statistic: Statistic, count: int, number: int, seed: int, *, equal: bool = False
) -> Iterator[Floats]:
    """Yield the rows of some corpora, as (systems, documents, columns)."""
    rng = np.random.default_rng([seed, count])
    for _ in range(number):
        rows = statistic.rows[:, draw_documents(rng, statistic.rows.shape[1], count)]
        yield exchange(rng, rows) if equal else rows
