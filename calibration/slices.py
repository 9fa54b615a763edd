"""How often slices that are equal, and systems that are equal in a slice, are found to differ."""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

import numpy as np

from calibration.pool import Floats, Ints, Shape, draw_responses
from calibration.simulate import Share, draw_documents, exchange, units_of
from scoref.analysis.aligned_mentions import AlignedMentions
from scoref.analysis.contributions import contributions
from scoref.analysis.slice_tests import MetricSlice
from scoref.base.arrays import Bools, expand_ranges
from scoref.counts.counted import Counted
from scoref.counts.counts import Counts
from scoref.matching.alignment import Alignment
from scoref.matching.pipeline import Prepared
from scoref.matching.summary import PreparationSummary, Side, SideSummary
from scoref.metrics import find_metric
from scoref.policy import Policy
from scoref.resampling.sampling_options import Sampling

LEVEL = 0.05
_SIDE = Side("", 0, 0, 0, 0, 0)


class PoolMentions(NamedTuple):
    """The mentions of a system, sorted by document: where each document starts, and entities.

    `number` is the same for a key mention of all systems. `entity` is the key entity, or a number
    of its own for the response entity of other mentions. `shares` is what each mention adds to each
    column of the counts of a metric.
    """

    first: Ints
    number: Ints
    entity: Ints
    shares: Floats


@cache
def mentions_of_pool(metric: str, seed: int = 17) -> list[PoolMentions]:
    """Return the mentions of two equal systems, with contributions as `scoref slices` has them."""
    return [_system(columns, metric) for columns in draw_responses(Shape(), 2, seed)]


def _system(columns: tuple[Ints, Ints, Ints], metric: str) -> PoolMentions:
    order = np.argsort(columns[0], kind="stable")
    document, key, response = (column[order] for column in columns)
    used, number = np.unique(response, return_inverse=True)
    response = number - (used[0] < 0)
    rows, documents = np.arange(len(document)), int(document[-1]) + 1
    alignment = Alignment(("",) * documents, document, key, response, rows, rows)
    summary = PreparationSummary(SideSummary(""), SideSummary(""))
    prepared = Prepared(alignment, summary, Policy(), "", ())
    mentions = AlignedMentions(prepared, Policy(), None, np.zeros(0, dtype=np.int64))
    entity = np.where(key < 0, key.max() + 1 + response, key)
    first = np.searchsorted(document, np.arange(documents + 1))
    return PoolMentions(first, order, entity, contributions(mentions, find_metric(metric)))


def divide(pool: PoolMentions, drawn: Ints, inside: Bools) -> Floats:
    """Return the counts of a slice and of the rest, as (2, documents, columns).

    `drawn` are documents, and `inside` marks the mentions of the slice, of all documents.
    """
    document, rows = expand_ranges(pool.first[drawn], pool.first[drawn + 1])
    cell = np.where(inside[rows], 0, len(drawn)) + document
    columns = [np.bincount(cell, column, 2 * len(drawn)) for column in pool.shares[rows].T]
    return np.asarray(np.stack(columns, axis=1).reshape(2, len(drawn), -1), dtype=np.float64)


def _counted(metric: str, rows: Floats) -> Counted:
    names = units_of(len(rows)).names
    counts = Counts(names, (find_metric(metric),), {metric: rows})
    return Counted(_SIDE, _SIDE, counts, Policy(), "")


def _slice(metric: str, own: list[Counted], rest: list[Counted], trials: int) -> MetricSlice:
    sampling = Sampling(trials=trials)
    units = sampling.counted_units(own), sampling.counted_units([*own, *rest])
    return MetricSlice(find_metric(metric), (own, rest), units, sampling)


def slice_findings(
    metric: str, share: float, count: int, number: int, *, whole: bool, seed: int = 20
) -> Share:
    """Return how often a slice differs from the rest, which differ only by chance.

    Mentions are in the slice by chance, or with `whole` all mentions of an entity together.
    """
    rng, (pool, _) = np.random.default_rng([seed, count]), mentions_of_pool(metric)
    labels = pool.entity if whole else pool.number
    found = tried = 0
    for _ in range(number):
        inside = (rng.random(int(labels.max()) + 1) < share)[labels]
        drawn = draw_documents(rng, len(pool.first) - 1, count)
        own, rest = divide(pool, drawn, inside)
        part = _slice(metric, [_counted(metric, own)], [_counted(metric, rest)], 1)
        p = part.score(0, is_known=True).test.p
        found, tried = found + (p < LEVEL), tried + (not math.isnan(p))
    return Share(found, max(tried, 1))


def system_findings(metric: str, share: float, count: int, number: int, seed: int = 21) -> Share:
    """Return how often two systems that are equal in a slice are found to differ there."""
    rng, pools = np.random.default_rng([seed, count]), mentions_of_pool(metric)
    most = max(int(pool.number.max()) for pool in pools) + 1
    found = tried = 0
    for _ in range(number):
        chance = rng.random(most) < share
        drawn = draw_documents(rng, len(pools[0].first) - 1, count)
        own, rest = np.stack([divide(one, drawn, chance[one.number]) for one in pools], axis=1)
        own_counts, rest_counts = (
            [_counted(metric, one) for one in side] for side in (exchange(rng, own), rest)
        )
        p = _slice(metric, own_counts, rest_counts, 999).pair(0, 1).p
        found, tried = found + (p < LEVEL), tried + (not math.isnan(p))
    return Share(found, max(tried, 1))
