"""MUC, B³, CEAF, LEA and BLANC with split antecedents: as far as two are alike, they count.

The set of its members is one more mention of a plural. Where a measure counts mentions that a
key and a response entity share, two aligned sets count by how alike they are: by recall in
recall, by precision in precision, by F1 in what has but one numerator. So a cell of n mentions
whose entities have aligned antecedents, which are alike as far as w, has

    MUC     n - 1 + w links if n > 0, else none
    B³      (n + w)² companions
    CEAF    n + w mentions
    LEA     n (n - 1) / 2 + n w links
    BLANC   the same; pairs that are rightly apart count by the product of their weights

Paun et al. (2022). Of `only`, what aligned antecedents have in common is all that counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Floats, Ints, sum_by
from scoref.exceptions import UsageError
from scoref.metrics.base import Metric, average, links, score_ratio
from scoref.metrics.bcubed import B_CUBED
from scoref.metrics.blanc import BLANC, blanc
from scoref.metrics.ceaf import ceaf, total_by_unit
from scoref.metrics.lea import LEA
from scoref.metrics.muc import MUC
from scoref.metrics.split.alignment import Alike, align, alone
from scoref.metrics.split.plurals import Merged, merged
from scoref.overlap.table import Table

Count = Callable[[Table], Floats]


class Weights(NamedTuple):
    """How alike the antecedents of each cell's entities are: 0 if they are not aligned."""

    recall: Floats
    precision: Floats
    f1: Floats


@dataclass(frozen=True, slots=True)
class Measure:
    """How a measure counts cells with weights, and how it compares the members of antecedents.

    Some columns of what it counts are of the key alone, some of the response alone.
    """

    count: Callable[[Table, Weights], Floats]
    count_members: Count
    score_members: Callable[[Floats], Floats] = score_ratio
    of_key: tuple[int, ...] = (1,)
    of_response: tuple[int, ...] = (3,)
    columns: int = 4


def count_muc(table: Table, weights: Weights) -> Floats:
    """Count links; an antecedent is linked to the mentions that are in its cell."""
    kept = np.maximum(table.count - 1, 0)
    there = table.count > 0
    return np.stack(
        [
            table.sum_cells(kept + there * weights.recall),
            table.sum_keys(table.key_size - 1),
            table.sum_cells(kept + there * weights.precision),
            table.sum_responses(table.res_size - 1),
        ],
        axis=-1,
    )


def count_muc_members(table: Table) -> Floats:
    """Count links of members; one of a single mention has a link to itself."""
    alone = (table.cell_key_size == 1) & (table.cell_res_size == 1)
    kept = table.sum_cells(table.count - 1 + alone)
    in_key = table.sum_keys(np.maximum(table.key_size - 1, 1))
    in_response = table.sum_responses(np.maximum(table.res_size - 1, 1))
    return np.stack([kept, in_key, kept, in_response], axis=-1)


def count_b_cubed(table: Table, weights: Weights) -> Floats:
    """Count companions."""
    return np.stack(
        [
            table.sum_cells((table.count + weights.recall) ** 2 / table.cell_key_size),
            table.sum_keys(table.key_size),
            table.sum_cells((table.count + weights.precision) ** 2 / table.cell_res_size),
            table.sum_responses(table.res_size),
        ],
        axis=-1,
    )


def count_ceaf(table: Table, weights: Weights, phi: int) -> Floats:
    """Count the best one-to-one total of shared mentions, or of these over both sizes."""
    shared = table.count + weights.f1
    by_size = phi == 3
    worth = shared if by_size else 2 * shared / (table.cell_key_size + table.cell_res_size)
    gain = total_by_unit(table, worth)
    keys = table.sum_keys(table.key_size if by_size else np.ones_like(table.key_size))
    responses = table.sum_responses(table.res_size if by_size else np.ones_like(table.res_size))
    return np.stack([gain, keys, gain, responses], axis=-1)


def count_lea(table: Table, weights: Weights) -> Floats:
    """Count the links of each entity, and its size times the share of them that is found."""
    alone = (table.cell_key_size == 1) & (table.cell_res_size == 1)

    def resolved(weight: Floats, size: Ints) -> Floats:
        found = (links(table.count) + table.count * weight) / np.maximum(links(size), 1)
        return table.sum_cells(size * np.where(alone, 1.0, found))

    return np.stack(
        [
            resolved(weights.recall, table.cell_key_size),
            table.sum_keys(table.key_size),
            resolved(weights.precision, table.cell_res_size),
            table.sum_responses(table.res_size),
        ],
        axis=-1,
    )


