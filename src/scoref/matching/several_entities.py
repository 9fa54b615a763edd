"""Mentions in several entities: the join for `--duplicates keep`.

Each side is joined with one row per distinct mention, as usual. The entities of a row are those of
all mentions of the corpus that are equal to it.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from scoref.base.arrays import Ints
from scoref.base.phrases import counted
from scoref.corpus.corpus import Corpus
from scoref.matching.alignment import Alignment, join
from scoref.matching.document_pairing import PairedCorpora
from scoref.matching.duplicates_and_singletons import repeated_mentions
from scoref.metrics.table import NOWHERE, SideName
from scoref.policy import Policy


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SeveralEntities(Alignment):
    """One row per distinct mention, whose `key` and `res` are the first of its entities.

    `key_entities` and `res_entities` are pairs of a row and an entity.
    """

    key_entities: tuple[Ints, Ints]
    res_entities: tuple[Ints, Ints]

    def memberships(self, side: SideName) -> tuple[Ints, Ints]:
        """Return pairs of a row and an entity of the corpus that has the mention on a side."""
        return self.key_entities if side == "key" else self.res_entities


def join_several(
    key: Corpus, response: Corpus, key_document: Ints, policy: Policy
) -> SeveralEntities:
    """Join two corpora in which a mention may be in several entities."""
    response = PairedCorpora.of(key, response, key_document).response
    distinct_key, of_key = _distinct(key)
    distinct_response, of_response = _distinct(response)
    whole = join(distinct_key, distinct_response, key_document, policy)
    notes = [
        f"the {side} repeats {counted(further, 'mention')} in other entities; all are kept"
        for side, further in (
            ("key", len(key) - len(distinct_key)),
            ("response", len(response) - len(distinct_response)),
        )
        if further
    ]
    columns = {field.name: getattr(whole, field.name) for field in fields(Alignment)}
    columns["notes"] = (*whole.notes, *notes)
    return SeveralEntities(
        **columns,
        key_entities=(_rows(whole.key_row)[of_key], key.entity),
        res_entities=(_rows(whole.res_row)[of_response], response.entity),
    )


def _distinct(corpus: Corpus) -> tuple[Corpus, Ints]:
    """Return a corpus without repeated mentions, and the mention there of each mention."""
    original = np.arange(len(corpus))
    kept, repeated = repeated_mentions(corpus)
    original[repeated] = kept
    is_first = original == np.arange(len(corpus))
    return corpus.where(is_first), (np.cumsum(is_first) - 1)[original]


def _rows(row_of_side: Ints) -> Ints:
    """Return the row of the alignment of each mention of a side, all of which have one."""
    at = np.flatnonzero(row_of_side != NOWHERE)
    return at[np.argsort(row_of_side[at])]
