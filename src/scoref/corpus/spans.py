"""Spans that overlap, found by sorting: the cost is that of the pairs that there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Bools, Ints, pack


class Spans(NamedTuple):
    """Spans of some documents, `start` to `end` inclusive.

    A span that does not have just these tokens, since it is discontinuous or has an empty
    node, has them in `nodes`, with blanks between; for all others that is empty.
    """

    document: Ints
    start: Ints
    end: Ints
    nodes: NDArray[np.str_] | None = None

    def where(self, rows: Ints) -> Spans:
        """Keep some."""
        nodes = None if self.nodes is None else self.nodes[rows]
        return Spans(self.document[rows], self.start[rows], self.end[rows], nodes)

    @classmethod
    def concatenate(cls, parts: Sequence[Spans]) -> Spans:
        """Put spans one after the other."""
        nothing = np.zeros(0, dtype=np.int64)
        document, start, end = (
            np.concatenate([nothing, *(part[at] for part in parts)]) for at in range(3)
        )
        if all(part.nodes is None for part in parts):
            return cls(document, start, end)
        plain = [np.full(len(part.start), "") for part in parts]
        nodes = [p.nodes if p.nodes is not None else n for p, n in zip(parts, plain, strict=True)]
        return cls(document, start, end, np.concatenate(nodes))

    def in_documents(self, number: Ints) -> Spans:
        """Give documents other numbers, and leave out those that have none, which is below 0."""
        document = number[self.document]
        return self._replace(document=document).where(np.flatnonzero(document >= 0))

    @property
    def unusual(self) -> Bools:
        """Which spans do not have just the tokens from start to end."""
        if self.nodes is None:
            return np.zeros(len(self.start), dtype=bool)
        return np.asarray(self.nodes != "", dtype=bool)

    @property
    def length(self) -> Ints:
        """How many tokens each span has."""
        length = self.end - self.start + 1
        for row in np.flatnonzero(self.unusual).tolist():
            length[row] = len(self.tokens(row))
        return length

    def tokens(self, row: int) -> frozenset[str]:
        """Return the tokens of one span."""
        if self.nodes is not None and self.nodes[row]:
            return frozenset(str(self.nodes[row]).split())
        return frozenset(map(str, range(int(self.start[row]), int(self.end[row]) + 1)))


class Links(NamedTuple):
    """Bridging links: each from an anaphor to the anchor that it is understood by."""

    anaphor: Spans
    anchor: Spans

    @classmethod
    def concatenate(cls, parts: Sequence[Links]) -> Links:
        """Put links one after the other."""
        anaphor, anchor = (Spans.concatenate([part[at] for part in parts]) for at in range(2))
        return cls(anaphor, anchor)

    def in_documents(self, number: Ints) -> Links:
        """Give documents other numbers, and leave out those that have none, which is below 0."""
        return Links(self.anaphor.in_documents(number), self.anchor.in_documents(number))


AnySpans = TypeVar("AnySpans", Links, Spans)


def nearest(mentions: Sequence[int], anaphor: int) -> int | None:
    """Return the mention of an anchor's entity that stands for it, if only the entity is named.

    Mentions go by their rows, in the order of the text: it is the last one before the anaphor,
    or if there is none the first one behind it.
    """
    before = max((at for at in mentions if at < anaphor), default=None)
    behind = min((at for at in mentions if at > anaphor), default=None)
    return behind if before is None else before


def same_spans(*groups: Spans) -> list[Ints]:
    """Number spans from 0, equal ones of all groups alike."""
    whole = Spans.concatenate(groups)
    columns = [whole.document, whole.start, whole.end - whole.start]
    if whole.nodes is not None:
        columns.append(np.unique(whole.nodes, return_inverse=True)[1])
    number = np.unique(pack(*columns), return_inverse=True)[1]
    return np.split(number, np.cumsum([len(group.start) for group in groups])[:-1])


def overlapping(one: Spans, other: Spans) -> tuple[Ints, Ints]:
    """Return all pairs of spans, one of each side, that share a token.

    Of two spans that overlap, one starts inside the other: either the second inside the
    first, or the first inside the second behind its start.
    """
    inside = _starts_inside(one, other, 0)
    around = _starts_inside(other, one, 1)
    return np.concatenate([inside[0], around[1]]), np.concatenate([inside[1], around[0]])


def _starts_inside(outer: Spans, inner: Spans, after: int) -> tuple[Ints, Ints]:
    """Pair spans with those that start in them, `after` tokens or more behind their start."""
    width = int(max(outer.end.max(initial=0), inner.end.max(initial=0))) + 2
    order = np.lexsort((inner.start, inner.document))
    places = (inner.document * width + inner.start)[order]
    low = np.searchsorted(places, outer.document * width + outer.start + after)
    high = np.searchsorted(places, outer.document * width + outer.end, side="right")
    many = np.maximum(high - low, 0)
    at = np.repeat(np.arange(len(low)), many)
    offset = np.arange(len(at)) - np.repeat(np.cumsum(many) - many, many)
    return at, order[np.repeat(low, many) + offset]


def text_order(spans: Spans) -> Ints:
    """Rank spans by their first token, their last, and their length; equal ones as they stand.

    An empty node comes behind the word that it follows.
    """
    ends = np.stack([spans.start, np.zeros_like(spans.start), spans.end, np.zeros_like(spans.end)])
    for row in np.flatnonzero(spans.unusual).tolist():
        places = [place_of(token) for token in spans.tokens(row)]
        ends[:, row] = [*min(places), *max(places)]
    order = np.lexsort((spans.length, *ends[::-1], spans.document))
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return rank


def place_of(token: str) -> tuple[int, int]:
    """Return the word of a token, and which of the empty nodes beside it the token is, or 0."""
    word, _, empty = token.partition(".")
    return int(word), int(empty or 0)


def shared_tokens(one: Spans, other: Spans) -> Ints:
    """Return how many tokens each span shares with the one beside it."""
    shared: Ints = 1 + np.minimum(one.end, other.end) - np.maximum(one.start, other.start)
    for row in np.flatnonzero(one.unusual | other.unusual).tolist():
        shared[row] = len(one.tokens(row) & other.tokens(row))
    shared[shared < 0] = 0
    return shared


def contains(one: Spans, other: Spans) -> Bools:
    """Mark the spans that have all tokens of the one beside them."""
    return np.asarray(shared_tokens(one, other) == other.length, dtype=bool)
