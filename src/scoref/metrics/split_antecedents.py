"""MUC, B³, CEAF, LEA and BLANC with split antecedents, which count by how alike they are.

The set of its members is one more mention of a plural. Where a metric counts the mentions that a
key and a response entity share, two aligned sets count by how alike they are: by their recall
for recall, by their precision for precision, by their F1 where both share a numerator. A cell
of n mentions whose entities have aligned antecedents of the weight w has

    MUC     n - 1 + w links if n > 0, else none
    B³      (n + w)² companions
    CEAF    n + w mentions
    LEA     n (n - 1) / 2 + n w links
    BLANC   the same; pairs that are correctly apart count by the product of their weights

Paun et al. (2022). With `only`, nothing counts except what aligned antecedents have in common.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Floats, Ints, sum_by
from scoref.exceptions import UsageError
from scoref.metrics.base import Count, Metric, average, links, ratio_counts, score_ratio
from scoref.metrics.bcubed import B_CUBED
from scoref.metrics.blanc import BLANC, blanc
from scoref.metrics.ceaf import ceaf, count_gain
from scoref.metrics.lea import LEA
from scoref.metrics.muc import MUC
from scoref.metrics.plurals import Alike, Merged, align, alone, best_alignments, merged
from scoref.metrics.table import Table


class AntecedentWeights(NamedTuple):
    """How alike the antecedents of each cell's entities are: 0 if they are not aligned."""

    recall: Floats
    precision: Floats
    f1: Floats


@dataclass(frozen=True, slots=True)
class SplitRule:
    """How a metric counts cells with weights, and how it compares the members of antecedents.

    Of its `columns`, some depend on the key only and some on the response only.
    """

    count: Callable[[Table, AntecedentWeights], Floats]
    count_members: Count
    score_members: Callable[[Floats], Floats] = score_ratio
    of_key: tuple[int, ...] = (1,)
    of_response: tuple[int, ...] = (3,)
    columns: int = 4


def count_muc(table: Table, weights: AntecedentWeights) -> Floats:
    """Count links; an antecedent is linked to the mentions of its cell."""
    kept, present = np.maximum(table.count - 1, 0), table.count > 0
    recall = table.sum_cells(kept + present * weights.recall)
    precision = table.sum_cells(kept + present * weights.precision)
    return ratio_counts(table, recall, table.key_size - 1, precision, table.res_size - 1)


def count_muc_members(table: Table) -> Floats:
    """Count links of members; a member of one mention has a link to itself."""
    single = (table.cell_key_size == 1) & (table.cell_res_size == 1)
    kept = table.sum_cells(table.count - 1 + single)
    keys, responses = (np.maximum(size - 1, 1) for size in (table.key_size, table.res_size))
    return ratio_counts(table, kept, keys, kept, responses)


def count_b_cubed(table: Table, weights: AntecedentWeights) -> Floats:
    """Count companions."""
    recall = table.sum_cells((table.count + weights.recall) ** 2 / table.cell_key_size)
    precision = table.sum_cells((table.count + weights.precision) ** 2 / table.cell_res_size)
    return ratio_counts(table, recall, table.key_size, precision, table.res_size)


def count_ceaf(table: Table, weights: AntecedentWeights, phi: int) -> Floats:
    """Count the best one-to-one total of shared mentions, or of twice these over both sizes."""
    shared = table.count + weights.f1
    by_size = phi == 3
    worth = shared if by_size else 2 * shared / (table.cell_key_size + table.cell_res_size)
    return count_gain(table, table.sum_aligned(worth), by_size=by_size)


def count_lea(table: Table, weights: AntecedentWeights) -> Floats:
    """Count the size of each entity times the share of its links that is found."""
    single = (table.cell_key_size == 1) & (table.cell_res_size == 1)

    def resolved(weight: Floats, size: Ints) -> Floats:
        found = (links(table.count) + table.count * weight) / np.maximum(links(size), 1)
        return table.sum_cells(size * np.where(single, 1.0, found))

    recall = resolved(weights.recall, table.cell_key_size)
    precision = resolved(weights.precision, table.cell_res_size)
    return ratio_counts(table, recall, table.key_size, precision, table.res_size)


