"""Span errors: a response mention that is a key mention but for its boundaries.

Kummerfeld & Klein (2013) correct these before all else. First, mentions of one sentence that
differ only in what stands at their ends: `the` or a character that is no letter on the left,
`'s` or such a character on the right. Then, among the others, a response mention and a key
mention that have the same head, if no third one has it; in kk2013, heads are those of Collins.
The original tries mentions in no order; here it is that of the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from string import ascii_letters

import numpy as np

from scoref.alignment.alignment import Alignment
from scoref.analysis.errors.kinds import KK2013, STRICT
from scoref.analysis.aligned_mentions import AlignedMentions
from scoref.base.arrays import Ints
from scoref.corpus.text import Text
from scoref.linguistics.collins import collins_heads
from scoref.linguistics.heads import HeadOf, head_finder
from scoref.overlap.table import NOWHERE

NO_WORDS = "span errors are not looked for: the words of the mentions are not known"
NO_HEADS = (
    "span errors are looked for at the ends of mentions only: their heads are not known (files"
    " with dependencies, or with parses and tags, tell them)"
)


def span_errors(reading: AlignedMentions, mode: str = STRICT) -> tuple[Ints, Ints, tuple[str, ...]]:
    """Return rows of response mentions, beside each the row of the key mention that is meant."""
    spurious = np.flatnonzero((reading.key == NOWHERE) & (reading.res != NOWHERE))
    missing = np.flatnonzero((reading.key != NOWHERE) & (reading.res == NOWHERE))
    nothing = np.zeros(0, dtype=np.int64)
    text, spans = reading.text, reading.spans
    if text is None or spans is None or "word" not in text:
        return nothing, nothing, (NO_WORDS,)
    known = reading.place[reading.unit] != NOWHERE
    spurious, missing = (_in_order(rows[known[rows]], reading) for rows in (spurious, missing))
    found = _at_the_ends(reading, text, spurious, missing)
    head_of = collins_heads(text) if mode == KK2013 else None
    head_of = head_of or head_finder(text)
    stated = reading.alignment.column("head_start")
    notes: tuple[str, ...] = ()
    if head_of is None and stated is None:
        notes = (NO_HEADS,)
    else:
        taken = set(found.values())
        found |= _by_heads(
            reading,
            [row for row in spurious.tolist() if row not in found],
            [row for row in missing.tolist() if row not in taken],
            head_of,
        )
    pairs = np.array(sorted(found.items()), dtype=np.int64).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1], notes


def corrected(alignment: Alignment, response_rows: Ints, key_rows: Ints) -> Alignment:
    """Give key mentions the entity of the response mentions that mean them."""
    res, res_row = alignment.res.copy(), alignment.res_row.copy()
    res[key_rows], res_row[key_rows] = res[response_rows], res_row[response_rows]
    res[response_rows] = NOWHERE
    return replace(alignment, res=res, res_row=res_row)


def _in_order(rows: Ints, reading: AlignedMentions) -> Ints:
    return rows[np.argsort(reading.order[rows])]


def _at_the_ends(reading: AlignedMentions, text: Text, spurious: Ints, missing: Ints) -> dict[int, int]:
    """Pair mentions that are equal without what may stand at their ends."""
    words = text.columns["word"]
    wanted: dict[tuple[int, int], list[int]] = {}
    for row, core in zip(missing.tolist(), _cores(reading, text, words, missing), strict=True):
        wanted.setdefault(core, []).append(row)
    found = {}
    for row, core in zip(spurious.tolist(), _cores(reading, text, words, spurious), strict=True):
        if wanted.get(core):
            found[row] = wanted[core].pop(0)
    return found


def _cores(reading: AlignedMentions, text: Text, words: Sequence[str], rows: Ints) -> list[tuple[int, int]]:
    """Return the tokens, counted through the text, of mentions without what stands at their ends.

    Mentions with one core are in one sentence: they share its tokens.
    """
    if reading.spans is None:
        return []
    first = text.first[reading.place[reading.unit[rows]]]
    start, end = (first + column[rows] for column in reading.spans)
    return [_core(words, *at) for at in zip(start.tolist(), end.tolist(), strict=True)]


def _core(words: Sequence[str], start: int, end: int) -> tuple[int, int]:
    while start < end and (words[start] == "the" or _is_mark(words[start])):
        start += 1
    while start < end and (words[end] == "'s" or _is_mark(words[end])):
        end -= 1
    return start, end


def _is_mark(word: str) -> bool:
    return len(word) == 1 and word not in ascii_letters


def _by_heads(
    reading: AlignedMentions, spurious: list[int], missing: list[int], head_of: HeadOf | None
) -> dict[int, int]:
    """Pair a response mention and a key mention that are alone in having their head."""
    buckets: dict[tuple[int, int], tuple[list[int], list[int]]] = {}
    stated = reading.alignment.column("head_start")
    for side, rows in enumerate((spurious, missing)):
        for row in rows:
            head = NOWHERE if stated is None else int(stated[row])
            if head == NOWHERE and head_of is not None and reading.spans is not None:
                start, end = (int(column[row]) for column in reading.spans)
                head = head_of(int(reading.place[reading.unit[row]]), start, end)
            if head != NOWHERE:
                buckets.setdefault((int(reading.unit[row]), head), ([], []))[side].append(row)
    return {
        ours[0]: theirs[0] for ours, theirs in buckets.values() if len(ours) == len(theirs) == 1
    }
