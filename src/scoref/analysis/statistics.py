"""What a corpus is made of: entities by size, mentions by length, nesting and type.

The bins of sizes are those of Recasens & Hovy (2011), Table 2, whose last row is labelled
"> 11" but counts from 11 on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from scoref.base.arrays import Ints, first_of_run
from scoref.corpus.attributes import MENTION_TYPES
from scoref.corpus.corpus import Corpus
from scoref.corpus.document import UNKNOWN

SIZES = ((1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 10), (11, None))
LENGTHS = ((1, 1), (2, 2), (3, 3), (4, 5), (6, 10), (11, None))


@dataclass(frozen=True, slots=True)
class Bin:
    """How many of something there are, and what share of all that is."""

    name: str
    count: int
    share: float


@dataclass(frozen=True, slots=True)
class Statistics:
    """The statistics of one corpus; what cannot be known of it is None or empty."""

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
    """Count what a corpus is made of, repeated mentions as often as they stand."""
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
        entities_by_size=_bins(sizes, SIZES, lambda size: f"{size}-mention"),
        mentions_by_length=()
        if spans is None
        else _bins(spans.end - spans.start + 1, LENGTHS, lambda length: f"{length}-token"),
        nested_mentions=None if spans is None else _nested(spans),
        crossing_mentions=None if spans is None else _crossing(spans),
        deepest_nesting=None if spans is None else _deepest(spans),
        mentions_by_type=_types(corpus),
    )


def _bins(
    values: Ints, edges: tuple[tuple[int, int | None], ...], name: Callable[[str], str]
) -> tuple[Bin, ...]:
    bins = []
    for low, high in edges:
        count = int(np.count_nonzero((values >= low) & (values <= (high or values.max(initial=0)))))
        label = str(low) if high == low else f"{low}-{high}" if high else f">={low}"
        bins.append(Bin(name(label), count, count / len(values) if len(values) else 0.0))
    return tuple(bins)


def _types(corpus: Corpus) -> tuple[Bin, ...]:
    column = corpus.attributes.get("type")
    if column is None or not len(corpus):
        return ()
    counts = {name: int(np.count_nonzero(column == name)) for name in (*MENTION_TYPES, "")}
    return tuple(
        Bin(name or "unknown", count, count / len(corpus))
        for name, count in counts.items()
        if name or count
    )


def _distinct(spans: Corpus) -> tuple[Ints, Ints, Ints]:
    """Return each span once as document, start and end, outer ones before inner ones."""
    order = np.lexsort((-spans.end, spans.start, spans.document))
    document, start, end = (c[order] for c in (spans.document, spans.start, spans.end))
    new = first_of_run(document) | first_of_run(start) | first_of_run(end)
    return document[new], start[new], end[new]


def _reach(document: Ints, end: Ints) -> Ints:
    """Return how far the spans before each one reach in its document, or -1."""
    width = int(end.max(initial=0)) + 1
    reached = np.maximum.accumulate(document * width + end)
    before = np.concatenate([[-1], reached[:-1]]) - document * width
    return np.where(first_of_run(document), -1, before)


def _nested(spans: Corpus) -> int:
    """Count spans that lie inside another."""
    if not len(spans):
        return 0
    document, _, end = _distinct(spans)
    return int(np.count_nonzero(_reach(document, end) >= end))


def _crossing(spans: Corpus) -> int:
    """Count spans that start inside another one and end after it.

    Of the spans that started before, those that have ended do not matter; a span crosses if
    one of the others ends before it does. They are kept in a stack, the innermost on top.
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
    """Return the greatest number of different spans that have a token in common."""
    if not len(spans):
        return 0
    document, start, end = _distinct(spans)
    width = int(end.max()) + 2
    places = np.concatenate([document * width + start, document * width + end + 1])
    steps = np.concatenate([np.ones(len(start)), -np.ones(len(end))])
    order = np.lexsort((steps, places))  # a span ends before the next one starts
    return int(np.cumsum(steps[order]).max())
