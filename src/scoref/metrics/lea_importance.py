"""How important an entity is for LEA: by its size, or by the types of mentions or entities."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from scoref.base.arrays import Floats, Ints
from scoref.exceptions import UsageError
from scoref.metrics.base import links
from scoref.metrics.needs import ENTITY_TYPES, MENTION_TYPES
from scoref.metrics.parameters import not_negative, one_of
from scoref.overlap.table import NOWHERE, Side, Table

Importance = Callable[[Table], tuple[Floats, Floats]]
"""Takes a table, returns the importance of each key entity and of each response entity."""

NEEDS = {"mention_types": frozenset({MENTION_TYPES}), "entity_type": frozenset({ENTITY_TYPES})}


def _by(size: Callable[[Ints], Floats]) -> Importance:
    return lambda table: (size(table.key_size), size(table.res_size))


BY_SIZE: dict[str, Importance] = {
    "size": _by(lambda size: size.astype(np.float64)),
    "uniform": _by(lambda size: np.ones(len(size))),
    "links": _by(lambda size: np.maximum(links(size), 1.0)),
}


def importance_function(
    importance: str | Importance,
    nam: float,
    nom: float,
    pro: float,
    other: float,
    **entity_types: float,
) -> Importance:
    """Check the parameters of `lea` and return the importance that they name."""
    if callable(importance):
        return importance
    one_of("lea", "importance", importance, (*BY_SIZE, *NEEDS))
    not_negative("lea", nam=nam, nom=nom, pro=pro, other=other, **entity_types)
    if entity_types and importance != "entity_type":
        raise UsageError(
            f"lea has no parameter {next(iter(entity_types))!r}",
            "weights of entity types require importance=entity_type",
        )
    if importance == "mention_types":
        return _by_mention_types(nam, nom, pro)
    if importance == "entity_type":
        by_type = {name.lower(): weight for name, weight in entity_types.items()}
        return _by_entity_type(by_type, other)
    return BY_SIZE[importance]


def _by_mention_types(nam: float, nom: float, pro: float) -> Importance:
    weights = np.array([nam, nom, pro])

    def importance(table: Table) -> tuple[Floats, Floats]:
        rows, worth = table.mentions, weights[table.mentions.type]
        key, response = (
            np.bincount(entity[entity != NOWHERE], worth[entity != NOWHERE], entities)
            for entity, entities in (
                (rows.key, len(table.key_size)),
                (rows.res, len(table.res_size)),
            )
        )
        return key.astype(np.float64), response.astype(np.float64)

    return importance


def _by_entity_type(weights: Mapping[str, float], other: float) -> Importance:
    def weigh(table: Table, side: Side, entities: int) -> Floats:
        kinds = table.mentions.entity_attribute(side, "type") if entities else np.zeros(0)
        if kinds is None or (kinds == "").any():
            raise UsageError(
                f"lea(importance=entity_type) requires entity types, but the {side} has none",
                "pass entities={doc: [{...}, ...]} to Corpus.from_entities",
            )
        found = [weights.get(str(kind).lower(), other) for kind in kinds.tolist()]
        return np.array(found, dtype=np.float64)

    return lambda table: (
        weigh(table, "key", len(table.key_size)),
        weigh(table, "response", len(table.res_size)),
    )
