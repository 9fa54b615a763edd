"""Alignment: key and response joined, one row per mention that either side has."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scoref.arrays import Bools, Ints, pack
from scoref.corpus import Corpus
from scoref.matching import MATCHERS
from scoref.pairing import ABSENT
from scoref.table import Table

NOWHERE = -1


@dataclass(frozen=True, slots=True, eq=False)
class Alignment:
    """A full outer join: `key` and `res` are a mention's entity on each side, or NOWHERE.

    `unit` is the mention's document. `key_row` and `res_row` are its rows in the two
    corpora, or NOWHERE, for whoever needs its span, its type or its words.
    """

    units: tuple[str, ...]
    unit: Ints
    key: Ints
    res: Ints
    key_row: Ints
    res_row: Ints

    def where(self, rows: Bools) -> Alignment:
        """Keep some rows: pronouns only, one genre, the first half of each document."""
        columns = (self.unit, self.key, self.res, self.key_row, self.res_row)
        return Alignment(self.units, *(column[rows] for column in columns))

    def table(self) -> Table:
        """Count the mentions that each pair of entities shares."""
        key, key_unit, key_size = _renumber(self.key, self.unit)
        res, res_unit, res_size = _renumber(self.res, self.unit)
        matched = (key != NOWHERE) & (res != NOWHERE)
        cells, count = np.unique(key[matched] * len(res_size) + res[matched], return_counts=True)
        return Table(
            units=self.units,
            key_unit=key_unit,
            key_size=key_size,
            res_unit=res_unit,
            res_size=res_size,
            cell_key=cells // max(len(res_size), 1),
            cell_res=cells % max(len(res_size), 1),
            count=count,
        )


def join(key: Corpus, response: Corpus, key_document: Ints, match: str = "exact") -> Alignment:
    """Join two corpora without repeated mentions.

    `key_document` is the key document of each response document; the mentions of those
    that have none are left out.
    """
    document = key_document[response.document] if len(response) else response.document
    if np.any(document == ABSENT):
        response = response.where(document != ABSENT)
        document = document[document != ABSENT]
    key_code, res_code = MATCHERS[match](key, response, document)
    order = np.argsort(key_code)
    in_order = np.append(key_code[order], -1)  # codes are not negative: -1 is nobody's
    at = np.searchsorted(in_order[:-1], res_code)
    found = in_order[at] == res_code
    partner = np.full(len(key), NOWHERE, dtype=np.int64)
    partner[order[at[found]]] = np.flatnonzero(found)
    alone = np.flatnonzero(~found)
    nowhere = np.full(len(alone), NOWHERE, dtype=np.int64)
    key_row = np.concatenate([np.arange(len(key)), nowhere])
    res_row = np.concatenate([partner, alone])
    return Alignment(
        units=tuple(d.name for d in key.documents),
        unit=np.concatenate([key.document, document[alone]]),
        key=_look_up(key.entity, key_row),
        res=_look_up(response.entity, res_row),
        key_row=key_row,
        res_row=res_row,
    )


def _look_up(entity: Ints, row: Ints) -> Ints:
    """Return the entities of some rows, where NOWHERE has none."""
    return np.append(entity, NOWHERE)[row]


def _renumber(entity: Ints, unit: Ints) -> tuple[Ints, Ints, Ints]:
    """Number the entities that occur, document by document, and return their units and sizes."""
    rows = np.flatnonzero(entity != NOWHERE)
    codes = pack(unit[rows], entity[rows])
    distinct, first, number, size = np.unique(
        codes, return_index=True, return_inverse=True, return_counts=True
    )
    del distinct
    renumbered = np.full(len(entity), NOWHERE, dtype=np.int64)
    renumbered[rows] = number
    return renumbered, unit[rows[first]], size
