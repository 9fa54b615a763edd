"""Partitions as papers write them, `{a b c} {d e}`, and what two of them have in common."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

Entities = tuple[tuple[str, ...], ...]
Pair = frozenset[str]


class Cell(NamedTuple):
    """The mentions that a key entity and a response entity share, and the places of the two."""

    key: int
    response: int
    mentions: tuple[str, ...]


def parse(text: str) -> Entities:
    """Read entities in braces; mentions are separated by blanks."""
    return tuple(tuple(inside.split()) for inside in re.findall(r"\{([^}]*)\}", text))


def write(entities: Entities) -> str:
    """Write entities in braces; no entities are a dash."""
    return " ".join("{" + " ".join(mentions) + "}" for mentions in entities) or "-"


def mentions_of(*sides: Entities) -> tuple[str, ...]:
    """Return the mentions of some partitions, each once, in their order."""
    return tuple(dict.fromkeys(one for side in sides for entity in side for one in entity))


def cells(key: Entities, response: Entities) -> Iterator[Cell]:
    """Return what each key entity shares with each response entity, if it is not empty."""
    for at, one in enumerate(key):
        for other, two in enumerate(response):
            if shared := tuple(mention for mention in one if mention in two):
                yield Cell(at, other, shared)


def links(entities: Entities) -> set[Pair]:
    """Return all pairs of mentions that are in one entity."""
    return {frozenset(pair) for entity in entities for pair in combinations(entity, 2)}


def spanning_links(entity: Sequence[str], other: Entities) -> tuple[set[Pair], set[Pair]]:
    """Return the fewest links that hold an entity together: those that the other side has, too.

    The other side cuts the entity into parts. Links inside of parts are on both sides, links
    from part to part on this side only. This is how MUC counts.
    """
    parts = [tuple(m for m in entity if m in one) for one in other]
    there = mentions_of(other)
    parts = [part for part in parts if part] + [(m,) for m in entity if m not in there]
    parts.sort(key=lambda part: entity.index(part[0]))
    inside = {frozenset(pair) for part in parts for pair in pairwise(part)}
    between = {frozenset((one[-1], two[0])) for one, two in pairwise(parts)}
    return inside, between
