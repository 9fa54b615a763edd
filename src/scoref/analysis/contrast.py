"""How each system resolves the key entities, and which entities only one system gets right.

The verdict on a key entity says where the response has its mentions:

    right         in a response entity that is equal to the key entity
    missed        nowhere
    split         in several response entities, or some are missing
    merged        in one response entity, together with mentions that do not belong there
    scattered     split, and a part is merged with mentions that do not belong there
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scoref.analysis.aligned_mentions import AlignedMentions, most_specific
from scoref.base.arrays import Bools, Floats, Ints, sum_by
from scoref.corpus.attributes import MENTION_TYPES
from scoref.exceptions import UsageError
from scoref.matching.fields import FIELDS, bins
from scoref.metrics.base import links
from scoref.metrics.table import NOWHERE

VERDICTS = ("right", "missed", "split", "merged", "scattered")
RIGHT, MISSED, SPLIT, MERGED, SCATTERED = range(len(VERDICTS))


@dataclass(frozen=True, slots=True, eq=False)
class KeyEntities:
    """One row per key entity, numbered as in the table.

    `resolution` is the share of its links that the response has, as in LEA. `type` is its most
    specific mention type, or NOWHERE. `anchor` is the row of the mention that represents it.
    """

    size: Ints
    verdict: Ints
    resolution: Floats
    type: Ints
    anchor: Ints

    @property
    def right(self) -> Bools:
        """Whether the response has an equal entity."""
        return np.equal(self.verdict, RIGHT)


def key_entities(mentions: AlignedMentions) -> KeyEntities:
    """Return the verdict on each key entity, with its size, its type and its resolution."""
    table = mentions.table
    entities = len(table.key_size)
    parts = np.bincount(table.cell_key, minlength=entities)
    kept = table.key_kept
    mixed = np.zeros(entities, dtype=bool)
    mixed[table.cell_key[table.count < table.cell_res_size]] = True
    whole = (parts == 1) & (kept == table.key_size)
    verdict = np.select(
        [kept == 0, whole & ~mixed, whole & mixed, mixed], [MISSED, RIGHT, MERGED, SCATTERED], SPLIT
    )
    alone = (table.cell_key_size == 1) & (table.cell_res_size == 1)
    common = np.where(alone, 1.0, links(table.count) / np.maximum(links(table.cell_key_size), 1))
    in_key = mentions.key != NOWHERE
    return KeyEntities(
        size=table.key_size,
        verdict=verdict,
        resolution=sum_by(table.cell_key, common, entities),
        type=most_specific(mentions.key[in_key], mentions.type[in_key], entities),
        anchor=mentions.representatives("key"),
    )


@dataclass(frozen=True, slots=True)
class Contrast:
    """A class of key entities: how many each system gets right, and how many only it does."""

    by: str
    name: str
    entities: int
    right: Mapping[str, int]
    alone: Mapping[str, int]


def contrast(systems: Mapping[str, KeyEntities]) -> tuple[Contrast, ...]:
    """Compare systems on the same key, by type and by size of the key entities."""
    first, *others = systems.values()
    if any(len(first.size) != len(other.size) for other in others):
        raise UsageError("systems must be contrasted on the same key, got keys of different sizes")
    right = {name: entities.right for name, entities in systems.items()}
    many = np.sum(list(right.values()), axis=0)
    classes: list[tuple[str, str, Bools]] = [("all", "all", np.ones(len(first.size), dtype=bool))]
    classes += [("type", name, first.type == number) for number, name in enumerate(MENTION_TYPES)]
    classes += [
        ("size", name, among) for name, among in bins(first.size, FIELDS["entity_size"].edges)
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


def only_right(one: KeyEntities, other: KeyEntities) -> Sequence[int]:
    """Return the key entities that one system gets right and the other does not, worst first."""
    at = np.flatnonzero(one.right & ~other.right)
    lost = (one.size * (1 - other.resolution))[at]
    ordered: list[int] = at[np.argsort(-lost, kind="stable")].tolist()
    return ordered
