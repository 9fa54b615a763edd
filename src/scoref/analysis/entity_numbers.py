"""The numbers and letters by which all views name entities, and where each mention belongs.

Key entities are numbered in the order of their first mentions. A response entity has the number of
the key entity with which the best one-to-one alignment (that of CEAFm) aligns it, or a letter if
it is aligned with none. A mention that both sides have is right if both numbers are equal.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from scoref.base.arrays import Ints
from scoref.base.phrases import letters
from scoref.metrics.assignment.solver import best_alignment
from scoref.metrics.table import NOWHERE, SideName

if TYPE_CHECKING:
    from scoref.analysis.aligned_mentions import AlignedMentions

STATUSES = ("right", "misplaced", "missing", "extra")
RIGHT, MISPLACED, MISSING, EXTRA = range(len(STATUSES))


@dataclass(frozen=True, eq=False)
class EntityNumbers:
    """The number or letter of each entity in its document."""

    mentions: AlignedMentions

    @cached_property
    def key_number(self) -> Ints:
        """The number of each key entity in its document, from 1."""
        return self._by_appearance(self.mentions.key, self.mentions.table.key_unit)

    @cached_property
    def partner(self) -> Ints:
        """The key entity with which each response entity is aligned, or NOWHERE."""
        table = self.mentions.table
        chosen = best_alignment(table.cell_key, table.cell_res, table.count.astype(np.float64))
        partner = np.full(len(table.res_size), NOWHERE, dtype=np.int64)
        partner[table.cell_res[chosen]] = table.cell_key[chosen]
        return partner

    @cached_property
    def res_number(self) -> Ints:
        """The number of each response entity: that of its partner, or below zero for a letter."""
        alone = self.partner == NOWHERE
        numbers = self.key_number[self.partner] if len(self.key_number) else self.partner.copy()
        lonely = np.where(np.append(alone, False)[self.mentions.res], self.mentions.res, NOWHERE)
        numbers[alone] = -self._by_appearance(lonely, self.mentions.table.res_unit)[alone]
        return numbers

    def of(self, side: SideName) -> Ints:
        """Return the number of each entity of a side."""
        return self.key_number if side == "key" else self.res_number

    @cached_property
    def status(self) -> Ints:
        """RIGHT, MISPLACED, MISSING or EXTRA for each row."""
        key, res = self.mentions.key, self.mentions.res
        expected = np.append(self.partner, NOWHERE)[res]
        return np.select(
            [res == NOWHERE, key == NOWHERE, expected == key], [MISSING, EXTRA, RIGHT], MISPLACED
        )

    def _by_appearance(self, entity: Ints, unit: Ints) -> Ints:
        """Number entities within their document by their first mention, from 1."""
        first = self.mentions.first_rows(entity, entity != NOWHERE, len(unit))
        place = np.append(self.mentions.order, np.iinfo(np.int64).max)[first]
        ranked = np.lexsort((place, unit))
        number = np.empty(len(unit), dtype=np.int64)
        starts = np.searchsorted(unit[ranked], unit[ranked])
        number[ranked] = np.arange(len(unit)) - starts + 1
        return number


def entity_label(number: int) -> str:
    """Return the number or the letter that is shown for an entity."""
    return str(number) if number >= 0 else letters(-number - 1)


def entity_name(side: SideName, number: int) -> str:
    """Return the short name of an entity: K3, R3 or Ra."""
    return f"{'K' if side == 'key' else 'R'}{entity_label(number)}"