def count_blanc(table: Table, weights: AntecedentWeights) -> Floats:
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
    return np.column_stack([ck, cr, cc, links(in_key) - ck, links(in_response) - cr, nn])


_BLANC_MEMBERS = blanc(boundary="luo2014")
"""With the boundary rule that gives 1 to equal members, even without links."""

RULES: dict[Count, SplitRule] = {
    MUC.count: SplitRule(count_muc, count_muc_members),
    B_CUBED.count: SplitRule(count_b_cubed, B_CUBED.count),
    **{ceaf(phi).count: SplitRule(partial(count_ceaf, phi=phi), ceaf(phi).count) for phi in (3, 4)},
    LEA.count: SplitRule(count_lea, LEA.count),
    BLANC.count: SplitRule(
        count_blanc,
        _BLANC_MEMBERS.count,
        _BLANC_MEMBERS.score,
        of_key=(0, 3),
        of_response=(1, 4),
        columns=len(BLANC.columns),
    ),
}
_SAME = 1e-9
_UNTOUCHED = ("mentions", "mor", "bridging", "nonreferring")
"""Metrics that do not depend on what entities consist of."""


def with_split_antecedents(metrics: Iterable[Metric], how: str) -> tuple[Metric, ...]:
    """Return metrics that count split antecedents, or only these, under the same names."""
    return tuple(_with(metric, how) for metric in metrics)


def _with(metric: Metric, how: str) -> Metric:
    if metric.parts:
        return average(metric.name, [_with(part, how) for part in metric.parts], metric.about)
    if metric.name.partition("(")[0] in _UNTOUCHED:
        return metric
    if metric.count in RULES:
        return replace(metric, count=_counting(metric.count, how), by_sums=False)
    if metric.count in [_counting(count, how) for count in RULES]:
        return metric
    raise UsageError(
        f"{metric.name} does not count split antecedents",
        "use muc, b3, ceafm, ceafe, lea, blanc or conll, or leave --split-antecedents out",
    )


@cache
def _counting(count: Count, how: str) -> Count:
    """Return the counting function of a metric; the same function each time."""
    rule = RULES[count]
    counted = _count_only if how == "only" else _count_with
    return lambda table: counted(table, rule, align(table, rule.count_members, rule.score_members))


def tied_units(table: Table, metrics: Iterable[Metric], how: str) -> dict[str, int]:
    """Count, by metric, the units in which equally good alignments of antecedents differ in counts.

    `metrics` are those that `with_split_antecedents` returned.
    """
    rules = {_counting(count, how): rule for count, rule in RULES.items()}
    counted = _count_only if how == "only" else _count_with
    ties = {}
    for metric in (part for one in metrics for part in one.parts or (one,)):
        if (rule := rules.get(metric.count)) is None or metric.name in ties:
            continue
        first, *others = (
            counted(table, rule, alike)
            for alike in best_alignments(table, rule.count_members, rule.score_members)
        )
        differ = [np.abs(one - first).max(axis=1, initial=0) > _SAME for one in others]
        ties[metric.name] = int(np.count_nonzero(np.any(differ, axis=0))) if differ else 0
    return {name: units for name, units in ties.items() if units}


def _count_with(table: Table, rule: SplitRule, alike: Alike) -> Floats:
    return rule.count(*_with_weights(merged(table), alike))


def _with_weights(found: Merged, alike: Alike) -> tuple[Table, AntecedentWeights]:
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
    return table, AntecedentWeights(*weights)


def _count_only(table: Table, rule: SplitRule, alike: Alike) -> Floats:
    """Count what aligned antecedents share, over all antecedents of each side."""
    found = merged(table)
    keys, responses = map(rule.count_members, alone(table))
    key_unit = found.table.key_unit[found.key.entity]
    res_unit = found.table.res_unit[found.response.entity]
    units = len(table.units)
    columns = [sum_by(key_unit[alike.key], column, units) for column in alike.counts.T]
    for at in rule.of_key:
        columns[at] = sum_by(key_unit, keys[:, at], units)
    for at in rule.of_response:
        columns[at] = sum_by(res_unit, responses[:, at], units)
    return np.column_stack(columns[: rule.columns])
