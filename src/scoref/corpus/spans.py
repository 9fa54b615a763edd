"""Spans of tokens, links between them, and pairs of spans that are equal or overlap."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Bools, Ints, expand_ranges, pack, ranks, split
from scoref.base.lazy_sequences import LazySequence
from scoref.base.limits import limits_are_on
from scoref.exceptions import UsageError

_FREE_PAIRS = 1 << 20
_PAIRS_PER_SPAN = 64


class Spans(NamedTuple):
    """Spans of some documents, `start` to `end` inclusive.

    The `nodes` of a span that is discontinuous or has an empty node are its tokens, separated by
    blanks; the `nodes` of any other span are an empty string.
    """

    document: Ints
    start: Ints
    end: Ints
    nodes: NDArray[np.str_] | None = None

    def where(self, rows: Ints) -> Spans:
        """Return some of the spans."""
        nodes = None if self.nodes is None else self.nodes[rows]
        return Spans(self.document[rows], self.start[rows], self.end[rows], nodes)

    @classmethod
    def concatenate(cls, parts: Sequence[Spans]) -> Spans:
        """Concatenate spans."""
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
        """Renumber documents, and drop the spans of documents whose number is negative."""
        document = number[self.document]
        return self._replace(document=document).where(np.flatnonzero(document >= 0))

    @property
    def unusual(self) -> Bools:
        """Which spans do not consist of exactly the tokens from start to end."""
        if self.nodes is None:
            return np.zeros(len(self.start), dtype=bool)
        return np.asarray(self.nodes != "", dtype=bool)

    @property
    def length(self) -> Ints:
        """The number of tokens of each span."""
        length = self.end - self.start + 1
        for row in np.flatnonzero(self.unusual).tolist():
            length[row] = len(self.tokens(row))
        return length

    def tokens(self, row: int) -> frozenset[str]:
        """Return the tokens of one span."""
        if self.nodes is not None and self.nodes[row]:
            return frozenset(str(self.nodes[row]).split())
        return frozenset(map(str, range(int(self.start[row]), int(self.end[row]) + 1)))


@dataclass(frozen=True, slots=True, eq=False)
class SpanLabels(LazySequence[Hashable]):
    """Mentions that were passed as (start, end), converted to tuples on access."""

    start: Ints
    end: Ints

    def pick(self, at: Ints | Bools) -> SpanLabels:
        """Return some of the mentions."""
        return SpanLabels(self.start[at], self.end[at])

    def __len__(self) -> int:
        return len(self.start)

    def __iter__(self) -> Iterator[Hashable]:
        return zip(self.start.tolist(), self.end.tolist(), strict=True)

    def make(self, at: int) -> Hashable:
        """Make one tuple."""
        return int(self.start[at]), int(self.end[at])


class Links(NamedTuple):
    """Bridging links, each from an anaphor to its anchor."""

    anaphor: Spans
    anchor: Spans

    @classmethod
    def concatenate(cls, parts: Sequence[Links]) -> Links:
        """Concatenate links."""
        anaphor, anchor = (Spans.concatenate([part[at] for part in parts]) for at in range(2))
        return cls(anaphor, anchor)

    def in_documents(self, number: Ints) -> Links:
        """Renumber documents, and drop the links of documents whose number is negative."""
        return Links(self.anaphor.in_documents(number), self.anchor.in_documents(number))


AnySpans = TypeVar("AnySpans", Links, Spans)


def nearest_mention(mentions: Sequence[int], anaphor: int) -> int | None:
    """Return the mention that is the anchor of an anaphor, if only its entity is stated.

    Mentions are rows in the order of the text. The anchor is the last mention before the anaphor,
    or else the first mention after it.
    """
    before = max((at for at in mentions if at < anaphor), default=None)
    after = min((at for at in mentions if at > anaphor), default=None)
    return after if before is None else before


def same_spans(*groups: Spans) -> list[Ints]:
    """Number the spans of several groups from 0, with equal numbers for equal spans."""
    spans = Spans.concatenate(groups)
    columns = [spans.document, spans.start, spans.end - spans.start]
    if spans.nodes is not None:
        columns.append(np.unique(spans.nodes, return_inverse=True)[1])
    number = np.unique(pack(*columns), return_inverse=True)[1]
    return split(number, [len(group.start) for group in groups])


def overlapping(one: Spans, other: Spans) -> tuple[Ints, Ints]:
    """Return all pairs of spans, one of each side, that share a token.

    If two spans overlap, one of them starts inside the other: the second inside the first, or
    the first inside the second and after its start. The cost grows with the number of pairs.
    """
    inside = _starts_inside(one, other, 0)
    around = _starts_inside(other, one, 1)
    return np.concatenate([inside[0], around[1]]), np.concatenate([inside[1], around[0]])


def _starts_inside(outer: Spans, inner: Spans, after: int) -> tuple[Ints, Ints]:
    """Pair spans with spans that start inside them, at least `after` tokens after their start."""
    width = int(max(outer.end.max(initial=0), inner.end.max(initial=0))) + 2
    order = np.lexsort((inner.start, inner.document))
    places = (inner.document * width + inner.start)[order]
    low = np.searchsorted(places, outer.document * width + outer.start + after)
    high = np.searchsorted(places, outer.document * width + outer.end, side="right")
    check_number_of_pairs(int((high - low).sum()), len(low) + len(order))
    at, place = expand_ranges(low, high)
    return at, order[place]


def nested(spans: Spans) -> tuple[Ints, Ints]:
    """Return all pairs of spans of which the first is inside the second, and shorter."""
    outer, inner = _starts_inside(spans, spans, 0)
    inside, around = spans.where(inner), spans.where(outer)
    kept = contains(around, inside) & (inside.length < around.length)
    return inner[kept], outer[kept]


def check_number_of_pairs(pairs: int, spans: int) -> None:
    """Refuse more pairs of overlapping mentions than annotated text has.

    In the deepest nesting of real corpora, a mention overlaps with a few dozen others.
    """
    most = max(_FREE_PAIRS, _PAIRS_PER_SPAN * spans)
    if pairs > most and limits_are_on():
        raise UsageError(
            f"{pairs:,} pairs of {spans:,} mentions overlap, expected at most {most:,}",
            "check the ends of the mentions; if they are right, lift all limits with --no-limits or"
            " SCOREF_LIMITS=off",
        )


def text_order(spans: Spans) -> Ints:
    """Rank spans by first token, last token and length; equal spans keep their order.

    An empty node comes after the word that it follows.
    """
    ends = np.stack([spans.start, np.zeros_like(spans.start), spans.end, np.zeros_like(spans.end)])
    for row in np.flatnonzero(spans.unusual).tolist():
        places = [place_of(token) for token in spans.tokens(row)]
        ends[:, row] = [*min(places), *max(places)]
    return ranks(np.lexsort((spans.length, *ends[::-1], spans.document)))


def place_of(token: str) -> tuple[int, int]:
    """Return the word of a token, and the number of the empty node after that word, or 0."""
    word, _, empty = token.partition(".")
    return int(word), int(empty or 0)


def shared_tokens(one: Spans, other: Spans) -> Ints:
    """Return the number of tokens that each span shares with the other span of its row."""
    shared: Ints = 1 + np.minimum(one.end, other.end) - np.maximum(one.start, other.start)
    for row in np.flatnonzero(one.unusual | other.unusual).tolist():
        shared[row] = len(one.tokens(row) & other.tokens(row))
    shared[shared < 0] = 0
    return shared


def contains(one: Spans, other: Spans) -> Bools:
    """Mark the spans that contain all tokens of the other span of their row."""
    return np.asarray(shared_tokens(one, other) == other.length, dtype=bool)
