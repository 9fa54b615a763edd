"""The table of two sides, counted without an alignment of their single mentions.

It is the table of `alignment.join`, for measures that look at no mention: half of the time that
joining takes goes into columns which only such measures need.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scoref.alignment.alignment import TableEntities, count_cells
from scoref.alignment.document_pairing import PairedCorpora
from scoref.alignment.matching.exact import exact_codes, match_codes
from scoref.base.arrays import Ints
from scoref.corpus.corpus import Corpus
from scoref.overlap.table import NOWHERE, Table


def cross(key: Corpus, response: Corpus, document: Ints) -> Table:
    """Count the mentions that entities share; `document` is the key's of each response mention.

    Units have no names.
    """
    ours, theirs = (
        _Entities.of(side.entity, unit, side.entity_count)
        for side, unit in ((key, key.document), (response, document))
    )
    partner = match_codes(*exact_codes(PairedCorpora(key, response, document)))
    found = np.flatnonzero(partner != NOWHERE)
    shared = ours.number[found], theirs.number[partner[found]]
    return Table(
        units=("",) * len(key.documents),
        key_unit=ours.unit,
        key_size=ours.size,
        res_unit=theirs.unit,
        res_size=theirs.size,
        **count_cells(*shared, len(theirs.size)),
    )


class _Entities(NamedTuple):
    """The number of each mention's entity in the table; the document and the size of each."""

    number: Ints
    unit: Ints
    size: Ints

    @classmethod
    def of(cls, entity: Ints, document: Ints, entities: int) -> _Entities:
        unit = np.zeros(entities, dtype=np.int64)
        unit[entity] = document
        size = np.bincount(entity, minlength=entities)
        if (unit[1:] >= unit[:-1]).all() and size.all():  # document by document, as in the table
            return cls(entity, unit, size)
        found = TableEntities.of(entity, document)
        return cls(found.number[entity], found.unit, found.size)
