"""What metrics of single mentions share: their rows, pairs, and the best type in each entity."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Floats, Ints, sum_by
from scoref.metrics.assignment.solver import best_alignment
from scoref.metrics.derived_tables import cached_per_table
from scoref.metrics.table import NOWHERE, PRONOUN, MentionRows, SideName, Table


def mentions_of(rows: MentionRows, side: SideName) -> Ints:
    """Return the rows of the mentions that a side has."""
    return np.flatnonzero((rows.key if side == "key" else rows.res) != NOWHERE)


def count_by_unit(units: int, shared: Ints, keys: Ints, responses: Ints) -> Floats:
    """Return the columns RATIO, given the units of what both sides have, and of what each has."""
    both, in_key, in_response = (
        np.bincount(unit, minlength=units) for unit in (shared, keys, responses)
    )
    return np.column_stack([both, in_key, both, in_response]).astype(np.float64)


def group_pairs(one: Ints, other: Ints) -> tuple[Ints, Ints, Ints]:
    """Return the distinct pairs of two columns, sorted, and the number of each row's pair."""
    width = int(other.max(initial=0)) + 1
    codes, pair = np.unique(one * width + other, return_inverse=True)
    return codes // width, codes % width, pair


def best_totals_within(pair: Ints, pairs: int, key: Ints, response: Ints, worth: Floats) -> Floats:
    """Return the best one-to-one total of mentions within each pair of entities."""
    row, column = group_pairs(pair, key)[2], group_pairs(pair, response)[2]
    chosen = best_alignment(row, column, worth)
    return sum_by(pair[chosen], worth[chosen], pairs)


class BestTypes(NamedTuple):
    """NAME, NOMINAL or PRONOUN for each key entity, response entity and cell of a table.

    A name is more informative than a nominal, and this more than a pronoun.
    """

    key: Ints
    response: Ints
    cell: Ints


@cached_per_table
def best_types(table: Table) -> BestTypes:
    """Find the most informative type among the mentions of each entity and cell."""
    rows, kinds = table.mentions, table.mentions.type
    key, response = rows.key != NOWHERE, rows.res != NOWHERE
    both = key & response
    cell = cell_of(table, rows.key[both], rows.res[both])
    return BestTypes(
        best_type_by(rows.key[key], kinds[key], len(table.key_size)),
        best_type_by(rows.res[response], kinds[response], len(table.res_size)),
        best_type_by(cell, kinds[both], len(table.count)),
    )


def best_type_by(label: Ints, types: Ints, labels: int) -> Ints:
    """Return the most informative type of each label."""
    best = np.full(labels, PRONOUN, dtype=np.int64)
    np.minimum.at(best, label, types)
    return best


def cell_of(table: Table, key: Ints, response: Ints) -> Ints:
    """Return the cell of each pair of entities that share a mention."""
    width = max(len(table.res_size), 1)
    return np.searchsorted(table.cell_key * width + table.cell_res, key * width + response)
