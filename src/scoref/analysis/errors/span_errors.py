"""Span errors: a response mention and a key mention that differ only in their boundaries.

Kummerfeld & Klein (2013) correct span errors first. The first step pairs mentions of one sentence
that differ only in certain tokens at their ends: `the` or a character other than a letter on the
left, `'s` or such a character on the right. The second step pairs a response mention and a key
mention with the same head if no other mention has that head. In kk2013, heads are those of
Collins. The original analyser tries mentions in no defined order. Here they are tried in the order
of the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from string import ascii_letters

import numpy as np

from scoref.analysis.aligned_mentions import AlignedMentions
from scoref.analysis.errors.kinds import KK2013
from scoref.base.arrays import Ints
from scoref.linguistics.collins import collins_heads
from scoref.linguistics.heads import HeadOf, head_finder
from scoref.metrics.table import NOWHERE

NO_WORDS = "span errors were not searched for: the words of the mentions are unknown"
NO_HEADS = (
    "span errors were searched for only at the ends of mentions: heads are unknown (they require"
    " files with dependencies, or with parses and tags)"
)


def find_span_errors(mentions: AlignedMentions, mode: str) -> tuple[Ints, tuple[str, ...]]:
    """Return, for each response mention with a span error, the row of the key mention meant.

    All other rows have NOWHERE. The notes say which steps were not possible.
    """
    meant = np.full(len(mentions.unit), NOWHERE, dtype=np.int64)
    text, token, spans = mentions.text, mentions.token, mentions.spans
    if text is None or token is None or spans is None:
        return meant, (NO_WORDS,)
    in_key, in_res, known = (rows != NOWHERE for rows in (mentions.key, mentions.res, token))
    extra, missing = (
        sorted(np.flatnonzero(rows & known).tolist(), key=mentions.order.__getitem__)
        for rows in (in_res & ~in_key, in_key & ~in_res)
    )
    words, last = text.columns["word"], token + spans[1] - spans[0]
    cores = (
        {row: _core(words, int(token[row]), int(last[row])) for row in rows}
        for rows in (extra, missing)
    )
    found = _pair_at_ends(*cores)
    head_of = collins_heads(text) if mode == KK2013 else None
    head_of = head_of or head_finder(text)
    notes: tuple[str, ...] = ()
    if head_of is None and mentions.alignment.column("head_start") is None:
        notes = (NO_HEADS,)
    else:
        taken = set(found.values())
        found |= _pair_by_heads(
            mentions,
            [row for row in extra if row not in found],
            [row for row in missing if row not in taken],
            head_of,
        )
    meant[list(found)] = list(found.values())
    return meant, notes


def correct_spans(mentions: AlignedMentions, meant: Ints) -> AlignedMentions:
    """Give each key mention that is meant the entity of the response mention that means it."""
    wrong = np.flatnonzero(meant != NOWHERE)
    if not len(wrong):
        return mentions
    right, alignment = meant[wrong], mentions.alignment
    res, res_row = alignment.res.copy(), alignment.res_row.copy()
    res[right], res_row[right] = res[wrong], res_row[wrong]
    res[wrong] = NOWHERE
    return mentions.with_alignment(replace(alignment, res=res, res_row=res_row))


Core = tuple[int, int]


def _pair_at_ends(extra: dict[int, Core], missing: dict[int, Core]) -> dict[int, int]:
    """Pair mentions with the same core, in the order of the text.

    Mentions with the same core are in the same sentence because they share its tokens.
    """
    rows_of: dict[Core, list[int]] = {}
    for row, core in missing.items():
        rows_of.setdefault(core, []).append(row)
    return {row: rows_of[core].pop(0) for row, core in extra.items() if rows_of.get(core)}


def _core(words: Sequence[str], start: int, end: int) -> Core:
    """Return the first and last token of a mention without certain tokens at its ends."""
    while start < end and (words[start] == "the" or _is_mark(words[start])):
        start += 1
    while start < end and (words[end] == "'s" or _is_mark(words[end])):
        end -= 1
    return start, end


def _is_mark(word: str) -> bool:
    return len(word) == 1 and word not in ascii_letters


def _pair_by_heads(
    mentions: AlignedMentions, extra: list[int], missing: list[int], head_of: HeadOf | None
) -> dict[int, int]:
    """Pair a response mention and a key mention if no other mention has their head."""
    buckets: dict[tuple[int, int], tuple[list[int], list[int]]] = {}
    stated = mentions.alignment.column("head_start")
    for side, rows in enumerate((extra, missing)):
        for row in rows:
            head = NOWHERE if stated is None else int(stated[row])
            if head == NOWHERE and head_of is not None and mentions.spans is not None:
                start, end = (int(column[row]) for column in mentions.spans)
                head = head_of(int(mentions.place[mentions.unit[row]]), start, end)
            if head != NOWHERE:
                buckets.setdefault((int(mentions.unit[row]), head), ([], []))[side].append(row)
    return {res[0]: key[0] for res, key in buckets.values() if len(res) == len(key) == 1}
