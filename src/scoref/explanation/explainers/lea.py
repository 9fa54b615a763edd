"""The walk-through of LEA: how well each entity is resolved, times its importance."""

from __future__ import annotations

import numpy as np

from scoref.base.arrays import Ints
from scoref.explanation.blocks import Block, GridColumns, Total
from scoref.explanation.entities import type_table
from scoref.explanation.explainer import CountedTerms, Explainer
from scoref.explanation.expressions import (
    Fractions,
    Number,
    decimal,
    decimals,
    exact_sum,
    fractions,
    links,
    ratios,
    sum_groups,
    written,
)
from scoref.explanation.scene import Partition, Scene
from scoref.overlap.table import NOWHERE

_TEXT = (
    "Each entity is resolved by the share of its n(n - 1)/2 links that the other side has. This"
    " share is multiplied by the importance of the entity, {importance}. An entity of one mention"
    " has one link, to itself; the other side has it only if it has the same entity of one"
    " mention. Recall is the sum of these products over the sum of importance for key entities,"
    " precision for response entities."
)


def lea(
    importance: str = "size",
    nam: float = 1.0,
    nom: float = 0.75,
    pro: float = 0.5,
    other: float = 1.0,
    **entity_types: float,
) -> Explainer:
    """Explain LEA with an importance."""
    weights = decimals((nam, nom, pro))
    by_entity_type = {name.lower(): decimal(weight) for name, weight in entity_types.items()}
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

    def weigh(scene: Scene, side: Partition) -> Fractions:
        if importance == "mention_types":
            there = side.entity != NOWHERE
            worth = weights[scene.rows.type[there]]
            return sum_groups(side.entity[there], worth, len(side.names))
        if importance == "entity_type":
            kinds = [kind.lower() for kind in _kinds(scene, side)]
            return np.array([by_entity_type.get(kind, decimal(other)) for kind in kinds], object)
        if importance == "links":
            return fractions(_own_links(side.sizes))
        return fractions(side.sizes if importance == "size" else np.ones_like(side.sizes))

    def count(scene: Scene) -> CountedTerms:
        blocks: list[Block] = [_TEXT.format(importance=meaning[importance])]
        blocks += [type_table(scene)] if importance == "mention_types" else []
        columns: list[Number] = []
        for side, what in zip(scene.sides, ("recall", "precision"), strict=True):
            kinds: GridColumns = (
                {"type": _kinds(scene, side)} if importance == "entity_type" else {}
            )
            caption = f"For {what}, the entities of the {side.side}"
            table, sums = _side(scene, side, weigh(scene, side), kinds, caption)
            blocks.append(table)
            columns += sums
        return CountedTerms(tuple(columns), blocks)

    return Explainer(count)


def _kinds(scene: Scene, side: Partition) -> list[str]:
    """Return the type of each entity of a side."""
    kinds = scene.rows.entity_attribute(side.side, "type")
    return [] if kinds is None else [str(kind) for kind in kinds.tolist()]


def _own_links(size: Ints) -> Ints:
    """Count the links of entities; one mention has a link to itself."""
    own: Ints = np.maximum(links(size), 1)
    return own


def _side(
    scene: Scene, side: Partition, importance: Fractions, kinds: GridColumns, caption: str
) -> tuple[Block, list[Number]]:
    """Show the entities of one side; return what is resolved of their importance, and all."""
    n, k, r = scene.cell_sizes
    cell = scene.table.cell_key if side.side == "key" else scene.table.cell_res
    common = np.zeros(len(side.names), dtype=np.int64)
    np.add.at(common, cell, np.where((k == 1) & (r == 1), 1, links(n)))
    own = _own_links(side.sizes)
    resolution = ratios(common, own)
    product = importance * resolution
    columns: GridColumns = {
        "entity": side.names,
        **kinds,
        "n": side.sizes,
        "importance": Total(importance),
        "links": own,
        "common": common,
        "resolution": resolution,
        "product": Total(product),
    }
    weight = importance + fractions(side.sizes) / 10**9  # large entities first
    return scene.grid(columns, caption, weight), [exact_sum(product), exact_sum(importance)]
