"""Mentions that are in several entities: whether a conversion preserves which of them is first.

Scoring keeps the first of equal mentions. Tables, JSON lines and clusters preserve the order of
entities. Brackets in a text have only the order of the text. If that order puts another entity
first, a conversion reports it.
"""

from __future__ import annotations

import numpy as np

from scoref.base.arrays import Ints, first_of_run, pack
from scoref.corpus.corpus import Corpus
from scoref.corpus.identity import mention_codes

FIRST_OF_REPEATS = "which repeated mention comes first"


def may_change_first(corpus: Corpus, target: str) -> bool:
    """Whether a format without an order of entities can put another of equal mentions first.

    Formats differ in the order of mentions that start at the same token: mentions of one token
    first, or the longest first. The file to write can have either order.
    """
    codes = mention_codes(corpus)
    in_order = np.sort(codes)
    if not np.any(in_order[1:] == in_order[:-1]):
        return False
    if target != "conll":  # whose writer opens equal mentions in the order of their entities
        return len(np.unique(codes)) < len(np.unique(pack(codes, corpus.entity)))
    longer = corpus.end > corpus.start
    orders = (
        np.lexsort((corpus.entity, -corpus.end, corpus.start, corpus.document)),
        np.lexsort((corpus.entity, -corpus.end, longer, corpus.start, corpus.document)),
    )
    now = _first(codes, corpus.entity, np.arange(corpus.entity_count))
    return any(
        not np.array_equal(now, _first(codes, corpus.entity, _rank(corpus, order)))
        for order in orders
    )


def _rank(corpus: Corpus, order: Ints) -> Ints:
    """Number entities by their first mention in an order of the mentions."""
    rank = np.full(corpus.entity_count, len(order), dtype=np.int64)
    np.minimum.at(rank, corpus.entity[order], np.arange(len(order)))
    return rank


def _first(codes: Ints, entity: Ints, rank: Ints) -> Ints:
    """Return the entity of the first of each group of equal mentions."""
    order = np.lexsort((rank[entity], codes))
    return entity[order[first_of_run(codes[order])]]
