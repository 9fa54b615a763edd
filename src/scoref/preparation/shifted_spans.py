"""Positions that are off by one: ends that are exclusive, or tokens that are counted from 1.

A response whose ends mean something else than those of the key has a valid format and a very low
score. If hardly any mention matches, this compares the spans again after a shift by one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scoref.alignment.document_pairing import PairedCorpora
from scoref.base.arrays import Ints, pack_jointly
from scoref.corpus.corpus import Corpus

_FEW = 0.2  # of the mentions of the smaller side: a real response has more
_MOST = 0.5  # of the mentions of the response
_LEAST = 5  # mentions of a side; fewer can match by chance


class Shift(NamedTuple):
    """What to add to starts and ends of the response, and what that would mean."""

    start: int
    end: int
    condition: str
    meaning: str


_CORRECT = (
    "(in JSON lines, `scoref convert FILE fixed.jsonl --format jsonl-exclusive` corrects them; a"
    " table has exclusive ends in a column `stop`)"
)
_SHIFTS = (
    Shift(0, -1, "their ends were smaller by 1", f"the response's ends look exclusive {_CORRECT}"),
    Shift(0, 1, "their ends were larger by 1", f"the key's ends look exclusive {_CORRECT}"),
    Shift(
        *(-1, -1, "their starts and ends were smaller by 1"),
        "the response seems to count tokens from 1, but positions count from 0",
    ),
    Shift(
        *(1, 1, "their starts and ends were larger by 1"),
        "the key seems to count tokens from 1, but positions count from 0",
    ),
)


def shift_notes(key: Corpus, response: Corpus, key_document: Ints, matched: int) -> list[str]:
    """Note that most response mentions would match after a shift by one, if few of them match."""
    if min(len(key), len(response)) < _LEAST or matched > _FEW * min(len(key), len(response)):
        return []
    sides = PairedCorpora.of(key, response, key_document)
    spans, others = sides.key.as_spans(), sides.response.as_spans()
    if spans is None or others is None:
        return []
    found = {shift: _count_matches(spans, others, sides.document, shift) for shift in _SHIFTS}
    best = max(found, key=lambda shift: found[shift])
    if found[best] <= max(_MOST * len(response), 2 * matched):
        return []
    note = (
        f"{found[best]:,} of {len(response):,} response mentions would match the key if"
        f" {best.condition}, but only {matched:,} match as they are: {best.meaning}"
    )
    return [note]


def _count_matches(key: Corpus, response: Corpus, document: Ints, shift: Shift) -> int:
    """Count the response mentions that are key mentions after a shift."""
    start, end = response.start + shift.start, response.end + shift.end
    inside = (start >= 0) & (end >= start)
    codes = pack_jointly(
        [key.document, key.start, key.end], [document[inside], start[inside], end[inside]]
    )
    return int(np.isin(codes[1], codes[0]).sum())
