"""The walk-through of LEA: how well each entity is resolved, times its importance."""

from __future__ import annotations

import numpy as np

from scoref.explanation.blocks import GridColumns, Total
from scoref.explanation.explainer import Columns, Steps, show_types
from scoref.explanation.expressions import (
    Fractions,
    decimals,
    fractions,
    links,
    ratios,
    sum_groups,
    written,
)
from scoref.explanation.scene import Partition, Scene
from scoref.metrics.table import NOWHERE

_TEXT = (
    "Each entity is resolved by the share of its n(n - 1)/2 links that the other side has. This"
    " share is multiplied by the importance of the entity, {importance}. An entity of one mention"
    " has one link, to itself; the other side has it only if it has the same entity of one"
    " mention. Recall is the sum of these products over the sum of importance for key entities,"
    " precision for response entities."
)


def lea(  # noqa: PLR0917  # as the metric
    steps: Steps,
    importance: str = "size",
    nam: float = 1.0,
    nom: float = 0.75,
    pro: float = 0.5,
    other: float = 1.0,
    **entity_types: float,
) -> Columns:
    """Explain LEA with an importance: what is resolved of it, and all of it."""
    named = [f"{written(weight)} for {name.upper()}, " for name, weight in entity_types.items()]
    meaning = {
        "size": "the number of its mentions",
        "uniform": "which is 1 for all",
        "links": "the number of its links",
        "mention_types": f"the sum of its mentions' weights: {written(nam)} for a name,"
        f" {written(nom)} for a nominal, {written(pro)} for a pronoun",
        "entity_type": f"the weight of its type: {''.join(named)}{written(other)} for any"
        f"{' other' if named else ''}",
    }
    steps.show(_TEXT.format(importance=meaning[importance]))
    if importance == "mention_types":
        show_types(steps)
    counts: Columns = ()
    for side, caption in steps.scene.ratios:
        kinds: GridColumns = {}
        weights = fractions(side.sizes if importance == "size" else np.ones_like(side.sizes))
        if importance == "mention_types":
            there = side.entity != NOWHERE
            by_type = decimals((nam, nom, pro))[steps.scene.rows.type[there]]
            weights = sum_groups(side.entity[there], by_type, len(side.names))
        elif importance == "entity_type":
            kinds["type"] = types = _entity_types(steps.scene, side)
            weights = decimals([entity_types.get(kind.lower(), other) for kind in types])
        elif importance == "links":
            weights = fractions(np.maximum(links(side.sizes), 1))
        counts += _show_side(steps, side, weights, kinds, caption)
    return counts


def _entity_types(scene: Scene, side: Partition) -> list[str]:
    """Return the type of each entity of a side."""
    types = scene.rows.entity_attribute(side.side, "type")
    return [] if types is None else [str(one) for one in types.tolist()]


def _show_side(
    steps: Steps, side: Partition, importance: Fractions, kinds: GridColumns, caption: str
) -> Columns:
    """Show the entities of one side; return what is resolved of their importance, and all."""
    n, k, r = steps.scene.cell_sizes
    cell = steps.scene.table.cell_key if side.side == "key" else steps.scene.table.cell_res
    common = np.zeros(len(side.names), dtype=np.int64)
    np.add.at(common, cell, np.where((k == 1) & (r == 1), 1, links(n)))
    own = np.maximum(links(side.sizes), 1)  # one mention has a link to itself
    resolution = ratios(common, own)
    columns: GridColumns = {
        "entity": side.names,
        **kinds,
        "n": side.sizes,
        "importance": Total(importance),
        "links": own,
        "common": common,
        "resolution": resolution,
        "product": Total(importance * resolution),
    }
    weight = importance + fractions(side.sizes) / 10**9  # large entities first
    total, resolved = steps.table(caption, columns, weight)
    return resolved, total
