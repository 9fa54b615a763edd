"""Numbers for the entities of a document, so that both sides can be read beside each other.

Key entities are numbered as they appear. A response entity has the number of the key entity
that the best one-to-one alignment (that of CEAFm) gives it; one that is aligned with none has
a letter. A mention that both sides have is in its place if both numbers are equal.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from scoref.analysis.errors.kinds import first_rows
from scoref.analysis.aligned_mentions import AlignedMentions
from scoref.assignment.solver import best_alignment
from scoref.base.arrays import Ints
from scoref.comparison.ranking import letters
from scoref.overlap.table import NOWHERE

STATUSES = ("right", "misplaced", "missing", "extra")
IN_PLACE, MISPLACED, MISSING, EXTRA = range(len(STATUSES))


@dataclass(frozen=True, eq=False)
class EntityNumbers:
    """What the entities of a reading are entity_label in its documents."""

    reading: AlignedMentions

    @cached_property
    def key_number(self) -> Ints:
        """The number of each key entity in its document, from 1."""
        table = self.reading.table
        return self._by_appearance(self.reading.key, table.key_unit)

    @cached_property
    def partner(self) -> Ints:
        """The key entity that each response entity is aligned with, or NOWHERE."""
        table = self.reading.table
        chosen = best_alignment(table.cell_key, table.cell_res, table.count.astype(np.float64))
        partner = np.full(len(table.res_size), NOWHERE, dtype=np.int64)
        partner[table.cell_res[chosen]] = table.cell_key[chosen]
        return partner

    @cached_property
    def res_number(self) -> Ints:
        """The number of each response entity: its partner's, or below zero for a letter."""
        table = self.reading.table
        alone = self.partner == NOWHERE
        numbers = self.key_number[self.partner] if len(self.key_number) else self.partner.copy()
        lonely = np.where(np.append(alone, False)[self.reading.res], self.reading.res, NOWHERE)
        numbers[alone] = -self._by_appearance(lonely, table.res_unit)[alone]
        return numbers

    @cached_property
    def status(self) -> Ints:
        """Whether each row is in its place, misplaced, missing or extra."""
        key, res = self.reading.key, self.reading.res
        expected = np.append(self.partner, NOWHERE)[res]
        return np.select(
            [res == NOWHERE, key == NOWHERE, expected == key], [MISSING, EXTRA, IN_PLACE], MISPLACED
        )

    def _by_appearance(self, entity: Ints, unit: Ints) -> Ints:
        """Number entities within their document by their first mention, from 1."""
        order = self.reading.order
        first = first_rows(entity, order, entity != NOWHERE, len(unit))
        place = np.where(first == NOWHERE, np.iinfo(np.int64).max, np.append(order, 0)[first])
        ranked = np.lexsort((place, unit))
        number = np.empty(len(unit), dtype=np.int64)
        starts = np.searchsorted(unit[ranked], unit[ranked])
        number[ranked] = np.arange(len(unit)) - starts + 1
        return number


def entity_label(number: int) -> str:
    """Return the number or the letter of an entity as it is shown."""
    return str(number) if number >= 0 else letters(-number - 1)
