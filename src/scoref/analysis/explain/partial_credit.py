"""The walk-through of CEAF with partial credit: mentions that are alike, then entities."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from scoref.analysis.explain.blocks import Block, Column, Each, Grid
from scoref.analysis.explain.explainer import Counted, Explainer
from scoref.analysis.explain.expressions import ONE, ZERO, decimal, exact_sum, said, whole
from scoref.analysis.explain.inside import best_inside
from scoref.analysis.explain.scene import Scene, View
from scoref.assignment import best_alignment
from scoref.corpus import MENTION_TYPES
from scoref.metrics.partial_credit import Credit
from scoref.spans import Spans, overlapping, shared_tokens
from scoref.table import NOWHERE, Side

_OVERLAPS: dict[str, tuple[str, Callable[[int, int, int], Fraction]]] = {
    "dice": ("2o/(a + b)", lambda o, a, b: Fraction(2 * o, a + b)),
    "min": ("o over the lesser of a and b", lambda o, a, b: Fraction(o, min(a, b))),
    "jaccard": ("o/(a + b - o)", lambda o, a, b: Fraction(o, a + b - o)),
}
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
_EQUALS = "{many} mentions that both sides have are alike by 1, and are not shown one by one."
_SIDES: tuple[Side, Side] = ("key", "response")


class Edge(NamedTuple):
    """A key mention and a response mention that are alike."""

    key: int
    response: int
    shared: int
    lengths: tuple[int, int]
    factor: Fraction
    alike: Fraction


class Pair(NamedTuple):
    """A key entity and a response entity with mentions that are alike."""

    key: int
    response: int
    total: Fraction
    weight: Fraction
    worth: Fraction


def partial_credit(phi: int, credit: Credit) -> Explainer:
    """Explain CEAF in which mentions that nearly agree earn a part."""
    texts = _texts(phi, credit)

    def count(scene: Scene) -> Counted:
        edges = _edges(scene, credit)
        classes = [_classes(scene, side, credit) for side in _SIDES]
        weights = [[_class_weight(kind, credit) for kind in side] for side in classes]
        pairs = _pairs(scene, edges, weights, phi)
        one, other = (np.array([pair[at] for pair in pairs], dtype=np.int64) for at in range(2))
        worth = np.array([float(pair.worth) for pair in pairs])
        chosen = best_alignment(one, other, worth).tolist()
        gain = exact_sum(pair.worth for pair, yes in zip(pairs, chosen, strict=True) if yes)
        blocks: list[Block] = [*texts, *_edge_table(scene, edges, credit)]
        sums = []
        for at, view in enumerate((scene.key_view, scene.res_view)):
            sizes = whole(view.sizes) if phi == 3 else [ONE] * len(view.sizes)
            itself = [weight * size for weight, size in zip(weights[at], sizes, strict=True)]
            sums.append(exact_sum(itself))
            if _weighs_classes(credit) and itself:
                blocks.append(_class_table(scene, view, classes[at], weights[at], itself))
        blocks += _pair_table(scene, pairs, chosen, phi, credit)
        return Counted((gain, sums[0], gain, sums[1]), blocks)

    return Explainer(count)


def _confuses(credit: Credit) -> bool:
    return set(credit.confusion) != {1.0}


def _weighs_classes(credit: Credit) -> bool:
    return set(credit.class_weight) != {1.0}


def _texts(phi: int, credit: Credit) -> list[str]:
    """Say how the measure goes."""
    exact = credit.overlap == "exact"
    alike = _EQUAL if exact else _ALIKE.format(how=_OVERLAPS[credit.overlap][0])
    if _confuses(credit):
        alike += _CONFUSED.format(*map(said, credit.confusion))
    worth = "its total" if phi == 3 else "twice its total over |k| + |r|"
    itself = "its size" if phi == 3 else "1"
    if _weighs_classes(credit):
        worth += _CLASSES.format(*map(said, credit.class_weight))
        itself += " times the weight of its class"
    return [alike, _PAIRS.format(worth=worth, itself=itself)]


def _types(scene: Scene, side: Side) -> list[str]:
    """Return the type that a side gives each of its mentions."""
    names = scene.rows.attribute(side, "type")
    return [""] * len(scene.key) if names is None else [str(name) for name in names.tolist()]


def _edges(scene: Scene, credit: Credit) -> list[Edge]:
    """Find the mentions that are alike, and how much."""
    kinds, other_kinds = (_types(scene, side) for side in _SIDES)
    edges = []
    for key, response, shared, lengths, alike in _overlaps(scene, credit.overlap):
        factor = _factor(kinds[key], other_kinds[response], credit)
        if factor > 0:
            edges.append(Edge(key, response, shared, lengths, factor, alike * factor))
    return sorted(edges, key=lambda edge: (edge.key, edge.response))


def _overlaps(scene: Scene, overlap: str) -> list[tuple[int, int, int, tuple[int, int], Fraction]]:
    """List the mentions that share tokens: rows, tokens shared, lengths, and how alike they are."""
    ours, theirs = (np.flatnonzero(side != NOWHERE) for side in (scene.key, scene.res))
    if overlap == "exact":
        return [(row, row, 1, (1, 1), ONE) for row in np.intersect1d(ours, theirs).tolist()]
    one, two = (
        Spans(scene.rows.unit[rows], *(ends[rows] for ends in scene.rows.span(side)))
        for rows, side in zip((ours, theirs), _SIDES, strict=True)
    )
    at, other = overlapping(one, two)
    one, two = one.where(at), two.where(other)
    rows = zip(
        ours[at].tolist(),
        theirs[other].tolist(),
        shared_tokens(one, two).tolist(),
        one.length.tolist(),
        two.length.tolist(),
        strict=True,
    )
    alike = _OVERLAPS[overlap][1]
    return [(key, response, o, (a, b), alike(o, a, b)) for key, response, o, a, b in rows]


def _factor(one: str, other: str, credit: Credit) -> Fraction:
    """Return what is left where two types are confused."""
    if one == other or not _confuses(credit):
        return ONE
    confused = [{"name", "nominal"}, {"name", "pronoun"}, {"nominal", "pronoun"}]
    return decimal(credit.confusion[confused.index({one, other})])


def _classes(scene: Scene, side: Side, credit: Credit) -> list[str]:
    """Return the best mention type of each entity."""
    members = scene.key_members if side == "key" else scene.res_members
    if not _weighs_classes(credit):
        return [""] * len(members)
    kinds = _types(scene, side)
    return [min((kinds[row] for row in rows), key=MENTION_TYPES.index) for rows in members]


def _class_weight(kind: str, credit: Credit) -> Fraction:
    return decimal(credit.class_weight[MENTION_TYPES.index(kind)]) if kind else ONE


def _pairs(scene: Scene, edges: list[Edge], weights: list[list[Fraction]], phi: int) -> list[Pair]:
    """Weigh the pairs of entities that have mentions which are alike."""
    ours, theirs = scene.key.tolist(), scene.res.tolist()
    of_edge = [(ours[edge.key], theirs[edge.response]) for edge in edges]
    number = {pair: at for at, pair in enumerate(sorted(set(of_edge)))}
    matched = best_inside(
        [number[pair] for pair in of_edge],
        [edge.key for edge in edges],
        [edge.response for edge in edges],
        [float(edge.alike) for edge in edges],
    )
    totals = dict.fromkeys(number, ZERO)
    for pair, edge, yes in zip(of_edge, edges, matched, strict=True):
        totals[pair] += edge.alike if yes else ZERO
    pairs = []
    for (one, other), total in totals.items():
        weight = min(weights[0][one], weights[1][other])
        sizes = len(scene.key_members[one]) + len(scene.res_members[other])
        worth = total * weight if phi == 3 else 2 * total * weight / sizes
        pairs.append(Pair(one, other, total, weight, worth))
    return pairs


def _edge_table(scene: Scene, edges: list[Edge], credit: Credit) -> list[Block]:
    if not edges:
        return ["No key mention is like a response mention."]
    many = len(edges)
    edges = [edge for edge in edges if edge.key != edge.response or edge.alike != 1]
    equal = [_EQUALS.format(many=many - len(edges))] if len(edges) < many else []
    if not edges:
        return [*equal]
    ours, theirs = scene.key.tolist(), scene.res.tolist()
    columns = [
        Column("key", [scene.keys[ours[edge.key]] for edge in edges]),
        Column("mention", Each(len(edges), lambda at: scene.mention(edges[at].key))),
        Column("response", [scene.responses[theirs[edge.response]] for edge in edges]),
        Column("mention", Each(len(edges), lambda at: scene.mention(edges[at].response))),
    ]
    if credit.overlap != "exact":
        columns += [
            Column("o", whole([edge.shared for edge in edges])),
            Column("a", whole([edge.lengths[0] for edge in edges])),
            Column("b", whole([edge.lengths[1] for edge in edges])),
        ]
    if _confuses(credit):
        columns.append(Column("types", [edge.factor for edge in edges]))
    alike = [edge.alike for edge in edges]
    columns.append(Column("alike", alike))
    caption = f"{'Other mentions' if equal else 'Mentions'} that are alike"
    return [*equal, Grid(columns, alike, scene.limit, caption)]


def _class_table(
    scene: Scene, view: View, classes: list[str], weights: list[Fraction], itself: list[Fraction]
) -> Block:
    columns = [
        Column("entity", view.names),
        Column("class", classes),
        Column("weight", weights),
        Column("size", whole(view.sizes)),
        Column("with itself", itself, summed=True),
    ]
    caption = f"Classes of the entities of the {view.side}"
    return Grid(columns, whole(view.sizes), scene.limit, caption)


def _pair_table(
    scene: Scene, pairs: list[Pair], chosen: list[bool], phi: int, credit: Credit
) -> list[Block]:
    if not pairs:
        return []
    sizes = [len(scene.key_members[pair.key]) for pair in pairs]
    other_sizes = [len(scene.res_members[pair.response]) for pair in pairs]
    columns = [
        Column("key", [scene.keys[pair.key] for pair in pairs]),
        Column("response", [scene.responses[pair.response] for pair in pairs]),
        Column("total", [pair.total for pair in pairs]),
    ]
    if phi == 4:
        columns += [Column("|k|", whole(sizes)), Column("|r|", whole(other_sizes))]
    if _weighs_classes(credit):
        columns.append(Column("weight", [pair.weight for pair in pairs]))
    gains = [pair.worth if yes else None for pair, yes in zip(pairs, chosen, strict=True)]
    columns += [
        Column("worth", [pair.worth for pair in pairs]),
        Column("aligned", gains, summed=True),
    ]
    most = max(pair.worth for pair in pairs)
    order = [p.worth + (most if yes else 0) for p, yes in zip(pairs, chosen, strict=True)]
    return [Grid(columns, order, scene.limit, "Pairs of entities")]
