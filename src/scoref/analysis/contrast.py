"""Key entities as each system resolves them, and what one gets right and another does not.

The verdict on a key entity says what the response made of its mentions:

    right         a response entity is equal to it
    missed        none of its mentions is in the response
    split         its mentions are in several response entities, or some are missing
    merged        all are in one response entity, with mentions of others or extra ones
    scattered     split, and a part of it is merged with others
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scoref.analysis.errors.kinds import first_rows
from scoref.analysis.aligned_mentions import AlignedMentions
from scoref.analysis.slices import SIZES, bins
from scoref.base.arrays import Bools, Floats, Ints, sum_by
from scoref.corpus.attributes import MENTION_TYPES
from scoref.exceptions import UsageError
from scoref.metrics.base import links
from scoref.overlap.table import NOWHERE, PRONOUN

VERDICTS = ("right", "missed", "split", "merged", "scattered")
RIGHT, MISSED, SPLIT, MERGED, SCATTERED = range(len(VERDICTS))


@dataclass(frozen=True, slots=True, eq=False)
class KeyEntities:
    """One row per key entity, in the numbers of the table.

    `resolution` is the share of its links that the response has, as in LEA. `type` is its
    most telling mention type, or NOWHERE; `anchor` is the row of the mention to call it by.
    """

    unit: Ints
    size: Ints
    verdict: Ints
    resolution: Floats
    type: Ints
    anchor: Ints

    @property
    def right(self) -> Bools:
        """Whether the response has an equal entity."""
        equal: Bools = self.verdict == RIGHT
        return equal


def key_entities(reading: AlignedMentions) -> KeyEntities:
    """Say of each key entity what the response made of it."""
    table, key = reading.table, reading.key
    entities = len(table.key_size)
    parts = np.bincount(table.cell_key, minlength=entities)
    kept = table.key_kept
    mixed = np.zeros(entities, dtype=bool)
    mixed[table.cell_key[table.count < table.cell_res_size]] = True
    whole = (parts == 1) & (kept == table.key_size)
    verdict = np.select(
        [kept == 0, whole & ~mixed, whole & mixed, mixed],
        [MISSED, RIGHT, MERGED, SCATTERED],
        SPLIT,
    )
    alone = (table.cell_key_size == 1) & (table.cell_res_size == 1)
    common = np.where(alone, 1.0, links(table.count) / np.maximum(links(table.cell_key_size), 1))
    there = np.flatnonzero(key != NOWHERE)
    types = reading.type
    known = there[types[there] != NOWHERE]
    best = np.full(entities, len(MENTION_TYPES), dtype=np.int64)
    np.minimum.at(best, key[known], types[known])
    first = first_rows(key, reading.order, key != NOWHERE, entities)
    telling = first_rows(key, reading.order, (key != NOWHERE) & (types != PRONOUN), entities)
    return KeyEntities(
        unit=table.key_unit,
        size=table.key_size,
        verdict=verdict,
        resolution=sum_by(table.cell_key, common, entities),
        type=np.where(best == len(MENTION_TYPES), NOWHERE, best),
        anchor=np.where(telling == NOWHERE, first, telling),
    )


@dataclass(frozen=True, slots=True)
class Contrast:
    """Key entities of one kind: how many each system gets right, and how many it alone does."""

    by: str
    name: str
    entities: int
    right: Mapping[str, int]
    alone: Mapping[str, int]


def contrast(systems: Mapping[str, KeyEntities]) -> tuple[Contrast, ...]:
    """Compare systems on the same key, by type and by size of its entities."""
    first, *others = systems.values()
    if any(len(first.size) != len(other.size) for other in others):
        raise UsageError("systems can only be contrasted on one key")
    right = {name: entities.right for name, entities in systems.items()}
    many = np.sum(list(right.values()), axis=0)
    classes: list[tuple[str, str, Bools]] = [("all", "all", np.ones(len(first.size), dtype=bool))]
    classes += [("type", name, first.type == number) for number, name in enumerate(MENTION_TYPES)]
    classes += [
        ("size", name, (first.size >= low) & (first.size < high)) for name, low, high in bins(SIZES)
    ]
    return tuple(
        Contrast(
            by,
            name,
            int(among.sum()),
            {system: int((among & one).sum()) for system, one in right.items()},
            {system: int((among & one & (many == 1)).sum()) for system, one in right.items()},
        )
        for by, name, among in classes
        if among.any()
    )


def differing(systems: Mapping[str, KeyEntities], one: str, other: str) -> Sequence[int]:
    """List the key entities that one system gets right and the other does not, worst first."""
    ours, theirs = systems[one], systems[other]
    at = np.flatnonzero(ours.right & ~theirs.right)
    lost = (ours.size * (1 - theirs.resolution))[at]
    ordered: list[int] = at[np.argsort(-lost, kind="stable")].tolist()
    return ordered
