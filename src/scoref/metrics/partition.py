"""Pairwise F1, and metrics of clustering: how alike two partitions of the same mentions are.

Pairwise F1 compares the coreference links, which are all pairs of mentions of an entity. The three
metrics of clustering compare pairs of mentions or distributions of sizes and require the same
mentions on both sides; `mentions=shared` ignores the others. Of these, only normalised mutual
information has recall and precision.
"""

from __future__ import annotations

import numpy as np

from scoref.base.arrays import Floats, Ints
from scoref.metrics.base import About, Metric, divide, f1, links, only_f1, ratio_counts
from scoref.metrics.derived_tables import of_same_mentions
from scoref.metrics.table import Table


def count_pairwise(table: Table) -> Floats:
    """Count the links that both sides have, the key has, and the response has."""
    common = table.sum_cells(links(table.count))
    return ratio_counts(table, common, links(table.key_size), common, links(table.res_size))


def _links(table: Table) -> tuple[Floats, Floats, Floats, Floats]:
    """Return the pairs of mentions of each unit, and the links of the key, response and both."""
    return (
        links(table.sum_keys(table.key_size)),
        table.sum_keys(links(table.key_size)),
        table.sum_responses(links(table.res_size)),
        table.sum_cells(links(table.count)),
    )


def count_rand(table: Table) -> Floats:
    """Count the pairs that both sides treat alike, and all pairs."""
    pairs, in_key, in_response, common = _links(table)
    return np.column_stack([pairs - in_key - in_response + 2 * common, pairs])


def count_ari(table: Table) -> Floats:
    """Count common links, the links expected by chance, and the most possible."""
    pairs, in_key, in_response, common = _links(table)
    expected = np.nan_to_num(divide(in_key * in_response, pairs))
    most = (in_key + in_response) / 2
    return np.column_stack([common, expected, most, table.sum_keys(table.key_size)])


def score_ari(counts: Floats) -> Floats:
    """Score the links above chance; where none are possible, the partitions are equal: 1."""
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
    key = table.sum_keys(_surprise(table.key_size, mentions[table.key_unit]))
    response = table.sum_responses(_surprise(table.res_size, mentions[table.res_unit]))
    information = np.maximum(information, 0.0)  # rounding can leave -1e-16
    return np.column_stack([information, key, response, mentions])


def _surprise(size: Ints, total: Floats) -> Floats:
    return np.asarray(size * np.log2(total / size), dtype=np.float64)


def score_nmi(counts: Floats) -> Floats:
    """Divide by the entropy of each side; without entropy, a side is right if both have none."""
    information, key, response, mentions = np.moveaxis(counts, -1, 0)
    equal = np.where((key == 0) & (response == 0), 1.0, 0.0)
    recall = np.where(key == 0, equal, np.minimum(divide(information, key), 1.0))
    precision = np.where(response == 0, equal, np.minimum(divide(information, response), 1.0))
    scores = np.stack([recall, precision, f1(recall, precision)], axis=-1)
    return np.where((mentions == 0)[..., None], np.nan, scores)


def partition_metric(name: str, mentions: str = "same") -> Metric:
    """Return a metric that requires the same mentions, or counts shared mentions only."""
    return of_same_mentions(_METRICS[name], mentions)


PAIRWISE = Metric(
    name="pairwise",
    count=count_pairwise,
    by_sums=True,
    about=About(
        title="Pairwise (link) F1",
        formula="R = common links / key links, P = common links / response links, where an"
        " entity of n mentions has n(n-1)/2 links",
        paper="Recasens & Hovy 2011, Table 1",
        rewards="pairs of mentions that are correctly together",
        ignores="singletons; an entity counts by the square of its size",
    ),
)
RAND = Metric(
    name="rand",
    by_sums=True,
    count=count_rand,
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
ARI = Metric(
    name="ari",
    by_sums=True,
    count=count_ari,
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
NMI = Metric(
    name="nmi",
    by_sums=True,
    count=count_nmi,
    score=score_nmi,
    columns=("information", "key_entropy", "response_entropy", "mentions"),
    about=About(
        title="Normalised mutual information",
        formula="R = I / H(key), P = I / H(response), with the mutual information I and the"
        " entropies H of the sizes of entities; over documents, each weighted by mentions",
        paper="Rosenberg & Hirschberg 2007; for coreference, Popescu-Belis 2002; not the printed"
        " column H of Recasens & Hovy 2011, whose definition is not known",
        rewards="how much one side's entity tells about the other's",
        ignores="the number of entities: many small ones score high by chance",
    ),
)
_METRICS = {metric.name: metric for metric in (RAND, ARI, NMI)}
