"""LEA: how well each entity is resolved, weighted by how important it is.

Moosavi & Strube (2016). Resolution is the share of the entity's links that the other side
has. An entity of one mention has one link, to itself, which only an equal entity of one
mention has too. Importance is size unless something else is asked for; recall weighs key
entities, precision response entities.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from scoref.base.arrays import Floats, Ints
from scoref.exceptions import UsageError
from scoref.metrics.base import ENTITY_TYPES, TYPES, About, Metric, links
from scoref.metrics.parameters import not_negative, one_of
from scoref.overlap.table import NOWHERE, Side, Table

Importance = Callable[[Table], tuple[Floats, Floats]]
"""Takes a table, returns the importance of each key entity and of each response entity."""


def count(table: Table, importance: Importance) -> Floats:
    """Count importance times resolution, and importance, of key and of response entities."""
    key, response = importance(table)
    common = links(table.count)
    alone = (table.cell_key_size == 1) & (table.cell_res_size == 1)
    in_key = np.where(alone, 1.0, common / np.maximum(links(table.cell_key_size), 1))
    in_response = np.where(alone, 1.0, common / np.maximum(links(table.cell_res_size), 1))
    columns = [
        table.sum_cells(key[table.cell_key] * in_key),
        table.sum_keys(key),
        table.sum_cells(response[table.cell_res] * in_response),
        table.sum_responses(response),
    ]
    return np.stack(columns, axis=-1)


def _by(size: Callable[[Ints], Floats]) -> Importance:
    return lambda table: (size(table.key_size), size(table.res_size))


def _by_mention_types(nam: float, nom: float, pro: float) -> Importance:
    weights = np.array([nam, nom, pro])

    def importance(table: Table) -> tuple[Floats, Floats]:
        rows = table.mentions
        worth = weights[rows.type]
        in_key, in_response = rows.key != NOWHERE, rows.res != NOWHERE
        key, response = np.zeros(len(table.key_size)), np.zeros(len(table.res_size))
        np.add.at(key, rows.key[in_key], worth[in_key])
        np.add.at(response, rows.res[in_response], worth[in_response])
        return key, response

    return importance


def _by_entity_type(weights: Mapping[str, float], other: float) -> Importance:
    def importance(table: Table) -> tuple[Floats, Floats]:
        key = _weights_of("key", len(table.key_size), table)
        return key, _weights_of("response", len(table.res_size), table)

    def _weights_of(side: Side, entities: int, table: Table) -> Floats:
        kinds = table.mentions.entity_attribute(side, "type") if entities else np.zeros(0)
        if kinds is None or (kinds == "").any():
            raise UsageError(
                f"lea(importance=entity_type) needs entity types, but the {side} has none",
                "pass entities={doc: [{...}, ...]} to Corpus.from_entities",
            )
        found = [weights.get(str(kind).lower(), other) for kind in kinds.tolist()]
        return np.array(found, dtype=np.float64)

    return importance


_BY_SIZE: dict[str, Importance] = {
    "size": _by(lambda size: size.astype(np.float64)),
    "uniform": _by(lambda size: np.ones(len(size))),
    "links": _by(lambda size: np.maximum(links(size), 1.0)),
}


_NEEDS = {"mention_types": {TYPES}, "entity_type": {ENTITY_TYPES}}


def lea(
    importance: str | Importance = "size",
    nam: float = 1.0,
    nom: float = 0.75,
    pro: float = 0.5,
    other: float = 1.0,
    **entity_types: float,
) -> Metric:
    """Make LEA with an importance by name, or by a function of your own.

    `nam`, `nom` and `pro` are for `mention_types`; for `entity_type`, any type can be given a
    weight by its name, `per=1, org=0.5`, and `other` is for the rest.
    """
    needs: frozenset[str] = frozenset()
    if callable(importance):
        weigh: Importance = importance
    else:
        one_of("lea", "importance", importance, (*_BY_SIZE, *_NEEDS))
        not_negative("lea", nam=nam, nom=nom, pro=pro, other=other, **entity_types)
        if entity_types and importance != "entity_type":
            raise UsageError(
                f"lea has no parameter {next(iter(entity_types))!r}",
                "weights of entity types go with importance=entity_type",
            )
        by_type = {name.lower(): weight for name, weight in entity_types.items()}
        weigh = _BY_SIZE.get(importance) or (
            _by_mention_types(nam, nom, pro)
            if importance == "mention_types"
            else _by_entity_type(by_type, other)
        )
        needs = frozenset(_NEEDS.get(importance, ()))
    return Metric(
        name="lea",
        count=_count_by_size if weigh is _BY_SIZE["size"] else lambda table: count(table, weigh),
        needs=needs,
        by_sums=importance in _BY_SIZE,
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


def _count_by_size(table: Table) -> Floats:
    return count(table, _BY_SIZE["size"])


LEA = lea()
