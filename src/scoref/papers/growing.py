"""Responses that grow step by step: the constructions behind Moosavi & Strube 2016, Figs. 2-8.

The key has 17 entities and 79 mentions. A mention is (entity, position), both counted from 0.
The paper defines the responses of Figs. 4 to 7. Of Figs. 2, 3 and 8 it only says what grows, so
scoref defines their responses.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence

from scoref.papers.exhibits import Partition

Mention = tuple[int, int]
Entities = list[list[Mention]]

SIZES = (20, 10, 10, 5, 5, 5, 4, *[2] * 10)
KEY: Entities = [[(e, i) for i in range(size)] for e, size in enumerate(SIZES)]
LINKS = sum(math.comb(size, 2) for size in SIZES)

_SPLITS = ((18, 2), (3, 2), (2, 2), (16, 4), (10, 10), (5, 3, 2), (9, 9, 2), (9, 5, 6))
SPLITS = {"-".join(map(str, parts)): parts for parts in _SPLITS}  # Fig. 6: one entity in parts
_SPURIOUS = ((1, 2), (1, 10), (2, 0), (2, 2), (2, 10), (3, 0), (3, 2), (3, 10))
# Fig. 7: how many spurious mentions, and the size of the entity that they join
SPURIOUS = {f"{count}-{size}": (count, size) for count, size in _SPURIOUS}


def nearest_parts(share: float) -> list[int]:
    """Say how many mentions of each entity are resolved: about this share of its links.

    Entities of two have one link, so of these the first ones are resolved, as many as the
    share says.
    """
    pairs = [e for e, size in enumerate(SIZES) if size == 2]
    whole = set(pairs[: _half_up(len(pairs) * share)])

    def resolved(entity: int, size: int) -> int:
        if size == 2:
            return 2 if entity in whole else 0
        wanted = share * math.comb(size, 2)
        candidates: list[int] = [0, *range(2, size + 1)]
        return min(candidates, key=lambda m: abs(math.comb(m, 2) - wanted))

    return [resolved(entity, size) for entity, size in enumerate(SIZES)]


def largest_parts(share: float) -> list[int]:
    """Say how many mentions are resolved: all of the largest entities, while links last."""
    left = share * LINKS + 1e-9
    parts = []
    for size in SIZES:
        part = max(m for m in (0, *range(2, size + 1)) if math.comb(m, 2) <= left)
        left -= math.comb(part, 2)
        parts.append(part)
    return parts


def resolved_only(parts: Sequence[int]) -> Entities:
    """Return the resolved part of each entity (Fig. 2)."""
    return [entity[:part] for entity, part in zip(KEY, parts, strict=True) if part]


def with_wrong_pairs(parts: Sequence[int]) -> Entities:
    """Return the resolved parts, and all other mentions in pairs that do not corefer (Fig. 3)."""
    kept = resolved_only(parts)
    others = {e: entity[part:] for e, (entity, part) in enumerate(zip(KEY, parts, strict=True))}
    return [*kept, *wrong_pairs(others, kept)]


def wrong_pairs(mentions: Mapping[int, Sequence[Mention]], kept: Entities) -> Entities:
    """Pair mentions of different entities, always the two entities that have most left.

    A mention that is left over joins the first pair without its entity, else the smallest of
    the kept parts of another entity, to which it is added.
    """
    left = {entity: list(waiting) for entity, waiting in mentions.items()}
    pairs: Entities = []
    while True:
        order = sorted((e for e in left if left[e]), key=lambda e: (-len(left[e]), e))
        if len(order) < 2:
            break
        pairs.append([left[order[0]].pop(0), left[order[1]].pop(0)])
    for entity in order:
        for mention in left[entity]:
            free = [pair for pair in pairs if all(e != entity for e, _ in pair)]
            free = free[:1] or sorted((part for part in kept if part[0][0] != entity), key=len)
            free[0].append(mention)
    return pairs


def first_entities(count: int, *, largest_first: bool) -> Partition:
    """Return whole entities, by decreasing (Fig. 4) or increasing size (Fig. 5)."""
    order = KEY if largest_first else KEY[::-1]
    return order[:count]


def split(parts: Sequence[int]) -> Partition:
    """Return the key with its first entity of the size of all parts split into them (Fig. 6)."""
    at = SIZES.index(sum(parts))
    ends = itertools.pairwise(itertools.accumulate(parts, initial=0))
    return [*KEY[:at], *KEY[at + 1 :], *(KEY[at][start:end] for start, end in ends)]


def with_spurious(count: int, size: int) -> Partition:
    """Return the key with spurious mentions in an entity of a size; 0: in a new one (Fig. 7)."""
    added = [(-1, i) for i in range(count)]
    if not size:
        return [*KEY, added]
    at = SIZES.index(size)
    return [*KEY[:at], [*KEY[at], *added], *KEY[at + 1 :]]


def without_right_link(share: float) -> Entities:
    """Return a share of the mentions, first ones first, in pairs that do not corefer (Fig. 8)."""
    mentions = sorted((i, e) for entity in KEY for e, i in entity)
    chosen: dict[int, list[Mention]] = {}
    for i, e in mentions[: _half_up(share * len(mentions))]:
        chosen.setdefault(e, []).append((e, i))
    return wrong_pairs(chosen, [])


def _half_up(number: float) -> int:
    return math.floor(number + 0.5 + 1e-9)