def count_blanc(table: Table, weights: Weights) -> Floats:
    """Count pairs of mentions, together and apart, each by the product of its weights."""
    in_key, in_response = table.sum_keys(table.key_size), table.sum_responses(table.res_size)
    ck, cr = table.sum_keys(links(table.key_size)), table.sum_responses(links(table.res_size))
    cc = table.sum_cells(links(table.count) + table.count * weights.f1)
    shared, weight = table.sum_cells(table.count), table.sum_cells(weights.f1)
    pairs = links(shared) + shared * weight
    pairs += (weight**2 - table.sum_cells(weights.f1**2)) / 2
    of_key = sum_by(table.cell_key, weights.f1, len(table.key_size))
    of_response = sum_by(table.cell_res, weights.f1, len(table.res_size))
    in_one = table.sum_keys(links(table.key_kept) + table.key_kept * of_key)
    in_other = table.sum_responses(links(table.res_kept) + table.res_kept * of_response)
    nn = pairs - (in_one + in_other - cc)
    return np.stack([ck, cr, cc, links(in_key) - ck, links(in_response) - cr, nn], axis=-1)


_BLANC_MEMBERS = blanc(boundary="luo2014")
"""With the rule that gives 1 to equal members, also if these have but one kind of link."""

MEASURES: dict[Count, Measure] = {
    MUC.count: Measure(count_muc, count_muc_members),
    B_CUBED.count: Measure(count_b_cubed, B_CUBED.count),
    **{ceaf(phi).count: Measure(partial(count_ceaf, phi=phi), ceaf(phi).count) for phi in (3, 4)},
    LEA.count: Measure(count_lea, LEA.count),
    BLANC.count: Measure(
        count_blanc,
        _BLANC_MEMBERS.count,
        _BLANC_MEMBERS.score,
        of_key=(0, 3),
        of_response=(1, 4),
        columns=len(BLANC.columns),
    ),
}
_UNTOUCHED = ("mentions", "mor", "bridging", "nonreferring")
"""Measures that look at mentions, but not at what entities are made of."""


def with_split_antecedents(metrics: Iterable[Metric], how: str) -> tuple[Metric, ...]:
    """Return metrics that count split antecedents, or only these, under the same names."""
    return tuple(_with(metric, how) for metric in metrics)


def _with(metric: Metric, how: str) -> Metric:
    if metric.parts:
        return average(metric.name, [_with(part, how) for part in metric.parts], metric.about)
    if metric.name.partition("(")[0] in _UNTOUCHED:
        return metric
    if metric.count in MEASURES:
        return replace(metric, count=_counting(metric.count, how), by_sums=False)
    if metric.count in [_counting(count, how) for count in MEASURES]:
        return metric
    raise UsageError(
        f"{metric.name} does not count split antecedents",
        "muc, b3, ceafm, ceafe, lea, blanc and conll do; or leave --split-antecedents out",
    )


@cache
def _counting(count: Count, how: str) -> Count:
    """Return the counting function of a measure; the same one each time."""
    measure = MEASURES[count]
    counted = _count_only if how == "only" else _count_with
    return lambda table: counted(table, measure)


def _count_with(table: Table, measure: Measure) -> Floats:
    alike = align(table, measure.count_members, measure.score_members)
    return measure.count(*_with_weights(merged(table), alike))


def _with_weights(found: Merged, alike: Alike) -> tuple[Table, Weights]:
    """Return the table with a cell for each aligned pair, and the weights of all its cells."""
    table, width = found.table, max(len(found.table.res_size), 1)
    codes = table.cell_key * width + table.cell_res
    new = found.key.entity[alike.key] * width + found.response.entity[alike.response]
    cells = np.union1d(codes, new)
    count = np.zeros(len(cells), dtype=np.int64)
    count[np.searchsorted(cells, codes)] = table.count
    weights = np.zeros((3, len(cells)))
    weights[:, np.searchsorted(cells, new)] = alike.score.T
    table = replace(table, cell_key=cells // width, cell_res=cells % width, count=count)
    return table, Weights(*weights)


def _count_only(table: Table, measure: Measure) -> Floats:
    """Count what aligned antecedents share, and all antecedents of each side."""
    found = merged(table)
    alike = align(table, measure.count_members, measure.score_members)
    keys, responses = map(measure.count_members, alone(table))
    key_unit = found.table.key_unit[found.key.entity]
    res_unit = found.table.res_unit[found.response.entity]
    units = len(table.units)
    columns = [sum_by(key_unit[alike.key], column, units) for column in alike.counts.T]
    for at in measure.of_key:
        columns[at] = sum_by(key_unit, keys[:, at], units)
    for at in measure.of_response:
        columns[at] = sum_by(res_unit, responses[:, at], units)
    return np.stack(columns[: measure.columns], axis=-1)
