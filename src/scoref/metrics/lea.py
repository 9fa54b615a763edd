"""LEA: how well each entity is resolved, weighted by how important it is.

Moosavi & Strube (2016). The resolution of an entity is the share of its links that the other
side has. An entity of one mention has one link, to itself, which only an equal entity of one
mention shares. The default importance is the size (`lea_importance.py` has the others); recall
weighs key entities, precision response entities.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from scoref.base.arrays import Floats
from scoref.metrics.base import About, Metric, links, ratio_counts
from scoref.metrics.lea_importance import BY_SIZE, NEEDS, Importance, importance_function
from scoref.overlap.table import Table


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
