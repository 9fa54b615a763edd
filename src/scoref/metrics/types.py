"""The most informative mention type in each entity and cell: a name before a nominal or pronoun."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Ints
from scoref.metrics.table import NOWHERE, PRONOUN, Table
from scoref.metrics.table_cache import cached_per_table


class BestTypes(NamedTuple):
    """NAME, NOMINAL or PRONOUN for each key entity, response entity and cell of a table."""

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
