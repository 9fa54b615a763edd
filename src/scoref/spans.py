"""Spans that overlap, found by sorting: the cost is that of the pairs that there are."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scoref.arrays import Ints


class Spans(NamedTuple):
    """Spans of some documents, `start` to `end` inclusive."""

    document: Ints
    start: Ints
    end: Ints

    def where(self, rows: Ints) -> Spans:
        """Keep some."""
        return Spans(self.document[rows], self.start[rows], self.end[rows])

    @property
    def length(self) -> Ints:
        """How many tokens each span has."""
        return self.end - self.start + 1


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


def shared_tokens(one: Spans, other: Spans) -> Ints:
    """Return how many tokens each span shares with the one beside it, or less than one if none."""
    return 1 + np.minimum(one.end, other.end) - np.maximum(one.start, other.start)
