"""Measures of clustering: how alike two partitions of the same mentions are.

All three look at pairs or at the distribution of sizes, and need the same mentions on both
sides; `mentions=shared` leaves the others out. They have no recall and precision, except
that normalised mutual information has.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from scoref.base.arrays import Floats, Ints
from scoref.metrics.base import (
    SAME_MENTIONS,
    About,
    Metric,
    check_same_mentions,
    divide,
    f1,
    links,
    only_f1,
)
from scoref.metrics.parameters import one_of
from scoref.metrics.restriction import shared_mentions
from scoref.overlap.table import Table

Count = Callable[[Table], Floats]


def count_rand(table: Table) -> Floats:
    """Count the pairs that both sides treat alike, and all pairs."""
    pairs = links(table.sum_keys(table.key_size))
    ck, cr = table.sum_keys(links(table.key_size)), table.sum_responses(links(table.res_size))
    cc = table.sum_cells(links(table.count))
    return np.stack([pairs - ck - cr + 2 * cc, pairs], axis=-1)


def count_ari(table: Table) -> Floats:
    """Count common links, those expected by chance, and the most there could be."""
    pairs = links(table.sum_keys(table.key_size))
    ck, cr = table.sum_keys(links(table.key_size)), table.sum_responses(links(table.res_size))
    cc = table.sum_cells(links(table.count))
    expected = np.nan_to_num(divide(ck * cr, pairs))
    return np.stack([cc, expected, (ck + cr) / 2, table.sum_keys(table.key_size)], axis=-1)


def score_ari(counts: Floats) -> Floats:
    """Score what is above chance. Without room above chance, the partitions are equal: 1."""
    common, expected, most, mentions = np.moveaxis(counts, -1, 0)
    adjusted = divide(common - expected, most - expected)
    adjusted = np.where(np.isnan(adjusted) & (mentions > 0), 1.0, adjusted)
    return only_f1(adjusted)


def count_nmi(table: Table) -> Floats:
    """Count mutual information and the entropies of both sides, in bits times mentions."""
    mentions = table.sum_keys(table.key_size)
    total = mentions[table.key_unit[table.cell_key]]
    ratio = table.count * total / (table.cell_key_size * table.cell_res_size)
    information = table.sum_cells(table.count * np.log2(ratio))
    columns = [
        np.maximum(information, 0.0),  # rounding can leave -1e-16
        table.sum_keys(_surprise(table.key_size, mentions[table.key_unit])),
        table.sum_responses(_surprise(table.res_size, mentions[table.res_unit])),
        mentions,
    ]
    return np.stack(columns, axis=-1)


def _surprise(size: Ints, total: Floats) -> Floats:
    return np.asarray(size * np.log2(total / size), dtype=np.float64)


def score_nmi(counts: Floats) -> Floats:
    """Divide by the entropy of each side; a side without entropy is right if both have none."""
    information, key, response, mentions = np.moveaxis(counts, -1, 0)
    equal = np.where((key == 0) & (response == 0), 1.0, 0.0)
    recall = np.where(key == 0, equal, np.minimum(divide(information, key), 1.0))
    precision = np.where(response == 0, equal, np.minimum(divide(information, response), 1.0))
    scores = np.stack([recall, precision, f1(recall, precision)], axis=-1)
    return np.where((mentions == 0)[..., None], np.nan, scores)


@cache
def _counting(name: str, mentions: str) -> Count:
    count = {"rand": count_rand, "ari": count_ari, "nmi": count_nmi}[name]
    if mentions == "shared":
        return lambda table: count(shared_mentions(table))

    def count_same(table: Table) -> Floats:
        check_same_mentions(table, name, f"{name}(mentions=shared)")
        return count(table)

    return count_same


def _needs(name: str, mentions: str) -> frozenset[str]:
    one_of(name, "mentions", mentions, ("same", "shared"))
    return frozenset({SAME_MENTIONS} if mentions == "same" else ())


def rand(mentions: str = "same") -> Metric:
    """Make the Rand index."""
    return Metric(
        name="rand",
        by_sums=True,
        needs=_needs("rand", mentions),
        count=_counting("rand", mentions),
        score=lambda counts: only_f1(divide(counts[..., 0], counts[..., 1])),
        columns=("agreeing_pairs", "pairs"),
        has_sides=False,
        about=About(
            title="Rand index",
            formula="pairs of mentions that both sides put together or both put apart / all pairs",
            paper="Rand 1971; Recasens & Hovy 2011, Table 1",
            rewards="pairs treated alike, together or apart",
            ignores="that nearly all pairs are apart: scores crowd near 1",
        ),
    )


def ari(mentions: str = "same") -> Metric:
    """Make the adjusted Rand index."""
    return Metric(
        name="ari",
        by_sums=True,
        needs=_needs("ari", mentions),
        count=_counting("ari", mentions),
        score=score_ari,
        columns=("common_links", "expected_links", "most_links", "mentions"),
        has_sides=False,
        lowest=-1.0,
        about=About(
            title="Adjusted Rand index",
            formula="(common links - expected) / (mean of both sides' links - expected), where"
            " expected = key links * response links / pairs",
            paper="Hubert & Arabie 1985",
            rewards="links in common beyond chance; 0 is chance, and worse is negative",
            ignores="which links matter: an entity counts by the square of its size",
        ),
    )


def nmi(mentions: str = "same") -> Metric:
    """Make normalised mutual information."""
    return Metric(
        name="nmi",
        by_sums=True,
        needs=_needs("nmi", mentions),
        count=_counting("nmi", mentions),
        score=score_nmi,
        columns=("information", "key_entropy", "response_entropy", "mentions"),
        about=About(
            title="Normalised mutual information (V-measure)",
            formula="R = I / H(key), P = I / H(response), with the mutual information I and the"
            " entropies H of the sizes of entities; over documents, each weighted by mentions",
            paper="Popescu-Belis 2000; Rosenberg & Hirschberg 2007; not the printed column H of"
            " Recasens & Hovy 2011, whose definition is not known",
            rewards="how much one side's entity tells about the other's",
            ignores="the number of entities: many small ones score high by chance",
        ),
    )
