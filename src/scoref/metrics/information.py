"""Metrics of information: V-measure, variation of information, and what of it is above chance.

H(K|R) says how uncertain the key entity of a mention is if its response entity is known: it is 0 if
each response entity has mentions of one key entity only. H(R|K) is 0 if each key entity is in one
response entity. In nats times mentions, the two are the sums over cells of n mentions of

    n ln(|r| / n)    for H(K|R)          n ln(|k| / n)    for H(R|K)

All terms are positive, so no digits cancel, and equal partitions have exactly 0. The metrics are

    vmeasure   completeness 1 - H(R|K)/H(R) and homogeneity 1 - H(K|R)/H(K)
    vi         H(K|R) + H(R|K)
    ami        1 - VI / E[VI], with the VI that partitions of these sizes have by chance

The latter is the adjusted mutual information (I - E[I]) / (mean of the entropies - E[I]): since
VI = H(K) + H(R) - 2 I, and chance does not change the sizes, both numerator and denominator are
halves of differences of VI (Vinh et al. 2010). `expected_variation` computes E[VI].
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np

from scoref.base.arrays import Floats, Ints, expand_ranges
from scoref.base.exact_sums import exact_sum_by
from scoref.metrics.base import About, Count, Metric, divide, f1, only_f1
from scoref.metrics.derived_tables import of_same_mentions
from scoref.metrics.histogram import HistogramTable, distinct_rows
from scoref.metrics.names import one_of
from scoref.metrics.table import Table

_NEGLIGIBLE = 1e-30
"""Probabilities are left out if they are this small relative to the most probable value."""

_BLOCK = 1 << 18
"""Number of pairs of sizes whose expectations are computed at a time."""


def _unknown(table: Table, unit: str = "nats") -> tuple[Floats, Floats]:
    """Return H(K|R) and H(R|K) of each unit, in nats or bits times mentions."""
    n = table.count
    key = table.sum_cells(n * np.log1p((table.cell_res_size - n) / n) / _NATS[unit])
    response = table.sum_cells(n * np.log1p((table.cell_key_size - n) / n) / _NATS[unit])
    return key, response


def count_vmeasure(table: Table) -> Floats:
    """Count what is unknown of each side if the other is known, and the entropies of both."""
    of_key, of_response = _unknown(table)
    mentions = table.sum_keys(table.key_size)
    total = mentions.astype(np.float64)
    key = table.key_size * np.log(total[table.key_unit] / table.key_size)
    response = table.res_size * np.log(total[table.res_unit] / table.res_size)
    entropies = table.sum_responses(response), table.sum_keys(key)
    return np.column_stack([of_response, entropies[0], of_key, entropies[1], mentions])


def score_vmeasure(counts: Floats) -> Floats:
    """Score completeness and homogeneity; a side without entropy has nothing to find out: 1."""
    of_response, response, of_key, key, mentions = np.moveaxis(counts, -1, 0)
    completeness, homogeneity = (
        np.where(entropy == 0, 1.0, np.maximum(1 - divide(unknown, entropy), 0.0))
        for unknown, entropy in ((of_response, response), (of_key, key))
    )
    scores = np.stack([completeness, homogeneity, f1(completeness, homogeneity)], axis=-1)
    return np.where((mentions == 0)[..., None], np.nan, scores)


def count_variation(table: Table, unit: str = "nats") -> Floats:
    """Count what is unknown of both sides, and the mentions."""
    return np.column_stack([*_unknown(table, unit), table.sum_keys(table.key_size)])


def score_variation(counts: Floats) -> Floats:
    """Score what is unknown of both sides, per mention."""
    of_key, of_response, mentions = np.moveaxis(counts, -1, 0)
    return only_f1(divide(of_key + of_response, mentions))


def count_ami(table: Table) -> Floats:
    """Count what is unknown of both sides, what is expected by chance, and the mentions."""
    mentions = table.sum_keys(table.key_size)
    return np.column_stack([*_unknown(table), expected_variation(table), mentions])


def score_ami(counts: Floats) -> Floats:
    """Score the agreement above chance; where none is possible, the partitions are equal: 1."""
    of_key, of_response, expected, mentions = np.moveaxis(counts, -1, 0)
    adjusted = divide(expected - of_key - of_response, expected)
    return only_f1(np.where(np.isnan(adjusted) & (mentions > 0), 1.0, adjusted))


def expected_variation(table: Table) -> Floats:
    """Return the VI of random partitions with the sizes of each unit, in nats times mentions.

    A key entity of a mentions and a response entity of b share n mentions by chance, and n has a
    hypergeometric distribution. What the two add to VI depends on a and b only, so each pair of
    distinct sizes is computed once: N mentions have at most 2N such pairs.
    """
    mentions = table.sum_keys(table.key_size).astype(np.float64)
    times: tuple[Ints | None, Ints | None] = (None, None)
    if isinstance(table, HistogramTable):
        times = table.key_times, table.res_times
    unit, key_size, key_times = distinct_rows([table.key_unit, table.key_size], times[0])
    res_unit, res_size, res_times = distinct_rows([table.res_unit, table.res_size], times[1])
    low, high = (np.searchsorted(res_unit, unit, side=side) for side in ("left", "right"))
    of_pair, values = [unit[:0]], [mentions[:0]]
    for first, last in _blocks(np.cumsum(high - low)):
        key, response = expand_ranges(low[first:last], high[first:last])
        key += first
        both = key_times[key] * res_times[response]
        of_pair.append(unit[key])
        values.append(both * _expected(key_size[key], res_size[response], mentions[unit[key]]))
    return exact_sum_by(np.concatenate(of_pair), np.concatenate(values), len(mentions))


def _blocks(ends: Ints) -> list[tuple[int, int]]:
    """Divide sizes of key entities into blocks, by the pairs of sizes up to each of them."""
    pairs = int(ends[-1]) if len(ends) else 0
    cuts = np.searchsorted(ends, np.arange(0, pairs, _BLOCK), side="right")
    edges = np.unique([0, *cuts.tolist(), len(ends)]).tolist()
    return list(pairwise(edges))


def _expected(key: Ints, response: Ints, mentions: Floats) -> Floats:
    """Return the expectation of n ln(a / n) + n ln(b / n) for pairs of sizes a and b.

    Probabilities are computed outwards from the most probable n, each from its neighbour by their
    ratio, and divided by their sum. This needs no factorials, whose logarithms would cost digits.
    Probabilities fall off faster than exponentially, so the number of terms grows with the standard
    deviation of n, which is at most the root of ab/N. Over all pairs of distinct sizes of N
    mentions, the terms are proportional to N.
    """
    a, b = key.astype(np.float64), response.astype(np.float64)
    most = np.clip(np.floor((a + 1) * (b + 1) / (mentions + 2)), a + b - mentions, np.minimum(a, b))
    weights, sums = np.ones(len(a)), _surprise(most, a, b)
    for up in (True, False):
        rows, rest, n, weight = np.arange(len(a)), mentions - a - b, most, np.ones(len(a))
        while len(rows):
            x, y = a[rows] - n, b[rows] - n
            if up:
                weight, n = weight * (x * y / ((n + 1) * (rest + n + 1))), n + 1
            else:
                weight, n = weight * (n * (rest + n) / ((x + 1) * (y + 1))), n - 1
            more = weight > _NEGLIGIBLE
            rows, rest, n, weight = rows[more], rest[more], n[more], weight[more]
            weights[rows] += weight
            sums[rows] += weight * _surprise(n, a[rows], b[rows])
    return np.asarray(sums / weights)


def _surprise(n: Floats, a: Floats, b: Floats) -> Floats:
    one = np.maximum(n, 1.0)
    return np.asarray(n * (np.log1p((a - n) / one) + np.log1p((b - n) / one)))


def information_metric(name: str, mentions: str = "same", unit: str = "nats") -> Metric:
    """Return a metric of equal mentions, or of shared mentions; VI in nats or bits."""
    one_of(name, "unit", unit, tuple(_NATS))
    metric = VARIATION_IN_BITS if unit == "bits" else _METRICS[name]
    return of_same_mentions(metric, mentions)


_NATS = {"nats": 1.0, "bits": float(np.log(2))}
_COUNT_BITS: Count = partial(count_variation, unit="bits")
V_MEASURE = Metric(
    name="vmeasure",
    by_sums=True,
    count=count_vmeasure,
    score=score_vmeasure,
    columns=(
        *("response_given_key", "response_entropy", "key_given_response", "key_entropy"),
        "mentions",
    ),
    about=About(
        title="V-measure (completeness and homogeneity)",
        formula="R = completeness = 1 - H(R|K) / H(R), P = homogeneity = 1 - H(K|R) / H(K), where"
        " H(R|K) is the entropy of the response entity of a mention whose key entity is known; 1 if"
        " a side has no entropy; over documents, entropies are weighted by mentions",
        paper="Rosenberg & Hirschberg 2007",
        rewards="key entities in one piece (R), and response entities of one key entity (P)",
        ignores="the number of entities: many small ones score high by chance",
    ),
)
VARIATION = Metric(
    name="vi",
    by_sums=True,
    count=count_variation,
    score=score_variation,
    columns=("key_given_response", "response_given_key", "mentions"),
    has_sides=False,
    keeps_undefined=True,
    is_distance=True,
    about=About(
        title="Variation of information (a distance: 0 is best)",
        formula="H(K|R) + H(R|K), in nats, or in bits (unit=bits); over documents, weighted by"
        " mentions",
        paper="Meilă 2007",
        rewards="partitions of which each says much about the other",
        ignores="the number of mentions: distances of a large and of a small corpus are alike",
    ),
)
VARIATION_IN_BITS = replace(VARIATION, name="vi(unit=bits)", count=_COUNT_BITS)
AMI = Metric(
    name="ami",
    by_sums=True,
    count=count_ami,
    score=score_ami,
    columns=("key_given_response", "response_given_key", "expected_variation", "mentions"),
    has_sides=False,
    lowest=-2.0,  # by the triangle inequality, VI is at most three times what is expected
    about=About(
        title="Adjusted mutual information",
        formula="(I - E) / (mean of both entropies - E), where I is the mutual information of both"
        " sides, and E its mean over random partitions with the same sizes; equal to"
        " 1 - VI / its mean over these",
        paper="Vinh et al. 2010",
        rewards="what one side says about the other beyond chance; 0 is chance, worse is negative",
        ignores="how many mentions an error moves: an entity counts by the logarithm of its parts",
    ),
)
_METRICS = {metric.name: metric for metric in (V_MEASURE, VARIATION, AMI)}
