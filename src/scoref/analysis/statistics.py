"""Statistics of a corpus: entities by size, mentions by length, nesting and type.

The size bins are those of Recasens & Hovy (2011), Table 2, whose last row is labelled "> 11" but
includes 11.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scoref.analysis.slices import Edges, classify
from scoref.base.arrays import Bools, Ints, first_of_run
from scoref.corpus.attributes import MENTION_TYPES
from scoref.corpus.corpus import UNKNOWN, Corpus

SIZES = (1, 2, 3, 4, 5, 6, 11)
LENGTHS = (1, 2, 3, 4, 6, 11)


@dataclass(frozen=True, slots=True)
class Bin:
    """The number of entities or mentions in a bin, and their share of all."""

    name: str
    count: int
    share: float


@dataclass(frozen=True, slots=True)
class Statistics:
    """The statistics of one corpus; an unknown value is None or empty."""

    source: str
    documents: int
    tokens: int | None
    mentions: int
    entities: int
    singletons: int
    largest_entity: int
    mentions_per_entity: float | None
    entities_by_size: tuple[Bin, ...]
    mentions_by_length: tuple[Bin, ...]
    nested_mentions: int | None
    crossing_mentions: int | None
    deepest_nesting: int | None
    mentions_by_type: tuple[Bin, ...]


def statistics(corpus: Corpus) -> Statistics:
    """Compute the statistics of a corpus; a repeated mention counts each time."""
    sizes = np.bincount(corpus.entity, minlength=corpus.entity_count)
    spans = corpus.as_spans() if len(corpus) else corpus
    lengths = [document.length for document in corpus.documents]
    return Statistics(
        source=corpus.source,
        documents=len(corpus.documents),
        tokens=None if UNKNOWN in lengths else sum(lengths),
        mentions=len(corpus),
        entities=corpus.entity_count,
        singletons=int(np.count_nonzero(sizes == 1)),
        largest_entity=int(sizes.max(initial=0)),
        mentions_per_entity=len(corpus) / corpus.entity_count if corpus.entity_count else None,
        entities_by_size=_bins(sizes, SIZES, "mention"),
        mentions_by_length=()
        if spans is None
        else _bins(spans.end - spans.start + 1, LENGTHS, "token"),
        nested_mentions=None if spans is None else _nested(spans),
        crossing_mentions=None if spans is None else _crossing(spans),
        deepest_nesting=None if spans is None else _deepest(spans),
        mentions_by_type=_types(corpus),
    )


def _bins(values: Ints, edges: Edges, what: str) -> tuple[Bin, ...]:
    return tuple(
        Bin(f"{f'>={name[:-1]}' if name.endswith('+') else name}-{what}", *_count(among))
        for name, among in classify(values, edges)
    )


def _count(among: Bools) -> tuple[int, float]:
    count = int(np.count_nonzero(among))
    return count, count / len(among) if len(among) else 0.0


def _types(corpus: Corpus) -> tuple[Bin, ...]:
    column = corpus.attributes.get("type")
    if column is None or not len(corpus):
        return ()
    bins = [Bin(name, *_count(column == name)) for name in MENTION_TYPES]
    unknown = Bin("unknown", *_count(column == ""))
    return (*bins, unknown) if unknown.count else tuple(bins)


def _distinct(spans: Corpus) -> tuple[Ints, Ints, Ints]:
    """Return each span once as document, start and end, outer spans before inner spans."""
    order = np.lexsort((-spans.end, spans.start, spans.document))
    document, start, end = (c[order] for c in (spans.document, spans.start, spans.end))
    new = first_of_run(document) | first_of_run(start) | first_of_run(end)
    return document[new], start[new], end[new]


def _reach(document: Ints, end: Ints) -> Ints:
    """Return the last token of the spans before each span in its document, or -1."""
    width = int(end.max(initial=0)) + 1
    reached = np.maximum.accumulate(document * width + end)
    before = np.concatenate([[-1], reached[:-1]]) - document * width
    return np.where(first_of_run(document), -1, before)


def _nested(spans: Corpus) -> int:
    """Count spans inside another span."""
    if not len(spans):
        return 0
    document, _, end = _distinct(spans)
    return int(np.count_nonzero(_reach(document, end) >= end))


def _crossing(spans: Corpus) -> int:
    """Count spans that start inside another span and end after it.

    The stack has the ends of earlier spans that are still open where a span starts. The span
    crosses one of them if that one ends first.
    """
    crossing = 0
    stack: list[int] = []
    last = None
    document, start, end = (column.tolist() for column in _distinct(spans))
    for where, low, high in zip(document, start, end, strict=True):
        if where != last:
            stack, last = [], where
        stack = [other for other in stack if other >= low]
        crossing += any(other < high for other in stack)
        stack.append(high)
    return crossing


def _deepest(spans: Corpus) -> int:
    """Return the largest number of different spans that share a token."""
    if not len(spans):
        return 0
    document, start, end = _distinct(spans)
    width = int(end.max()) + 2
    places = np.concatenate([document * width + start, document * width + end + 1])
    steps = np.concatenate([np.ones(len(start)), -np.ones(len(end))])
    order = np.lexsort((steps, places))  # a span ends before the next one starts
    return int(np.cumsum(steps[order]).max())
