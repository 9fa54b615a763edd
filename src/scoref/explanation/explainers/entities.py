"""The walk-throughs of MUC, B³, CEAF and LEA, which compare entities."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from scoref.corpus.attributes import MENTION_TYPES
from scoref.explanation.blocks import GridColumns, Total
from scoref.explanation.explainer import (
    Columns,
    Steps,
    best_pairs,
    part_cells,
    show_chosen,
    show_groups,
)
from scoref.explanation.expressions import (
    Fractions,
    decimals,
    exact_sum,
    fractions,
    links,
    ratios,
    sum_groups,
    written,
)
from scoref.explanation.scene import Partition, Scene
from scoref.metrics.table import NOWHERE

_MUC = (
    "An entity of n mentions needs n - 1 links to be whole. If the other side cuts it into p"
    " parts, n - p of these links are there. A mention that the other side lacks is a part of its"
    " own. Recall is the share of the key's links that are there, precision the share of the"
    " response's links."
)


def muc(steps: Steps) -> Columns:
    """Explain MUC: the links that are there, and the links that are needed."""
    steps.show(_MUC)
    counts: Columns = ()
    for side, caption in steps.scene.ratios:
        n, p = side.sizes, side.parts
        columns: GridColumns = {
            "entity": side.names,
            "n": n,
            "p": p,
            "n - p": Total(n - p),
            "n - 1": Total(n - 1),
            "parts": part_cells(steps.scene, side),
        }
        counts += steps.table(caption, columns, n)
    return counts


_B_CUBED = (
    "A key entity k and a response entity r share n mentions. Each of these n mentions finds n of"
    " its |k| companions, itself included, on the other side. Together they add n²/|k| to recall,"
    " and n²/|r| to precision. Recall is divided by the number of key mentions, precision by the"
    " number of response mentions."
)


def b_cubed(steps: Steps) -> Columns:
    """Explain B³: what each pair of entities adds to recall and precision."""
    scene, (n, k, r) = steps.scene, steps.scene.cell_sizes
    columns: GridColumns = {
        **scene.cell_columns(),
        "|k|": k,
        "n²/|k|": Total(ratios(n * n, k)),
        "|r|": r,
        "n²/|r|": Total(ratios(n * n, r)),
    }
    steps.show(_B_CUBED)
    recall, precision = steps.table("Terms of recall and precision", columns, n)
    key, response = (exact_sum(side.sizes) for side in scene.sides)
    return recall, key, precision, response


_WORTH = {
    1: "worth 1 if k = r, else 0",
    2: "worth 1 if k and r share a mention, else 0",
    3: "worth the n mentions that k and r share",
    4: "worth 2n/(|k| + |r|) if k and r share n mentions",
}
_CEAF = (
    "Each key entity k is aligned with at most one response entity r, and each response entity"
    " with at most one key entity, so that the total worth is greatest. A pair is {worth}. Pairs"
    " that share no mention are worth nothing and are not shown."
)
_BY_SIZE = (
    "An entity aligned with itself is worth its size: the total is divided by the number of key"
    " mentions for recall, by the number of response mentions for precision."
)
_BY_NUMBER = (
    "An entity aligned with itself is worth 1: the total is divided by the number of key entities"
    " for recall, by the number of response entities for precision."
)


def exact_ceaf(steps: Steps, phi: int = 3) -> Columns:
    """Explain CEAF with one of Luo's four similarities."""
    scene, (n, k, r) = steps.scene, steps.scene.cell_sizes
    steps.show(_CEAF.format(worth=_WORTH[phi]), _BY_SIZE if phi == 3 else _BY_NUMBER)
    worth = _worth(scene, phi)
    columns: GridColumns = {**scene.cell_columns(), "|k|": k, "|r|": r, "worth": worth}
    chosen = best_pairs(scene.table.cell_key, scene.table.cell_res, worth)
    gain = show_chosen(steps, "Pairs of entities", columns, worth, chosen, weight=n)
    key, response = (
        exact_sum(side.sizes) if phi == 3 else Fraction(len(side.names)) for side in scene.sides
    )
    return gain, key, gain, response


def _worth(scene: Scene, phi: int) -> Fractions:
    n, k, r = scene.cell_sizes
    if phi == 1:
        return fractions((n == k) & (n == r))
    if phi == 4:
        return ratios(2 * n, k + r)
    return fractions(n if phi == 3 else np.ones_like(n))


_LEA = (
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
    steps.show(_LEA.format(importance=meaning[importance]))
    if importance == "mention_types":
        type_of_row = steps.scene.rows.type
        groups = {name: np.flatnonzero(type_of_row == at) for at, name in enumerate(MENTION_TYPES)}
        show_groups(steps, "type", groups, "Types of mentions")
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
        counts += _show_resolution(steps, side, weights, kinds, caption)
    return counts


def _entity_types(scene: Scene, side: Partition) -> list[str]:
    """Return the type of each entity of a side."""
    types = scene.rows.entity_attribute(side.side, "type")
    return [] if types is None else [str(one) for one in types.tolist()]


def _show_resolution(
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
