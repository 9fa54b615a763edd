"""Alignment: the full outer join of key and response, one row per mention of either side.

A matching mode is a way to make this join, and a slice is a mask over its rows. `Alignment.table`
counts the rows of each pair of entities, which is all that most metrics need.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypedDict

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Bools, Ints, first_of_run
from scoref.corpus.corpus import Corpus
from scoref.matching.aligned_rows import AlignedRows, look_up, missing_value
from scoref.matching.document_pairing import PairedCorpora
from scoref.matching.modes import match
from scoref.matching.modes.exact import unmatched
from scoref.metrics.table import NOWHERE, SideName, Table
from scoref.policy import Policy


@dataclass(frozen=True, slots=True, eq=False)
class Alignment:
    """Columns with one row per mention that either side has.

    `unit` is the document of the mention, an index into `units`. `key` and `res` are its entity on
    each side, or NOWHERE. `key_row` and `res_row` are its rows in the two corpora, or NOWHERE; the
    corpora have its span, its type and its words. `key_document` is the key document of each
    response document, or None if rows were removed. Bridging links and non-referring mentions,
    which have no rows here, are scored only if it is present.
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
    def matched(self) -> int:
        """How many response mentions match a key mention."""
        return int(np.count_nonzero((self.key != NOWHERE) & (self.res != NOWHERE)))

    def where(self, rows: Bools) -> Alignment:
        """Keep some rows, such as the pronouns or the mentions of one genre."""
        columns = ("unit", "key", "res", "key_row", "res_row")
        kept = {name: getattr(self, name)[rows] for name in columns}
        return replace(self, **kept, key_document=None)

    def before_cut(self) -> tuple[Alignment, Ints]:
        """Return the alignment before documents were cut into windows, and the row of each row."""
        return self, np.arange(len(self.unit))

    def corpus_entity(self, side: SideName) -> Ints:
        """Return the entity of each row in the corpus of a side, or NOWHERE."""
        return self.key if side == "key" else self.res

    def memberships(self, side: SideName) -> tuple[Ints, Ints]:
        """Return pairs of a row and an entity of the corpus that has the mention on a side."""
        entity = self.corpus_entity(side)
        rows = np.flatnonzero(entity != NOWHERE)
        return rows, entity[rows]

    def table(self) -> Table:
        """Count the mentions that each pair of entities shares."""
        key, res = (TableEntities.of(entity, self.unit) for entity in (self.key, self.res))
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
        """Return an attribute of each mention, preferably the key's, or None if neither has it."""
        sides = ((self.key_corpus, self.key_row), (self.res_corpus, self.res_row))
        found = [
            look_up(corpus.attributes[name], row)
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

    `key_document` is the key document of each response document. Mentions of response documents
    without a key document are ignored.
    """
    sides = PairedCorpora.of(key, response, key_document)
    response = sides.response
    partner = match(sides, policy or Policy())
    _, response_only = unmatched(partner, len(response))
    nowhere = np.full(len(response_only), NOWHERE, dtype=np.int64)
    key_row = np.concatenate([np.arange(len(key)), nowhere])
    res_row = np.concatenate([partner, response_only])
    return Alignment(
        units=tuple(d.name for d in key.documents),
        unit=np.concatenate([key.document, sides.document[response_only]]),
        key=look_up(key.entity, key_row),
        res=look_up(response.entity, res_row),
        key_row=key_row,
        res_row=res_row,
        key_corpus=key,
        res_corpus=response,
        key_document=key_document,
    )


class TableEntities(NamedTuple):
    """The entities of one side as a table numbers them, document by document.

    `number` is the number of each entity in the table, or NOWHERE if it has no rows. `unit` and
    `size` are the document and the number of mentions of each entity of the table.
    """

    number: Ints
    unit: Ints
    size: Ints

    @classmethod
    def of(cls, entity: Ints, unit: Ints) -> TableEntities:
        """Number the entities of some rows. Each entity must be in one unit."""
        rows = entity != NOWHERE
        size = np.bincount(entity[rows])
        of_entity = np.zeros(len(size), dtype=np.int64)
        of_entity[entity[rows]] = unit[rows]
        present = np.flatnonzero(size)
        present = present[np.argsort(of_entity[present], kind="stable")]
        number = np.full(len(size), NOWHERE, dtype=np.int64)
        number[present] = np.arange(len(present))
        return cls(number, of_entity[present], size[present])


class _Cells(TypedDict):
    """The columns of a table that describe its cells."""

    cell_key: Ints
    cell_res: Ints
    count: Ints


def count_cells(key: Ints, res: Ints, responses: int) -> _Cells:
    """Count the mentions of each pair of entities, given both entities of each mention."""
    width = max(responses, 1)
    codes = key * width
    codes += res
    codes.sort()
    first = np.flatnonzero(first_of_run(codes))
    cell_key, cell_res = np.divmod(codes[first], width)
    return _Cells(cell_key=cell_key, cell_res=cell_res, count=np.diff(first, append=len(codes)))
