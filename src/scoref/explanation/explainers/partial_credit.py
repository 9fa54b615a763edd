"""The walk-through of CEAF with partial credit: mentions that are alike, then entities."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Bools, Ints
from scoref.corpus.attributes import MENTION_TYPES
from scoref.corpus.spans import overlapping, shared_tokens
from scoref.explanation.blocks import Block, GridColumns, Total
from scoref.explanation.explainer import CountedTerms, Explainer
from scoref.explanation.explainers.alignment import (
    best_inside,
    best_pairs,
    chosen_first,
    distinct_pairs,
    only_chosen,
)
from scoref.explanation.explainers.ceaf import explain_ceaf
from scoref.explanation.expressions import (
    ONE,
    Fractions,
    Number,
    choose,
    decimals,
    exact_sum,
    ratios,
    sum_groups,
    written,
)
from scoref.explanation.scene import Partition, Scene
from scoref.metrics.partial_credit import Credit
from scoref.overlap.table import NOWHERE

_ALIKE = (
    "A key mention of a tokens and a response mention of b tokens that share o tokens are alike by"
    " {how}."
)
_HOW = {"dice": "2o/(a + b)", "min": "o over the lesser of a and b", "jaccard": "o/(a + b - o)"}
_CONFUSED = (
    " Where their types differ, this is multiplied by {0} for a name and a nominal, {1} for a name"
    " and a pronoun, {2} for a nominal and a pronoun."
)
_CLASSES = (
    ", times the lesser weight of their classes: {0} for an entity with a name, else {1} for an"
    " entity with a nominal, else {2}"
)
_PAIRS = (
    "The total of two entities is the best one-to-one total of their mentions. Each key entity k is"
    " aligned with at most one response entity r, and each response entity with at most one key"
    " entity, so that the total worth is greatest. A pair is worth {worth}. An entity aligned with"
    " itself is worth {itself}. The sum of this over key entities divides recall, the sum over"
    " response entities precision."
)


class AlikeMentions(NamedTuple):
    """Pairs of mentions, by their rows: shared tokens, lengths, type factor, and likeness."""

    key: Ints
    response: Ints
    shared: Ints
    key_length: Ints
    response_length: Ints
    factor: Fractions
    alike: Fractions

    def where(self, chosen: Bools) -> AlikeMentions:
        """Keep some pairs."""
        return AlikeMentions._make(column[chosen] for column in self)


def ceaf(
    phi: int = 3,
    overlap: str = "exact",
    *,
    nam_nom: float = 1.0,
    nam_pro: float = 1.0,
    nom_pro: float = 1.0,
    nam: float = 1.0,
    nom: float = 1.0,
    pro: float = 1.0,
) -> Explainer:
    """Explain CEAF with one of Luo's four similarities, or with partial credit."""
    credit = Credit(overlap, nam_nom, nam_pro, nom_pro, nam, nom, pro)
    return explain_ceaf(phi) if credit.is_exact else partial_credit(phi, credit)


def partial_credit(phi: int, credit: Credit) -> Explainer:
    """Explain CEAF in which mentions that nearly agree earn a part."""
    weighs_classes = set(credit.class_weight) != {1.0}

    def count(scene: Scene) -> CountedTerms:
        pairs = _alike_mentions(scene, credit)
        one, other, pair = distinct_pairs(scene.key[pairs.key], scene.res[pairs.response])
        matched = best_inside(pair, pairs.key, pairs.response, pairs.alike)
        totals = sum_groups(pair[matched], pairs.alike[matched], len(one))
        blocks = [*_texts(phi, credit), _mention_table(scene, pairs, matched, credit)]
        weights: list[Fractions] = []
        sums: list[Number] = []
        for side in scene.sides:
            classes = _classes(scene, side) if weighs_classes else np.zeros_like(side.sizes, int)
            weights.append(decimals(credit.class_weight)[classes])
            itself = weights[-1] * (side.sizes if phi == 3 else 1)
            sums.append(exact_sum(itself))
            if weighs_classes:
                blocks.append(_class_table(scene, side, classes, weights[-1], itself))
        columns: GridColumns = {**scene.pair_columns(one, other), "total": totals}
        worth = totals * np.minimum(weights[0][one], weights[1][other])
        if phi == 4:
            k, r = scene.key_side.sizes[one], scene.response_side.sizes[other]
            worth = 2 * worth / (k + r)
            columns |= {"|k|": k, "|r|": r}
        if weighs_classes:
            columns["weight"] = np.minimum(weights[0][one], weights[1][other])
        chosen = best_pairs(one, other, worth)
        columns |= {"worth": worth, "aligned": only_chosen(worth, chosen)}
        blocks.append(scene.grid(columns, "Pairs of entities", chosen_first(worth, chosen)))
        gain = exact_sum(worth[chosen])
        return CountedTerms((gain, sums[0], gain, sums[1]), blocks)

    return Explainer(count)


