"""Alignment: key and response joined, one row per mention that either side has."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypedDict

import numpy as np
from numpy.typing import NDArray

from scoref.alignment.document_pairing import ABSENT
from scoref.alignment.matching import match
from scoref.alignment.matching.sides import Sides
from scoref.alignment.rows import AlignedRows, look_up, missing_value
from scoref.base.arrays import Bools, Ints, first_of_run
from scoref.corpus.corpus import Corpus
from scoref.overlap.table import NOWHERE, Table
from scoref.policy import Policy


@dataclass(frozen=True, slots=True, eq=False)
class Alignment:
    """A full outer join: `key` and `res` are a mention's entity on each side, or NOWHERE.

    `unit` is the mention's document. `key_row` and `res_row` are its rows in the two corpora, or
    NOWHERE, for metrics and analyses that require its span, its type or its words. `key_document`
    is the key document of each response document, as long as no rows were removed: bridging links
    and non-referring mentions have no rows.
    """

    units: tuple[str, ...]
    unit: Ints
    key: Ints
    res: Ints
    key_row: Ints
    res_row: Ints
    key_corpus: Corpus | None = None
    res_corpus: Corpus | None = None
    notes: tuple[str, ...] = ()
    key_document: Ints | None = None

    @property
    def has_matches(self) -> bool:
        """Whether any mention of one side is one of the other."""
        return bool(np.any((self.key != NOWHERE) & (self.res != NOWHERE)))

    def where(self, rows: Bools) -> Alignment:
        """Keep some rows: pronouns only, one genre, the first half of each document."""
        columns = ("unit", "key", "res", "key_row", "res_row")
        kept = {name: getattr(self, name)[rows] for name in columns}
        return replace(self, **kept, key_document=None)

    def table(self) -> Table:
        """Count the mentions that each pair of entities shares."""
        key, res = (Numbering.of(entity, self.unit) for entity in (self.key, self.res))
        matched = (self.key != NOWHERE) & (self.res != NOWHERE)
        shared = key.number[self.key[matched]], res.number[self.res[matched]]
        return Table(
            units=self.units,
            key_unit=key.unit,
            key_size=key.size,
            res_unit=res.unit,
            res_size=res.size,
            **count_cells(*shared, len(res.size)),
            rows=AlignedRows(self, key.number, res.number),
        )

    def column(self, name: str) -> NDArray[Any] | None:
        """Return an attribute of each mention, the key's where both sides have it, or None."""
        sides = ((self.key_corpus, self.key_row), (self.res_corpus, self.res_row))
        found = [
            np.append(corpus.attributes[name], missing_value(corpus.attributes[name]))[row]
            for corpus, row in sides
            if corpus is not None and name in corpus.attributes
        ]
        if len(found) < 2:
            return found[0] if found else None
        key, response = found
        return np.where(key == missing_value(key), response, key)


def join(
    key: Corpus, response: Corpus, key_document: Ints, policy: Policy | None = None
) -> Alignment:
    """Join two corpora without repeated mentions.

    `key_document` is the key document of each response document; mentions of response documents
    without one are left out.
    """
    document = key_document[response.document] if len(response) else response.document
    if np.any(document == ABSENT):
        response = response.where(document != ABSENT)
        document = document[document != ABSENT]
    partner = match(Sides(key, response, document), policy or Policy())
    found = np.zeros(len(response), dtype=bool)
    found[partner[partner != NOWHERE]] = True
    alone = np.flatnonzero(~found)
    nowhere = np.full(len(alone), NOWHERE, dtype=np.int64)
    key_row = np.concatenate([np.arange(len(key)), nowhere])
    res_row = np.concatenate([partner, alone])
    return Alignment(
        units=tuple(d.name for d in key.documents),
        unit=np.concatenate([key.document, document[alone]]),
        key=look_up(key.entity, key_row),
        res=look_up(response.entity, res_row),
        key_row=key_row,
        res_row=res_row,
        key_corpus=key,
        res_corpus=response,
        key_document=key_document,
    )


class Numbering(NamedTuple):
    """The entities that occur, numbered document by document: their units and their sizes.

    `number` is the number of each entity, NOWHERE for those that do not occur.
    """

    number: Ints
    unit: Ints
    size: Ints

    @classmethod
    def of(cls, entity: Ints, unit: Ints) -> Numbering:
        """Number the entities of some rows. An entity is in one unit only."""
        rows = entity != NOWHERE
        size = np.bincount(entity[rows])
        of_entity = np.zeros(len(size), dtype=np.int64)
        of_entity[entity[rows]] = unit[rows]
        there = np.flatnonzero(size)
        there = there[np.argsort(of_entity[there], kind="stable")]
        number = np.full(len(size), NOWHERE, dtype=np.int64)
        number[there] = np.arange(len(there))
        return cls(number, of_entity[there], size[there])


class _Cells(TypedDict):
    """Columns of a table."""

    cell_key: Ints
    cell_res: Ints
    count: Ints


def count_cells(key: Ints, res: Ints, responses: int) -> _Cells:
    """Count the mentions of each pair of entities, given the two entities of each mention."""
    width = max(responses, 1)
    codes = key * width
    codes += res
    codes.sort()
    first = np.flatnonzero(first_of_run(codes))
    cell_key, cell_res = np.divmod(codes[first], width)
    return _Cells(cell_key=cell_key, cell_res=cell_res, count=np.diff(first, append=len(codes)))
