"""The walk-through of CEAF with partial credit: mentions that are alike, then entities."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from scoref.assignment.solver import best_alignment
from scoref.corpus.attributes import MENTION_TYPES
from scoref.explanation.blocks import Block
from scoref.explanation.explainer import Counted, Explainer
from scoref.explanation.expressions import ONE, ZERO, decimal, exact_sum, said, whole
from scoref.explanation.partial_credit.likeness import (
    OVERLAPS,
    SIDES,
    Edge,
    confuses,
    entities_of,
    find_edges,
    matched_edges,
    types_of,
)
from scoref.explanation.partial_credit.tables import (
    Pair,
    class_table,
    edge_table,
    pair_table,
    weighs_classes,
)
from scoref.explanation.scene import Scene
from scoref.metrics.partial_credit import Credit
from scoref.overlap.table import Side

_EQUAL = "Equal mentions are alike by 1, others not at all."
_ALIKE = (
    "A key mention of a tokens and a response mention of b tokens that share o tokens are alike by"
    " {how}."
)
_CONFUSED = (
    " Where their types differ, this is multiplied by {0} for a name and a nominal, {1} for a name"
    " and a pronoun, {2} for a nominal and a pronoun."
)
_CLASSES = (
    ", times the lesser weight of their classes: {0} for an entity with a name, else {1} for one"
    " with a nominal, else {2}"
)
_PAIRS = (
    "The total of two entities is the best one-to-one total of their mentions. Each key entity k is"
    " aligned with at most one response entity r, and the other way round, so that the total worth"
    " is greatest; a pair is worth {worth}. An entity aligned with itself is worth {itself}: the"
    " sum of this over key entities divides recall, the sum over response entities precision."
)


def partial_credit(phi: int, credit: Credit) -> Explainer:
    """Explain CEAF in which mentions that nearly agree earn a part."""
    texts = _texts(phi, credit)

    def count(scene: Scene) -> Counted:
        edges = find_edges(scene, credit)
        classes = [_classes(scene, side, credit) for side in SIDES]
        weights = [[_class_weight(kind, credit) for kind in side] for side in classes]
        matched = matched_edges(scene, edges)
        pairs = _pairs(scene, edges, matched, weights, phi)
        one, other = (np.array([pair[at] for pair in pairs], dtype=np.int64) for at in range(2))
        worth = np.array([float(pair.worth) for pair in pairs])
        chosen = best_alignment(one, other, worth).tolist()
        gain = exact_sum(pair.worth for pair, yes in zip(pairs, chosen, strict=True) if yes)
        blocks: list[Block] = [*texts, *edge_table(scene, edges, matched, credit)]
        sums = []
        for at, view in enumerate((scene.key_view, scene.res_view)):
            sizes = whole(view.sizes) if phi == 3 else [ONE] * len(view.sizes)
            itself = [weight * size for weight, size in zip(weights[at], sizes, strict=True)]
            sums.append(exact_sum(itself))
            if weighs_classes(credit) and itself:
                blocks.append(class_table(scene, view, classes[at], weights[at], itself))
        blocks += pair_table(scene, pairs, chosen, phi, credit)
        return Counted((gain, sums[0], gain, sums[1]), blocks)

    return Explainer(count)


def _texts(phi: int, credit: Credit) -> list[str]:
    """Say how the measure goes."""
    exact = credit.overlap == "exact"
    alike = _EQUAL if exact else _ALIKE.format(how=OVERLAPS[credit.overlap][0])
    if confuses(credit):
        alike += _CONFUSED.format(*map(said, credit.confusion))
    worth = "its total" if phi == 3 else "twice its total over |k| + |r|"
    itself = "its size" if phi == 3 else "1"
    if weighs_classes(credit):
        worth += _CLASSES.format(*map(said, credit.class_weight))
        itself += " times the weight of its class"
    return [alike, _PAIRS.format(worth=worth, itself=itself)]


def _classes(scene: Scene, side: Side, credit: Credit) -> list[str]:
    """Return the best mention type of each entity."""
    members = scene.key_members if side == "key" else scene.res_members
    if not weighs_classes(credit):
        return [""] * len(members)
    kinds = types_of(scene, side)
    return [min((kinds[row] for row in rows), key=MENTION_TYPES.index) for rows in members]


def _class_weight(kind: str, credit: Credit) -> Fraction:
    return decimal(credit.class_weight[MENTION_TYPES.index(kind)]) if kind else ONE


def _pairs(
    scene: Scene, edges: list[Edge], matched: list[bool], weights: list[list[Fraction]], phi: int
) -> list[Pair]:
    """Weigh the pairs of entities that have mentions which are alike."""
    of_edge = entities_of(scene, edges)
    totals = dict.fromkeys(sorted(set(of_edge)), ZERO)
    for pair, edge, yes in zip(of_edge, edges, matched, strict=True):
        totals[pair] += edge.alike if yes else ZERO
    pairs = []
    for (one, other), total in totals.items():
        weight = min(weights[0][one], weights[1][other])
        sizes = len(scene.key_members[one]) + len(scene.res_members[other])
        worth = total * weight if phi == 3 else 2 * total * weight / sizes
        pairs.append(Pair(one, other, total, weight, worth))
    return pairs
