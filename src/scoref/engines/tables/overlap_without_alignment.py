"""The overlap table of two sides, counted without an alignment of their single mentions.

It is the table of `alignment.join`, for metrics that do not require mentions. Half of the time
that joining takes goes into columns that only other metrics need.
"""

from __future__ import annotations

import numpy as np

from scoref.alignment.alignment import TableEntities, count_cells
from scoref.alignment.document_pairing import PairedCorpora
from scoref.alignment.matching.exact import exact_codes, match_codes
from scoref.base.arrays import Ints
from scoref.corpus.corpus import Corpus
from scoref.overlap.table import NOWHERE, Table


def count_overlap(key: Corpus, response: Corpus, document: Ints) -> Table:
    """Count the mentions that entities share; units have no names.

    `document` is the key document of each response mention.
    """
    key_entity, key_unit, key_size = _number_entities(key, key.document)
    res_entity, res_unit, res_size = _number_entities(response, document)
    partner = match_codes(*exact_codes(PairedCorpora(key, response, document)))
    found = np.flatnonzero(partner != NOWHERE)
    cells = count_cells(key_entity[found], res_entity[partner[found]], len(res_size))
    return Table(("",) * len(key.documents), key_unit, key_size, res_unit, res_size, **cells)


def _number_entities(side: Corpus, document: Ints) -> tuple[Ints, Ints, Ints]:
    """Return the number of each mention's entity in the table; the document and size of each."""
    unit = np.zeros(side.entity_count, dtype=np.int64)
    unit[side.entity] = document
    size = np.bincount(side.entity, minlength=side.entity_count)
    if (unit[1:] >= unit[:-1]).all() and size.all():  # document by document, as in the table
        return side.entity, unit, size
    found = TableEntities.of(side.entity, document)
    return found.number[side.entity], found.unit, found.size
