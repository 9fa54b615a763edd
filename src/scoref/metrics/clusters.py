"""Metrics of clusterings that compare entities: with their best partner, or by what repairs them.

They come from cluster analysis and entity resolution. `purity` and `closest` let each entity choose
the entity of the other side that suits it best, and several may choose the same one. In this they
differ from CEAF. `exact_entity` accepts equal entities only. `fowlkes_mallows` is the geometric
mean of recall and precision of links. Mentions that only one side has stay in the sizes of entities
and in the denominators, as in Pradhan et al. (2014).

`merge_distance` is the cost of turning the response into the key: each response entity is split
into the parts that it shares with key entities, and the parts are merged to key entities. With a
constant cost per step, there are as many splits as cells less response entities, and as many merges
as cells less key entities. This requires the same mentions on both sides.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from scoref.base.arrays import Floats, Ints
from scoref.exceptions import UsageError
from scoref.metrics.base import About, Metric, divide, only_f1, ratio_counts
from scoref.metrics.derived_tables import of_same_mentions
from scoref.metrics.names import format_parameter, not_negative
from scoref.metrics.partition import PAIRWISE
from scoref.metrics.table import Table


def count_purity(table: Table) -> Floats:
    """Count the mentions of each entity in the entity of the other side that has most of them."""
    if table.best is not None:
        recall, precision = table.best_of(KEY_PARTS), table.best_of(RESPONSE_PARTS)
    else:
        recall, precision = _sums_of_largest(table, table.count)
    return ratio_counts(table, recall, table.key_size, precision, table.res_size)


def count_closest(table: Table) -> Floats:
    """Count the Jaccard similarity of each entity with the most similar one of the other side."""
    either = table.cell_key_size + table.cell_res_size - table.count
    recall, precision = _sums_of_largest(table, table.count / either)
    return _count_entities(table, recall, precision)


def count_exact(table: Table) -> Floats:
    """Count the entities that both sides have, the key has, and the response has."""
    equal = (table.count == table.cell_key_size) & (table.count == table.cell_res_size)
    found = table.sum_cells(equal.astype(np.int64))
    return _count_entities(table, found, found)


def _count_entities(table: Table, recall: Floats, precision: Floats) -> Floats:
    keys, responses = np.ones(len(table.key_size)), np.ones(len(table.res_size))
    return ratio_counts(table, recall, keys, precision, responses)


def _sums_of_largest(table: Table, values: Floats | Ints) -> tuple[Floats, Floats]:
    """Sum the largest value among the cells of each entity, over key and response entities."""
    largest = []
    for entity, size in ((table.cell_key, table.key_size), (table.cell_res, table.res_size)):
        largest.append(np.zeros(len(size), dtype=values.dtype))
        np.maximum.at(largest[-1], entity, values)
    return table.sum_keys(largest[0]), table.sum_responses(largest[1])


def score_fowlkes_mallows(counts: Floats) -> Floats:
    """Score the common links over the geometric mean of both sides' links.

    Where only one side has links, nothing is correct. Without links, the score is 0/0.
    """
    common, key, _, response = np.moveaxis(counts, -1, 0)
    index = np.sqrt(divide(common, key)) * np.sqrt(divide(common, response))
    return only_f1(np.where((key == 0) & (response == 0), np.nan, np.nan_to_num(index)))


def count_parts(table: Table) -> Floats:
    """Count the parts into which the sides cut each other, and the entities of both sides."""
    parts = table.sum_cells(np.ones_like(table.count))
    keys = table.sum_keys(np.ones_like(table.key_size))
    return np.column_stack([parts, keys, table.sum_responses(np.ones_like(table.res_size))])


def _cost(counts: Floats, split: float, merge: float) -> Floats:
    parts, keys, responses = np.moveaxis(counts, -1, 0)
    return only_f1(split * (parts - responses) + merge * (parts - keys))


def merge_distance(split: float = 1.0, merge: float = 1.0, mentions: str = "same") -> Metric:
    """Return the generalised merge distance with constant costs of a split and of a merge."""
    not_negative("merge_distance", split=split, merge=merge)
    if not np.isfinite([split, merge]).all():
        raise UsageError("merge_distance has an infinite cost: a cost must be a number")
    costs = {"split": split, "merge": merge}
    stated = [f"{name}={format_parameter(cost)}" for name, cost in costs.items() if cost != 1]
    metric = Metric(
        name=f"merge_distance({','.join(stated)})" if stated else "merge_distance",
        by_sums=True,
        count=count_parts,
        score=partial(_cost, split=split, merge=merge),
        columns=("parts", "key_entities", "response_entities"),
        has_sides=False,
        is_distance=True,
        symmetric=split == merge,
        about=About(
            title="Generalised merge distance (a distance: 0 is best)",
            formula="split * (C - |R|) + merge * (C - |K|), where C is the number of pairs of a key"
            " entity and a response entity that share mentions; the sum over documents",
            paper="Menestrina et al. 2010",
            rewards="responses that few corrections turn into the key: splits, then merges",
            ignores="how many mentions a split or a merge moves, and the size of the corpus",
        ),
    )
    return of_same_mentions(metric, mentions)


KEY_PARTS, RESPONSE_PARTS = -1, -2
"""The numbers of the totals of `purity` over key and response entities, among those of CEAF."""

PURITY = Metric(
    name="purity",
    by_sums=True,
    count=count_purity,
    about=About(
        title="Purity and inverse purity",
        formula="R = inverse purity = sum over key entities k of the largest |k and r| / key"
        " mentions, P = purity = sum over response entities r of the largest |k and r| / response"
        " mentions",
        paper="Amigó et al. 2009",
        rewards="entities most of whose mentions are together on the other side",
        ignores="all of an entity but its largest part; several entities may choose the same one",
    ),
)
CLOSEST = Metric(
    name="closest",
    count=count_closest,
    about=About(
        title="Closest-entity (closest-cluster) F1",
        formula="R = mean over key entities k of the largest |k and r| / |k or r| (Jaccard); P ="
        " mean over response entities r of the largest; all entities count, singletons too",
        paper="Menestrina et al. 2010; Barnes 2015",
        rewards="entities with a similar entity on the other side, whatever their size",
        ignores="that several entities may choose the same one",
    ),
)
EXACT_ENTITY = Metric(
    name="exact_entity",
    by_sums=True,
    count=count_exact,
    about=About(
        title="Exact entities (clusters)",
        formula="R = entities that are equal on both sides / key entities, P = the same / response"
        " entities; all entities count, singletons too",
        paper="Menestrina et al. 2010; Barnes 2015",
        rewards="entities with all of their mentions and no others",
        ignores="everything about an entity that lacks a mention or has one too many",
    ),
)
FOWLKES_MALLOWS = Metric(
    name="fowlkes_mallows",
    by_sums=True,
    count=PAIRWISE.count,
    score=score_fowlkes_mallows,
    has_sides=False,
    about=About(
        title="Fowlkes-Mallows index",
        formula="common links / square root of (key links * response links), where an entity of n"
        " mentions has n(n-1)/2 links",
        paper="Fowlkes & Mallows 1983",
        rewards="pairs of mentions that are correctly together",
        ignores="singletons; an entity counts by the square of its size",
    ),
)