def _texts(phi: int, credit: Credit) -> list[Block]:
    """Say how the metric works."""
    alike = "Equal mentions are alike by 1, others not at all."
    if credit.overlap != "exact":
        alike = _ALIKE.format(how=_HOW[credit.overlap])
    if set(credit.confusion) != {1.0}:
        alike += _CONFUSED.format(*map(written, credit.confusion))
    worth = "its total" if phi == 3 else "twice its total over |k| + |r|"
    itself = "its size" if phi == 3 else "1"
    if set(credit.class_weight) != {1.0}:
        worth += _CLASSES.format(*map(written, credit.class_weight))
        itself += " times the weight of its class"
    return [alike, _PAIRS.format(worth=worth, itself=itself)]


def _alike_mentions(scene: Scene, credit: Credit) -> AlikeMentions:
    """Find the mentions that are alike, and how much."""
    in_key, in_response = (np.flatnonzero(side != NOWHERE) for side in (scene.key, scene.res))
    if credit.overlap == "exact":  # also of mentions that are not spans
        key = response = np.intersect1d(in_key, in_response)
        shared = key_length = response_length = np.ones_like(key)
    else:
        spans = scene.rows.spans("key").where(in_key)
        other_spans = scene.rows.spans("response").where(in_response)
        at, other = overlapping(spans, other_spans)
        order = np.lexsort((other, at))
        at, other = at[order], other[order]
        spans, other_spans = spans.where(at), other_spans.where(other)
        key, response = in_key[at], in_response[other]
        shared = shared_tokens(spans, other_spans)
        key_length, response_length = spans.length, other_spans.length
    o, a, b = shared, key_length, response_length
    parts = {"exact": o, "dice": a + b, "min": np.minimum(a, b), "jaccard": a + b - o}
    alike = ratios(2 * o if credit.overlap == "dice" else o, parts[credit.overlap])
    factor = np.full(len(key), ONE, dtype=np.object_)
    if set(credit.confusion) != {1.0}:
        one, two = _types(scene, scene.key_side)[key], _types(scene, scene.response_side)[response]
        confusion = decimals(credit.confusion)  # of types 0 and 1, 0 and 2, 1 and 2
        factor = choose(one == two, ONE, confusion[np.maximum(one + two - 1, 0) % 3])
    found = AlikeMentions(
        key, response, shared, key_length, response_length, factor, alike * factor
    )
    return found.where(factor > 0)


def _types(scene: Scene, side: Partition) -> Ints:
    """Return the number of the type that a side gives each of its mentions."""
    names = scene.rows.attribute(side.side, "type")
    if names is None:
        return np.zeros(len(side.entity), dtype=np.int64)
    known = [MENTION_TYPES.index(name) if name else NOWHERE for name in names.tolist()]
    return np.array(known, dtype=np.int64)


def _classes(scene: Scene, side: Partition) -> Ints:
    """Return the best mention type of each entity."""
    types = _types(scene, side)
    return np.array([types[rows].min() for rows in side.members], dtype=np.int64)


def _mention_table(scene: Scene, pairs: AlikeMentions, matched: Bools, credit: Credit) -> Block:
    """Show the mentions that are alike; equal mentions last, if not all are shown."""
    columns = scene.mention_pairs(pairs.key, pairs.response)
    if credit.overlap != "exact":
        columns |= {"o": pairs.shared, "a": pairs.key_length, "b": pairs.response_length}
    if set(credit.confusion) != {1.0}:
        columns["types"] = pairs.factor
    columns |= {"alike": pairs.alike, "matched": only_chosen(pairs.alike, matched).cells}
    caption = "Mentions that are alike; the matched ones are in the total of their entities"
    weight = choose(pairs.key == pairs.response, pairs.alike - 1, pairs.alike + matched)
    return scene.grid(columns, caption, weight)


def _class_table(
    scene: Scene, side: Partition, classes: Ints, weights: Fractions, itself: Fractions
) -> Block:
    """Show the classes of the entities of a side, and what each is worth aligned with itself."""
    columns: GridColumns = {
        "entity": side.names,
        "class": [MENTION_TYPES[kind] for kind in classes.tolist()],
        "weight": weights,
        "size": side.sizes,
        "with itself": Total(itself),
    }
    return scene.grid(columns, f"Classes of the entities of the {side.side}", side.sizes)
