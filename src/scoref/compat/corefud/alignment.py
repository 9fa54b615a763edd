"""Key and response as corefud-scorer 1.2 joins them: one row per side and mention of an entity.

The scorer leaves a mention in all entities that have it, and finds the other side in three ways:

    recall     each mention of a key entity finds the last response entity that has its match
    precision  each mention of a response entity finds the last key entity that has its match
    CEAF       each mention of a key entity is in every response entity that has its match

So there are three tables. Without repeated mentions, and with matches that do not overwrite each
other, the three tables are equal to the table that scoref counts by default.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from scoref.alignment.alignment import Alignment, TableEntities
from scoref.alignment.rows import AlignedRows
from scoref.base.arrays import Ints
from scoref.overlap.table import NOWHERE, Table, cached_per_table


@dataclass(frozen=True, eq=False)
class Memberships(AlignedRows):
    """Rows of one side each, and what they lead to: `found` is a row of the entity found.

    `partner` is the row of the response that the score of zeros uses for a key mention: the
    same mention if the response has it, or else its match. Rows with the same `value` are equal
    mentions. NOWHERE means that there is no such row.
    """

    found: Ints
    partner: Ints
    value: Ints


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CorefUDAlignment(Alignment):
    """What the scorer counts; `shared` are the pairs of rows that CEAF counts."""

    found: Ints
    partner: Ints
    value: Ints
    shared: tuple[Ints, Ints]

    def table(self) -> Table:
        """Return the table of CEAF; `recall_table` and `precision_table` derive the others."""
        table = Alignment.table(self)
        key, res = (TableEntities.of(side, self.unit).number for side in (self.key, self.res))
        rows = Memberships(self, key, res, self.found, self.partner, self.value)
        key_row, res_row = self.shared
        return _with_cells(replace(table, rows=rows), rows.key[key_row], rows.res[res_row])

    @property
    def has_matches(self) -> bool:
        """Whether any mention of one side matches a mention of the other."""
        return bool(np.any(self.found != NOWHERE))


@cached_per_table
def recall_table(table: Table) -> Table:
    """Return the table of what the mentions of key entities find."""
    rows = members(table)
    at = np.flatnonzero((rows.key != NOWHERE) & (rows.found != NOWHERE))
    return _with_cells(table, rows.key[at], rows.res[rows.found[at]])


@cached_per_table
def precision_table(table: Table) -> Table:
    """Return the table of what the mentions of response entities find."""
    rows = members(table)
    at = np.flatnonzero((rows.res != NOWHERE) & (rows.found != NOWHERE))
    return _with_cells(table, rows.key[rows.found[at]], rows.res[at])


def members(table: Table) -> Memberships:
    """Return the rows behind a table of this scorer."""
    rows = table.mentions
    if not isinstance(rows, Memberships):
        raise TypeError("expected a table that a CorefUDAlignment made")
    return rows


def _with_cells(table: Table, key: Ints, response: Ints) -> Table:
    """Return a table with cells for some pairs of entities."""
    width = max(len(table.res_size), 1)
    cells, count = np.unique(key * width + response, return_counts=True)
    return replace(table, cell_key=cells // width, cell_res=cells % width, count=count)
