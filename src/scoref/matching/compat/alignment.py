"""Key and response as other scorers join them: one row per side and mention of an entity.

They leave a mention in all entities that have it, and find the other side in three ways:

    recall     each mention of a key entity finds the last response entity that has its match
    precision  each mention of a response entity finds the last key entity that has its match
    CEAF       each mention of a key entity is in every response entity that has its match

So there are three tables. Without repeated mentions, and with matches that do not overwrite each
other, the three tables are equal to the table that scoref counts by default.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from scoref.base.arrays import Ints
from scoref.matching.aligned_rows import AlignedRows
from scoref.matching.alignment import Alignment, count_cells
from scoref.metrics.base import Count, Metric, average
from scoref.metrics.derived_tables import cached_per_table, count_from_two_tables
from scoref.metrics.table import NOWHERE, Table


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TwoWayAlignment(Alignment):
    """Rows of one side each, and what they lead to: `found` is a row of the entity found.

    `partner` is the row of the response that the score of zeros uses for a key mention: the
    same mention if the response has it, or else its match. Rows with the same `value` are equal
    mentions. NOWHERE means that there is no such row. `shared` are the pairs of rows that CEAF
    counts.
    """

    found: Ints
    partner: Ints
    value: Ints
    shared: tuple[Ints, Ints]

    def table(self) -> Table:
        """Return the table of CEAF; `recall_table` and `precision_table` derive the others."""
        table = Alignment.table(self)
        key_row, res_row = self.shared
        return _with_cells(table, table.mentions.key[key_row], table.mentions.res[res_row])

    @property
    def matched(self) -> int:
        """How many response mentions match a key mention."""
        return int(np.count_nonzero((self.res_row != NOWHERE) & (self.found != NOWHERE)))


@cached_per_table
def recall_table(table: Table) -> Table:
    """Return the table of what the mentions of key entities find."""
    rows, found = table.mentions, alignment_of(table).found
    at = np.flatnonzero((rows.key != NOWHERE) & (found != NOWHERE))
    return _with_cells(table, rows.key[at], rows.res[found[at]])


@cached_per_table
def precision_table(table: Table) -> Table:
    """Return the table of what the mentions of response entities find."""
    rows, found = table.mentions, alignment_of(table).found
    at = np.flatnonzero((rows.res != NOWHERE) & (found != NOWHERE))
    return _with_cells(table, rows.key[found[at]], rows.res[at])


def count_both_ways(count: Count) -> Count:
    """Return a function that counts recall and precision from the tables of both directions."""
    return count_from_two_tables(count, _recall_and_precision)


def _recall_and_precision(table: Table) -> tuple[Table, Table]:
    return recall_table(table), precision_table(table)


def mean_of(conll: Metric, parts: Mapping[str, Metric]) -> Metric:
    """Return the CoNLL average of metrics that count as another scorer does."""
    return average(conll.name, [parts[part.name] for part in conll.parts], conll.about)


def alignment_of(table: Table) -> TwoWayAlignment:
    """Return the alignment behind such a table."""
    rows = table.mentions
    if not isinstance(rows, AlignedRows) or not isinstance(rows.alignment, TwoWayAlignment):
        raise TypeError("expected the table of a TwoWayAlignment")
    return rows.alignment


def _with_cells(table: Table, key: Ints, response: Ints) -> Table:
    """Return a table with cells for some pairs of entities."""
    return replace(table, **count_cells(key, response, len(table.res_size)))
