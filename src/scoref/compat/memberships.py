"""Key and response as corefud-scorer 1.2 joins them: a row per mention of an entity, and side.

It leaves a mention in all entities that have it, and looks the other side up in three ways:

    recall     each mention of a key entity finds the last response entity that has its match
    precision  each mention of a response entity finds the last key entity that has its match
    CEAF       each mention of a key entity is in every response entity that has its match

So there are three tables. Without repeated mentions, and with matches that do not overwrite each
other, the three are the same, and the one that everything else here is counted from.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from scoref.alignment.alignment import AlignedRows, Alignment, Numbering
from scoref.base.arrays import Ints
from scoref.overlap.table import NOWHERE, Table, cached_per_table


@dataclass(frozen=True, eq=False)
class Memberships(AlignedRows):
    """Rows of one side each, and where they lead: `found` is a row of the entity looked up.

    `partner` is the row of the response that the score of zeros takes for a key mention: the
    same mention if the response has it, else what it was matched with. Rows with the same
    `value` are equal mentions. All are NOWHERE where there is none.
    """

    found: Ints
    partner: Ints
    value: Ints


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CorefUDAlignment(Alignment):
    """What that scorer counts from; `shared` are the pairs of rows that CEAF sees."""

    found: Ints
    partner: Ints
    value: Ints
    shared: tuple[Ints, Ints]

    def table(self) -> Table:
        """Count what CEAF counts; `table_of_recall` and `table_of_precision` make the others."""
        table = Alignment.table(self)
        ours, theirs = (Numbering.of(side, self.unit).number for side in (self.key, self.res))
        rows = Memberships(self, ours, theirs, self.found, self.partner, self.value)
        key, response = self.shared
        return _with_cells(replace(table, rows=rows), rows.key[key], rows.res[response])

    @property
    def has_matches(self) -> bool:
        """Whether any mention of one side is one of the other."""
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
    """Return the rows behind a table that was counted as that scorer does."""
    rows = table.mentions
    if not isinstance(rows, Memberships):
        raise TypeError("this table was not made by corefud-scorer's rules")
    return rows


def _with_cells(table: Table, key: Ints, response: Ints) -> Table:
    """Return a table with the cells of some pairs of entities."""
    width = max(len(table.res_size), 1)
    cells, count = np.unique(key * width + response, return_counts=True)
    return replace(table, cell_key=cells // width, cell_res=cells % width, count=count)
