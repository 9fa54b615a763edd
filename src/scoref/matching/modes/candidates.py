"""Pairs of mentions that share so many tokens that they may match, without all pairs that overlap.

A long mention overlaps with everything inside it, but its Jaccard similarity with a short mention
is small. If the similarity of two spans of lengths a and b is at least t, then a >= t b, b >= t a,
and their starts differ by at most (1 - t) a or (1 - t) b tokens. So spans are grouped by the power
of two of their length, and a search by start finds the candidates of each group.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from scoref.base.arrays import Floats, Ints, expand_ranges
from scoref.corpus.spans import Spans, check_number_of_pairs, overlapping, shared_tokens


def jaccard(one: Spans, other: Spans) -> Floats:
    """Return the share of the tokens of both spans of a row that they have in common."""
    shared = shared_tokens(one, other)
    return np.asarray(shared / (one.length + other.length - shared))


def similar_pairs(one: Spans, other: Spans, threshold: float) -> tuple[Ints, Ints, Floats]:
    """Return all pairs whose Jaccard similarity is positive and at least a threshold, with it."""
    found = [
        (at[enough], to[enough], similarity[enough])
        for at, to in _candidates(one, other, threshold)
        for similarity in [jaccard(one.where(at), other.where(to))]
        for enough in [(similarity >= threshold) & (similarity > 0)]
    ]
    nothing = np.zeros(0, dtype=np.int64)
    parts = zip((nothing, nothing, np.zeros(0)), *found, strict=True)
    at, to, similarity = (np.concatenate(part) for part in parts)
    return at, to, similarity


def _candidates(one: Spans, other: Spans, threshold: float) -> Iterator[tuple[Ints, Ints]]:
    """Yield pairs that may be similar enough, each once."""
    plain, other_plain = (np.flatnonzero(~spans.unusual) for spans in (one, other))
    unusual, other_unusual = (np.flatnonzero(spans.unusual) for spans in (one, other))
    every = np.arange(len(other.start))
    for rows, others in ((unusual, every), (plain, other_unusual)):
        at, to = overlapping(one.where(rows), other.where(others))
        yield rows[at], others[to]
    for at, to in _plain_candidates(one.where(plain), other.where(other_plain), threshold):
        yield plain[at], other_plain[to]


def _plain_candidates(one: Spans, other: Spans, threshold: float) -> Iterator[tuple[Ints, Ints]]:
    """Yield candidates of contiguous spans, one group of lengths after the other."""
    width = int(max(one.end.max(initial=0), other.end.max(initial=0))) + 2
    length, group = one.length, np.frexp(other.length)[1]  # 2 ** (group - 1) <= length < 2 ** group
    searches = []
    for number in np.unique(group).tolist():
        rows = np.flatnonzero(group == number)
        rows = rows[np.lexsort((other.start[rows], other.document[rows]))]
        places = other.document[rows] * width + other.start[rows]
        shortest, longest = 1 << (number - 1), (1 << number) - 1
        wanted = np.flatnonzero((length >= threshold * shortest) & (length * threshold <= longest))
        before = min(math.ceil((1 - threshold) * longest), width)
        after = np.ceil((1 - threshold) * length[wanted]).astype(np.int64)
        start, line = one.start[wanted], one.document[wanted] * width
        low = np.searchsorted(places, line + np.maximum(start - before, 0))
        last = np.minimum(start + after, one.end[wanted])
        high = np.searchsorted(places, line + last, side="right")
        searches.append((wanted, rows, low, high))
    total = sum(int((high - low).sum()) for _, _, low, high in searches)
    check_number_of_pairs(total, len(length) + len(group))
    for wanted, rows, low, high in searches:
        at, place = expand_ranges(low, high)
        yield wanted[at], rows[place]
