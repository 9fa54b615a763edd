"""LEA: how well each entity is resolved, weighted by how important it is.

Moosavi & Strube (2016). The resolution of an entity is the share of its links that the other
side has. An entity of one mention has one link, to itself, which only an equal entity of one
mention shares. The default importance is the size; recall
weighs key entities, precision response entities.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from scoref.base.arrays import Floats, Ints
from scoref.exceptions import UsageError
from scoref.metrics.base import About, Metric, links, ratio_counts
from scoref.metrics.names import not_negative, one_of
from scoref.metrics.needs import ENTITY_TYPES, TYPES
from scoref.metrics.table import NOWHERE, SideName, Table

Importance = Callable[[Table], tuple[Floats, Floats]]
"""Takes a table, returns the importance of each key entity and of each response entity."""

NEEDS = {"mention_types": frozenset({TYPES}), "entity_type": frozenset({ENTITY_TYPES})}


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
    def weigh(table: Table, side: SideName) -> Floats:
        from scoref.metrics.typed import entity_types  # noqa: PLC0415  # few ask for it

        kinds = entity_types(table, side, "lea(importance=entity_type)")
        return np.array([weights.get(kind, other) for kind in kinds], dtype=np.float64)

    return lambda table: (weigh(table, "key"), weigh(table, "response"))


def count(table: Table, importance: Importance) -> Floats:
    """Count importance times resolution, and importance, of key and of response entities."""
    key, response = importance(table)
    common = links(table.count)
    equal = (table.cell_key_size == 1) & (table.cell_res_size == 1)
    in_key = np.where(equal, 1.0, common / np.maximum(links(table.cell_key_size), 1))
    in_response = np.where(equal, 1.0, common / np.maximum(links(table.cell_res_size), 1))
    recall = table.sum_cells(key[table.cell_key] * in_key)
    precision = table.sum_cells(response[table.cell_res] * in_response)
    return ratio_counts(table, recall, key, precision, response)


_count_by_size = partial(count, importance=BY_SIZE["size"])


def lea(
    importance: str | Importance = "size",
    nam: float = 1.0,
    nom: float = 0.75,
    pro: float = 0.5,
    other: float = 1.0,
    **entity_types: float,
) -> Metric:
    """Return LEA with an importance by name, or a function of your own.

    `importance` is `size`, `uniform`, `links`, `mention_types` with the weights `nam`, `nom` and
    `pro`, or `entity_type` with a weight for any type by its name, `per=1, org=0.5`, and `other`
    for the rest.
    """
    weigh = importance_function(importance, nam, nom, pro, other, **entity_types)
    return Metric(
        name="lea",
        count=_count_by_size if importance == "size" else partial(count, importance=weigh),
        needs=frozenset() if callable(importance) else NEEDS.get(importance, frozenset()),
        by_sums=importance in BY_SIZE,
        about=About(
            title="LEA (link-based entity-aware)",
            formula="R = sum over key entities k of |k| * (links of k in the response / links of"
            " k) / sum of |k|; P with the sides exchanged; a singleton has one link, to itself;"
            " importance=uniform, links, mention_types (weights nam, nom, pro) or entity_type"
            " (per=1, org=0.5, any type by name, other=1 for the rest) for |k|",
            paper="Moosavi & Strube 2016",
            rewards="entities whose links are found, the larger the more",
            ignores="nothing of the partition; mentions found but linked wrongly earn nothing",
        ),
    )


LEA = lea()
