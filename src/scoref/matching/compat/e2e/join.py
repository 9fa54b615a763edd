"""The join of CorefEvaluator: a repeated mention stays in all its entities, and leads to the last.

The evaluator has a mapping from each mention to its entity on the other side. If several entities
have the mention, the last one is in the mapping. CEAF_e compares all mentions of two entities.
"""

from __future__ import annotations

import numpy as np

from scoref.base.arrays import Ints
from scoref.corpus.corpus import Corpus
from scoref.corpus.identity import shared_codes
from scoref.matching.aligned_rows import look_up
from scoref.matching.compat.corefud.alignment import CorefUDAlignment
from scoref.matching.document_pairing import PairedCorpora
from scoref.metrics.table import NOWHERE
from scoref.policy import Policy


def join_as_e2e(
    key: Corpus,
    response: Corpus,
    key_document: Ints,
    policy: Policy,  # noqa: ARG001
) -> CorefUDAlignment:
    """Join two corpora in which a mention is at most once in an entity, but may be in several."""
    sides = PairedCorpora.of(key, response, key_document)
    response = sides.response
    codes = shared_codes({"key": key, "response": response}, [key.document, sides.document])
    of_key, of_response = len(key), len(response)
    nowhere = (np.full(of_response, NOWHERE), np.full(of_key, NOWHERE))
    key_row = np.concatenate([np.arange(of_key), nowhere[0]])
    res_row = np.concatenate([nowhere[1], np.arange(of_response)])
    in_response = _last(codes[0], codes[1], response.entity)
    in_key = _last(codes[1], codes[0], key.entity)
    found = np.concatenate([np.where(in_response < 0, NOWHERE, in_response + of_key), in_key])
    return CorefUDAlignment(
        units=tuple(document.name for document in key.documents),
        unit=np.concatenate([key.document, sides.document]),
        key=look_up(key.entity, key_row),
        res=look_up(response.entity, res_row),
        key_row=key_row,
        res_row=res_row,
        key_corpus=key,
        res_corpus=response,
        key_document=key_document,
        found=found,
        partner=found,
        value=np.concatenate(codes),
        shared=_equal_pairs(codes[0], codes[1], of_key),
    )


def _last(wanted: Ints, codes: Ints, entity: Ints) -> Ints:
    """Return, for each code, the row with this code whose entity comes last, or NOWHERE."""
    order = np.lexsort((entity, codes))
    at = np.searchsorted(codes[order], wanted, side="right") - 1
    row = look_up(order, np.where(at < 0, NOWHERE, at))
    return np.where((row >= 0) & (look_up(codes, row) == wanted), row, NOWHERE)


def _equal_pairs(key: Ints, response: Ints, first: int) -> tuple[Ints, Ints]:
    """Return all pairs of rows with equal codes; the rows of the response start at `first`."""
    order = np.argsort(response, kind="stable")
    ordered = response[order]
    start, stop = (np.searchsorted(ordered, key, side=side) for side in ("left", "right"))
    times = stop - start
    rows = np.repeat(np.arange(len(key)), times)
    within = np.arange(len(rows)) - np.repeat(np.cumsum(times) - times, times)
    return rows, order[np.repeat(start, times) + within] + first
