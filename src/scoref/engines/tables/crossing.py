"""The table of two sides, counted without an alignment of their single mentions.

It is the table of `alignment.join`, for measures that look at no mention: half of the time that
joining takes goes into columns which only such measures need.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scoref.alignment import count_cells
from scoref.arrays import Ints
from scoref.corpus import Corpus
from scoref.matching.exact import exact_codes, partners
from scoref.matching.sides import Sides
from scoref.table import NOWHERE, Table


def cross(key: Corpus, response: Corpus, document: Ints) -> Table | None:
    """Count the mentions that entities share; `document` is the key's of each response mention.

    Units have no names. None if entities must be numbered anew: if they do not stand in the order
    of the key's documents, or no mention is left of one.
    """
    ours, theirs = (
        _Entities.of(side.entity, unit, side.entity_count)
        for side, unit in ((key, key.document), (response, document))
    )
    if not (ours.is_in_order and theirs.is_in_order):
        return None
    partner = partners(*exact_codes(Sides(key, response, document)))
    found = np.flatnonzero(partner != NOWHERE)
    shared = key.entity[found], response.entity[partner[found]]
    return Table(
        units=("",) * len(key.documents),
        key_unit=ours.unit,
        key_size=ours.size,
        res_unit=theirs.unit,
        res_size=theirs.size,
        **count_cells(*shared, len(theirs.size)),
    )


class _Entities(NamedTuple):
    """The document of each entity, and its size."""

    unit: Ints
    size: Ints

    @classmethod
    def of(cls, entity: Ints, document: Ints, entities: int) -> _Entities:
        unit = np.zeros(entities, dtype=np.int64)
        unit[entity] = document
        return cls(unit, np.bincount(entity, minlength=entities))

    @property
    def is_in_order(self) -> bool:
        """Whether all are there, document by document."""
        return bool((self.unit[1:] >= self.unit[:-1]).all() and self.size.all())
