"""Statistics of a corpus: entities by size, mentions by length, nesting and type.

The size bins are those of Recasens & Hovy (2011), Table 2, whose last row is labelled "> 11" but
includes 11.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scoref.base.arrays import Bools, Ints, first_of_run
from scoref.corpus.attributes import MENTION_TYPES
from scoref.corpus.corpus import Corpus
from scoref.corpus.document import UNKNOWN
from scoref.matching.fields import bins

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
    by_length: tuple[Bin, ...] = ()
    nested = crossing = deepest = None
    if spans is not None:
        by_length = _bins(spans.end - spans.start + 1, LENGTHS, "token")
        nested, crossing, deepest = _nesting(spans)
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
        mentions_by_length=by_length,
        nested_mentions=nested,
        crossing_mentions=crossing,
        deepest_nesting=deepest,
        mentions_by_type=_types(corpus),
    )


def _bins(values: Ints, edges: tuple[int, ...], what: str) -> tuple[Bin, ...]:
    return tuple(
        Bin(f"{f'>={name[:-1]}' if name.endswith('+') else name}-{what}", *_count(among))
        for name, among in bins(values, edges)
    )


def _count(among: Bools) -> tuple[int, float]:
    count = int(np.count_nonzero(among))
    return count, count / len(among) if len(among) else 0.0


def _types(corpus: Corpus) -> tuple[Bin, ...]:
    column = corpus.attributes.get("type")
    if column is None or not len(corpus):
        return ()
    found = [Bin(name, *_count(column == name)) for name in MENTION_TYPES]
    unknown = Bin("unknown", *_count(column == ""))
    return (*found, unknown) if unknown.count else tuple(found)


def _nesting(spans: Corpus) -> tuple[int, int, int]:
    """Count nested spans, crossing spans, and the most spans over one token; repeats count once.

    A nested span is inside another span. A crossing span starts inside another span and ends after
    it. The stack has the ends of the spans that are open where a span starts. Of spans with the
    same start, the longest comes first.
    """
    order = np.lexsort((-spans.end, spans.start, spans.document))
    columns = [column[order] for column in (spans.document, spans.start, spans.end)]
    new = np.logical_or.reduce([first_of_run(column) for column in columns])
    nested = crossing = deepest = 0
    stack: list[int] = []
    last = None
    for document, start, end in zip(*(column[new].tolist() for column in columns), strict=True):
        if document != last:
            stack, last = [], document
        stack = [other for other in stack if other >= start]
        nested += any(other >= end for other in stack)
        crossing += any(other < end for other in stack)
        stack.append(end)
        deepest = max(deepest, len(stack))
    return nested, crossing, deepest
