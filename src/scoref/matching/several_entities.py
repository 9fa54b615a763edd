"""Mentions in several entities: the join for `--duplicates keep`.

Each side is joined with one row per distinct mention, as usual. The entities of a row are those of
all mentions of the corpus that are equal to it.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np

from scoref.base.arrays import Ints
from scoref.base.phrases import counted
from scoref.corpus.corpus import Corpus
from scoref.matching.aligned_rows import AlignedRows
from scoref.matching.alignment import Alignment, TableEntities, join
from scoref.matching.document_pairing import PairedCorpora
from scoref.matching.duplicates_and_singletons import repeated_mentions
from scoref.metrics.table import NOWHERE, SideName, Table
from scoref.policy import Policy


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SeveralEntities(Alignment):
    """One row per distinct mention, whose `key` and `res` are the first of its entities.

    `key_entities` and `res_entities` are pairs of a row and an entity.
    """

    key_entities: tuple[Ints, Ints]
    res_entities: tuple[Ints, Ints]

    def table(self) -> Table:
        """Count the first entities of mentions; the rows have all of them."""
        table = Alignment.table(self)
        number = TableEntities.of(self.key, self.unit), TableEntities.of(self.res, self.unit)
        return replace(table, rows=_RowsOfSeveral(self, number[0].number, number[1].number))


class _RowsOfSeveral(AlignedRows):
    """The rows of mentions in several entities."""

    alignment: SeveralEntities

    def memberships(self, side: SideName) -> tuple[Ints, Ints]:
        """Return pairs of a row and an entity that has the mention on a side."""
        return self.alignment.key_entities if side == "key" else self.alignment.res_entities


def join_several(
    key: Corpus, response: Corpus, key_document: Ints, policy: Policy
) -> SeveralEntities:
    """Join two corpora in which a mention may be in several entities."""
    response = PairedCorpora.of(key, response, key_document).response
    of_key, of_response = _originals(key), _originals(response)
    distinct = _distinct(key, of_key), _distinct(response, of_response)
    whole = join(distinct[0], distinct[1], key_document, policy)
    notes = [
        _note(side, int((original != np.arange(len(original))).sum()))
        for side, original in (("key", of_key), ("response", of_response))
    ]
    columns = {field.name: getattr(whole, field.name) for field in fields(Alignment)}
    columns["notes"] = (*whole.notes, *filter(None, notes))
    return SeveralEntities(
        **columns,
        key_entities=_memberships(key, of_key, whole.key_row),
        res_entities=_memberships(response, of_response, whole.res_row),
    )


def _originals(corpus: Corpus) -> Ints:
    """Return for each mention the first equal mention."""
    original = np.arange(len(corpus))
    kept, repeated = repeated_mentions(corpus)
    original[repeated] = kept
    return original


def _distinct(corpus: Corpus, original: Ints) -> Corpus:
    return corpus.where(original == np.arange(len(original)))


def _memberships(corpus: Corpus, original: Ints, row_of_side: Ints) -> tuple[Ints, Ints]:
    """Return the rows of an alignment and the entities that have their mentions."""
    first = original == np.arange(len(original))
    number = np.cumsum(first) - 1  # of the distinct mentions
    rows = np.full(int(first.sum()), NOWHERE, dtype=np.int64)
    at = np.flatnonzero(row_of_side != NOWHERE)
    rows[row_of_side[at]] = at
    return rows[number[original]], corpus.entity


def _note(side: str, further: int) -> str:
    if not further:
        return ""
    return f"the {side} repeats {counted(further, 'mention')} in other entities; all are kept"
