"""Metrics as sums over entities: the terms of each sum, and the weights of mentions in them.

BLANC is not such a sum, because a link between two different entities belongs to both.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from scoref.analysis.aligned_mentions import AlignedMentions
from scoref.assignment.solver import best_alignment
from scoref.base.arrays import Bools, Floats, Ints
from scoref.metrics import Metric
from scoref.metrics.base import links
from scoref.metrics.ceaf import similarity
from scoref.metrics.linguistic import weigh
from scoref.overlap.table import NOWHERE, Table


def decomposes(metric: Metric) -> bool:
    """Whether the loss of a metric is a sum over entities."""
    if metric.parts:
        return all(decomposes(part) for part in metric.parts)
    return metric.name in DECOMPOSITIONS


# The weight of each mention in the loss of its entity. `entity` is the key or the response entity
# of each row, and `sizes` are the sizes of the entities.


def _starts_of_parts(mentions: AlignedMentions, entity: Ints, sizes: Ints) -> Floats:
    cell = mentions.cell
    starts = cell == NOWHERE
    starts[mentions.first_rows(cell, ~starts, len(mentions.table.count))] = True
    starts &= entity != NOWHERE
    starts[mentions.first_rows(entity, entity != NOWHERE, len(sizes))] = False
    return np.where(starts, 1.0, 0.0)


def _unseen(mentions: AlignedMentions, entity: Ints, sizes: Ints, *, itself: int) -> Floats:
    """Count the mentions outside the part; `itself` is 1 if an unaligned mention is a part."""
    shared = np.append(mentions.table.count, itself)[mentions.cell]
    unseen: Floats = np.append(sizes, 0)[entity] - shared.astype(np.float64)
    return unseen


def _outside(mentions: AlignedMentions, _entity: Ints, _sizes: Ints, *, phi: int) -> Floats:
    chosen, _ = _aligned(mentions.table, similarity(mentions.table, phi))
    return np.where(np.append(chosen, False)[mentions.cell], 0.0, 1.0)


def _unaligned(mentions: AlignedMentions, _entity: Ints, _sizes: Ints) -> Floats:
    return np.where(mentions.cell == NOWHERE, 1.0, 0.0)


class Terms(NamedTuple):
    """The terms of a metric.

    `key` and `response` are the largest values that each entity can add to the sum of its side.
    `in_key` and `in_response` are the values that each cell adds to it.
    """

    key: Floats
    response: Floats
    in_key: Floats
    in_response: Floats


def _sizes(table: Table) -> tuple[Floats, Floats]:
    return table.key_size.astype(np.float64), table.res_size.astype(np.float64)


def _aligned(table: Table, worth: Floats) -> tuple[Bools, Floats]:
    """Return the cells of the best one-to-one alignment, and what each cell adds to its value."""
    chosen = best_alignment(table.cell_key, table.cell_res, worth)
    return chosen, np.where(chosen, worth, 0.0)


def _mentions(table: Table) -> Terms:
    count = table.count.astype(np.float64)
    return Terms(*_sizes(table), count, count)


def _muc(table: Table) -> Terms:
    key, response = _sizes(table)
    count = table.count.astype(np.float64) - 1
    return Terms(key - 1, response - 1, count, count)


def _b_cubed(table: Table) -> Terms:
    squared: Floats = table.count.astype(np.float64) ** 2
    return Terms(*_sizes(table), squared / table.cell_key_size, squared / table.cell_res_size)


def _ceaf(table: Table, *, phi: int) -> Terms:
    key, response = _sizes(table)
    if phi == 4:
        key, response = np.ones_like(key), np.ones_like(response)
    _, worth = _aligned(table, similarity(table, phi))
    return Terms(key, response, worth, worth)


def _lea(table: Table) -> Terms:
    alone = (table.cell_key_size == 1) & (table.cell_res_size == 1)
    common = links(table.count)
    in_key, in_response = (
        np.where(alone, 1.0, size * common / np.maximum(links(size), 1))
        for size in (table.cell_key_size, table.cell_res_size)
    )
    return Terms(*_sizes(table), in_key, in_response)


def _pairwise(table: Table) -> Terms:
    common = links(table.count)
    return Terms(links(table.key_size), links(table.res_size), common, common)


def _linguistic(table: Table, *, name: str) -> Terms:
    """Return the terms of a linguistically aware metric with Chen and Ng's weights."""
    cell, key, response = weigh(table, np.array([1.0, 0.75, 0.5]), 1.0)
    if name == "lb3":
        credit = table.count * cell
        in_key, in_response = credit / key[table.cell_key], credit / response[table.cell_res]
        return Terms(*_sizes(table), in_key, in_response)
    if name == "lceafm":
        _, cell = _aligned(table, cell)
    if name == "lceafe":
        alike = 2 * cell / (key[table.cell_key] + response[table.cell_res])
        key, response = np.ones(len(key)), np.ones(len(response))
        _, cell = _aligned(table, alike)
    return Terms(key, response, cell, cell)


class _Decomposition(NamedTuple):
    """The terms of a metric, and the weight of mentions in the loss of an entity."""

    terms: Callable[[Table], Terms]
    weight: Callable[[AlignedMentions, Ints, Ints], Floats]


_IN_B_CUBED, _IN_LEA = partial(_unseen, itself=0), partial(_unseen, itself=1)
DECOMPOSITIONS = {
    "mentions": _Decomposition(_mentions, _unaligned),
    "muc": _Decomposition(_muc, _starts_of_parts),
    "b3": _Decomposition(_b_cubed, _IN_B_CUBED),
    "ceafm": _Decomposition(partial(_ceaf, phi=3), partial(_outside, phi=3)),
    "ceafe": _Decomposition(partial(_ceaf, phi=4), partial(_outside, phi=4)),
    "lea": _Decomposition(_lea, _IN_LEA),
    "pairwise": _Decomposition(_pairwise, _IN_LEA),
    "lmuc": _Decomposition(partial(_linguistic, name="lmuc"), _starts_of_parts),
    "lb3": _Decomposition(partial(_linguistic, name="lb3"), _IN_B_CUBED),
    "lceafm": _Decomposition(partial(_linguistic, name="lceafm"), partial(_outside, phi=3)),
    "lceafe": _Decomposition(partial(_linguistic, name="lceafe"), partial(_outside, phi=4)),
}
