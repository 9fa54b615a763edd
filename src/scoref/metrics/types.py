"""The most informative mention type in each entity and cell: a name before a nominal or pronoun."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Ints
from scoref.overlap.table import NOWHERE, PRONOUN, Table, cached_per_table


class BestTypes(NamedTuple):
    """NAME, NOMINAL or PRONOUN for each key entity, response entity and cell of a table."""

    key: Ints
    response: Ints
    cell: Ints


@cached_per_table
def best_types(table: Table) -> BestTypes:
    """Find the most informative type among the mentions of each entity and cell."""
    rows = table.mentions
    kinds = rows.type
    in_key, in_response = rows.key != NOWHERE, rows.res != NOWHERE
    key = np.full(len(table.key_size), PRONOUN, dtype=np.int64)
    np.minimum.at(key, rows.key[in_key], kinds[in_key])
    response = np.full(len(table.res_size), PRONOUN, dtype=np.int64)
    np.minimum.at(response, rows.res[in_response], kinds[in_response])
    cell = np.full(len(table.count), PRONOUN, dtype=np.int64)
    both = in_key & in_response
    np.minimum.at(cell, cell_of(table, rows.key[both], rows.res[both]), kinds[both])
    return BestTypes(key, response, cell)


def cell_of(table: Table, key: Ints, response: Ints) -> Ints:
    """Return the cell of each pair of entities that share a mention."""
    width = max(len(table.res_size), 1)
    return np.searchsorted(table.cell_key * width + table.cell_res, key * width + response)
