"""The mentions and entities of one side with their weights, as fractions."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from scoref.explanation.expressions import ONE, ZERO, decimal
from scoref.explanation.scene import Scene
from scoref.metrics.ace.rules import MENTION_TYPES, Rules
from scoref.metrics.ace.sides import collect
from scoref.overlap.table import NOWHERE, Side


class Mention(NamedTuple):
    """A mention: its row in the scene, its entity, head, weight and attributes."""

    row: int
    entity: int
    head: tuple[int, int]
    weight: Fraction
    kind: str
    role: str
    style: str
    text: str


class Entity(NamedTuple):
    """An entity: its weight by type and class, its level, the sum of its mentions' weights."""

    name: str
    kind: str
    subtype: str
    kind_class: str
    weight: Fraction
    level: Fraction
    total: Fraction

    @property
    def attributes(self) -> str:
        """Type, subtype and class, as far as they are known."""
        return " ".join(filter(None, [self.kind, self.subtype, self.kind_class]))

    def share(self, *, by_mentions: bool) -> Fraction:
        """Return what each unit of mention weight is worth: level by sum, or one."""
        if by_mentions:
            return ONE
        return self.level / self.total if self.total else ZERO

    def worth(self, *, by_mentions: bool) -> Fraction:
        """Return the value of the entity."""
        return self.weight * (self.total if by_mentions else self.level)


class Valued(NamedTuple):
    """One side of a document."""

    side: Side
    mentions: list[Mention]
    entities: list[Entity]


def read_side(scene: Scene, side: Side, rules: Rules) -> Valued:
    """Take the attributes as the measure takes them, and weigh them."""
    entity_of, names = (scene.key, scene.keys) if side == "key" else (scene.res, scene.responses)
    unit = scene.table.key_unit if side == "key" else scene.table.res_unit
    told, about = collect(scene.rows, side, unit, rules)
    weights = [decimal(weight) for weight in rules.mention_weight]
    columns = (told.start, told.end, told.kind, told.role, told.style, told.text)
    rows = zip(
        np.flatnonzero(entity_of != NOWHERE).tolist(),
        told.entity.tolist(),
        *(column.tolist() for column in columns),
        strict=True,
    )
    mentions = [
        Mention(
            row, entity, (start, end), weights[kind], MENTION_TYPES[kind], role, style, str(text)
        )
        for row, entity, start, end, kind, role, style, text in rows
    ]
    levels, totals = [ZERO] * len(names), [ZERO] * len(names)
    for mention in mentions:
        levels[mention.entity] = max(levels[mention.entity], _level(mention, rules))
        totals[mention.entity] += mention.weight
    by_type, by_class = dict(rules.entity_weight), dict(rules.class_weight)
    attributes = zip(
        names,
        about.kind.tolist(),
        about.subtype.tolist(),
        about.kind_class.tolist(),
        levels,
        totals,
        strict=True,
    )
    entities = [
        Entity(
            name,
            kind,
            subtype,
            kind_class,
            decimal(by_type.get(kind, 1.0)) * decimal(by_class[kind_class]),
            level,
            total,
        )
        for name, kind, subtype, kind_class, level, total in attributes
    ]
    return Valued(side, mentions, entities)


def _level(mention: Mention, rules: Rules) -> Fraction:
    """Return what a mention lends its entity; in 2008 a metonymic name counts as a nominal."""
    lowered = rules.metonymy_lowers and mention.style == "METONYMIC" and mention.kind == "name"
    return decimal(rules.mention_weight[1]) if lowered else mention.weight
