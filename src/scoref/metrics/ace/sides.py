"""The mentions and entities of one side, with the weights that the rules give them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Floats, Ints, sum_by
from scoref.exceptions import UsageError
from scoref.metrics.ace.rules import MENTION_TYPES, SPECIFIC, Rules, Weights
from scoref.metrics.base import divide
from scoref.overlap.mention_rows import MentionRows
from scoref.overlap.table import NOWHERE, Side


class Mentions(NamedTuple):
    """The mentions of one side: their entity, document, head, weight and attributes."""

    entity: Ints
    unit: Ints
    start: Ints
    end: Ints
    weight: Floats
    kind: Ints
    role: NDArray[Any]
    style: NDArray[Any]
    text: NDArray[Any]


class Entities(NamedTuple):
    """The entities of one side.

    `value` is the weight of type and class, `level` that of the best mention type, and
    `total` the sum of the weights of all mentions.
    """

    value: Floats
    level: Floats
    total: Floats
    kind: NDArray[Any]
    subtype: NDArray[Any]
    kind_class: NDArray[Any]

    def share(self, *, by_mentions: bool) -> Floats:
        """Return what each unit of mention weight is worth: level by sum, or one."""
        if by_mentions:
            return np.ones(len(self.level))
        return np.nan_to_num(divide(self.level, self.total))

    def worth(self, *, by_mentions: bool) -> Floats:
        """Return the value of each entity."""
        return self.value * (self.total if by_mentions else self.level)


def collect(rows: MentionRows, side: Side, unit: Ints, rules: Rules) -> tuple[Mentions, Entities]:
    """Collect the mentions and entities of one side."""
    entity = rows.key if side == "key" else rows.res
    at = np.flatnonzero(entity != NOWHERE)
    entity = entity[at]
    kinds = rows.entity_attribute(side, "type") if len(unit) else np.zeros(0, dtype="U1")
    if kinds is None or (kinds == "").any():
        raise UsageError(
            f"ace needs the type (PER, ORG, ...) of each entity, but the {side} does not have it",
            "read ACE files, or pass entities={doc: [{...}, ...]} to Corpus.from_entities",
        )
    start, end = (_needed(rows, side, f"head_{end}", "head", at) for end in ("start", "end"))
    names = _needed(rows, side, "type", "type (name, nominal, pronoun)", at).tolist()
    kind = np.array([MENTION_TYPES.index(name) for name in names], dtype=np.int64)
    style = _optional(rows.attribute(side, "style"), at, "LITERAL")
    weight = np.array(rules.mention_weight)[kind]
    mentions = Mentions(
        entity,
        rows.unit[at],
        start,
        end,
        weight,
        kind,
        _optional(rows.attribute(side, "role"), at, kinds[entity]),
        style,
        _optional(rows.attribute(side, "head_text"), at, ""),
    )
    everyone = np.arange(len(unit))
    classes = _optional(
        rows.entity_attribute(side, "class") if len(unit) else None, everyone, SPECIFIC
    )
    level = np.zeros(len(unit))
    lowered = rules.metonymy_lowers & (style == "METONYMIC") & (kind == 0)
    np.maximum.at(level, entity, np.where(lowered, rules.mention_weight[1], weight))
    entities = Entities(
        _weigh(kinds, rules.entity_weight) * _weigh_classes(classes, rules.class_weight),
        level,
        sum_by(entity, weight, len(unit)),
        kinds,
        _optional(rows.entity_attribute(side, "subtype") if len(unit) else None, everyone, ""),
        classes,
    )
    return mentions, entities


def _needed(rows: MentionRows, side: Side, name: str, what: str, at: Ints) -> NDArray[Any]:
    """Return an attribute that every mention must have."""
    values = rows.attribute(side, name)
    if values is None:
        values = np.full(int(at.max(initial=-1)) + 1, "")
    found = values[at]
    if missing := int(np.count_nonzero(found == (-1 if found.dtype.kind == "i" else ""))):
        raise UsageError(
            f"ace needs the {what} of each mention, but {missing} of the {side} have none",
            "read ACE files, or pass mentions={doc: {mention: {...}}} to Corpus.from_entities",
        )
    return found if len(found) else np.zeros(0, dtype=np.int64)


def _optional(values: NDArray[Any] | None, at: Ints, default: Any) -> NDArray[Any]:
    """Return an attribute, with a default where nothing is said."""
    found = np.full(len(at), "") if values is None else values[at]
    return np.where(found == "", default, found)


def _weigh(kinds: NDArray[Any], weights: Weights) -> Floats:
    """Weigh entities by type; one that is not listed weighs one."""
    return np.array([dict(weights).get(kind, 1.0) for kind in kinds.tolist()], dtype=np.float64)


def _weigh_classes(classes: NDArray[Any], weights: Weights) -> Floats:
    known = dict(weights)
    if unknown := sorted(set(classes.tolist()) - known.keys()):
        raise UsageError(
            f"an entity has the class {unknown[0]!r}, which ace does not know",
            f"one of: {', '.join(known)}",
        )
    return np.array([known[name] for name in classes.tolist()], dtype=np.float64)
