"""The overlap table of two sides, counted without an alignment of their single mentions.

It is the table of `alignment.join`, for metrics that do not require mentions. Half of the time
that joining takes goes into columns that only other metrics need.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scoref.alignment.alignment import Numbering, count_cells
from scoref.alignment.matching.exact import exact_codes, partners
from scoref.alignment.matching.sides import Sides
from scoref.base.arrays import Ints
from scoref.corpus.corpus import Corpus
from scoref.overlap.table import NOWHERE, Table


def count_overlap(key: Corpus, response: Corpus, document: Ints) -> Table:
    """Count the mentions that entities share; units have no names.

    `document` is the key document of each response mention.
    """
    of_key, of_response = (
        _TableEntities.of(side.entity, unit, side.entity_count)
        for side, unit in ((key, key.document), (response, document))
    )
    partner = partners(*exact_codes(Sides(key, response, document)))
    found = np.flatnonzero(partner != NOWHERE)
    shared = of_key.number[found], of_response.number[partner[found]]
    return Table(
        units=("",) * len(key.documents),
        key_unit=of_key.unit,
        key_size=of_key.size,
        res_unit=of_response.unit,
        res_size=of_response.size,
        **count_cells(*shared, len(of_response.size)),
    )


class _TableEntities(NamedTuple):
    """The number of each mention's entity in the table; the document and the size of each."""

    number: Ints
    unit: Ints
    size: Ints

    @classmethod
    def of(cls, entity: Ints, document: Ints, entities: int) -> _TableEntities:
        unit = np.zeros(entities, dtype=np.int64)
        unit[entity] = document
        size = np.bincount(entity, minlength=entities)
        if (unit[1:] >= unit[:-1]).all() and size.all():  # document by document, as in the table
            return cls(entity, unit, size)
        found = Numbering.of(entity, document)
        return cls(found.number[entity], found.unit, found.size)
