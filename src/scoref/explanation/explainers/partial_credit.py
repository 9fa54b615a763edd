"""The walk-through of CEAF with partial credit: mentions that are alike, then entities."""

from __future__ import annotations

from typing import Any

import numpy as np

from scoref.base.arrays import Ints
from scoref.corpus.attributes import MENTION_TYPES
from scoref.corpus.spans import overlapping, shared_tokens
from scoref.explanation.blocks import GridColumns, Total
from scoref.explanation.explainer import Columns, Steps
from scoref.explanation.explainers.alignment import (
    best_inside,
    best_pairs,
    distinct_pairs,
    show_chosen,
)
from scoref.explanation.explainers.ceaf import exact_ceaf
from scoref.explanation.expressions import (
    ONE,
    Fractions,
    choose,
    decimals,
    exact_sum,
    ratios,
    sum_groups,
    written,
)
from scoref.explanation.scene import Partition, Scene
from scoref.metrics.partial_credit import Credit
from scoref.metrics.types import best_type_by
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
_ALIKE_MENTIONS = "Mentions that are alike; the matched ones are in the total of their entities"
_PAIRS = (
    "The total of two entities is the best one-to-one total of their mentions. Each key entity k is"
    " aligned with at most one response entity r, and each response entity with at most one key"
    " entity, so that the total worth is greatest. A pair is worth {worth}. An entity aligned with"
    " itself is worth {itself}. The sum of this over key entities divides recall, the sum over"
    " response entities precision."
)


def ceaf(  # noqa: PLR0917  # as the metric
    steps: Steps,
    phi: int = 3,
    overlap: str = "exact",
    nam_nom: float = 1.0,
    nam_pro: float = 1.0,
    nom_pro: float = 1.0,
    nam: float = 1.0,
    nom: float = 1.0,
    pro: float = 1.0,
) -> Columns:
    """Explain CEAF with one of Luo's four similarities, or with partial credit."""
    credit = Credit(overlap, nam_nom, nam_pro, nom_pro, nam, nom, pro)
    return exact_ceaf(steps, phi) if credit.is_exact else _partial_ceaf(steps, phi, credit)


def _partial_ceaf(steps: Steps, phi: int, credit: Credit) -> Columns:
    """Explain CEAF in which mentions that nearly agree earn a part."""
    steps.show(*_texts(phi, credit))
    scene = steps.scene
    key, response, alike, columns = _alike_mentions(scene, credit)
    one, other, pair = distinct_pairs(scene.key[key], scene.res[response])
    matched = best_inside(pair, key, response, alike)
    totals = sum_groups(pair[matched], alike[matched], len(one))
    columns |= {"alike": alike, "matched": choose(matched, alike, None)}
    equal_last = choose(key == response, alike - 1, alike + matched)
    steps.table(_ALIKE_MENTIONS, columns, equal_last)
    weighs_classes = set(credit.class_weight) != {1.0}
    weights, sums = [], []
    for side in scene.sides:
        classes = np.zeros_like(side.sizes)
        if weighs_classes:
            there, types = side.entity != NOWHERE, _types(scene, side)
            classes = best_type_by(side.entity[there], types[there], len(classes))
        weights.append(decimals(credit.class_weight)[classes])
        itself = weights[-1] * (side.sizes if phi == 3 else 1)
        sums.append(exact_sum(itself))
        if weighs_classes:
            columns = {
                "entity": side.names,
                "class": [MENTION_TYPES[kind] for kind in classes.tolist()],
                "weight": weights[-1],
                "size": side.sizes,
                "with itself": Total(itself),
            }
            steps.table(f"Classes of the entities of the {side.side}", columns, side.sizes)
    columns = {**scene.pair_columns(one, other), "total": totals}
    lesser = np.minimum(weights[0][one], weights[1][other])
    worth = totals * lesser
    if phi == 4:
        k, r = scene.key_side.sizes[one], scene.response_side.sizes[other]
        worth = 2 * worth / (k + r)
        columns |= {"|k|": k, "|r|": r}
    columns |= {"weight": lesser, "worth": worth} if weighs_classes else {"worth": worth}
    chosen = best_pairs(one, other, worth)
    gain = show_chosen(steps, "Pairs of entities", columns, worth, chosen)
    return gain, sums[0], gain, sums[1]


def _texts(phi: int, credit: Credit) -> list[str]:
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


def _alike_mentions(scene: Scene, credit: Credit) -> tuple[Ints, Ints, Fractions, GridColumns]:
    """Find the mentions that are alike, how much, and the columns that show it."""
    in_key, in_response = (np.flatnonzero(side != NOWHERE) for side in (scene.key, scene.res))
    key = response = np.intersect1d(in_key, in_response)
    alike = factor = np.full(len(key), ONE, dtype=np.object_)
    shown: dict[str, Any] = {}
    if credit.overlap != "exact":  # which also compares mentions that are not spans
        spans = scene.rows.spans("key").where(in_key)
        other_spans = scene.rows.spans("response").where(in_response)
        at, other = overlapping(spans, other_spans)
        order = np.lexsort((other, at))
        at, other = at[order], other[order]
        key, response = in_key[at], in_response[other]
        spans, other_spans = spans.where(at), other_spans.where(other)
        o, a, b = shared_tokens(spans, other_spans), spans.length, other_spans.length
        shown = {"o": o, "a": a, "b": b}
        of = {"dice": a + b, "min": np.minimum(a, b), "jaccard": a + b - o}[credit.overlap]
        alike = ratios(2 * o if credit.overlap == "dice" else o, of)
        factor = np.full(len(key), ONE, dtype=np.object_)
    if set(credit.confusion) != {1.0}:
        one, two = _types(scene, scene.key_side)[key], _types(scene, scene.response_side)[response]
        confusion = decimals(credit.confusion)  # of types 0 and 1, 0 and 2, 1 and 2
        factor = choose(one == two, ONE, confusion[np.maximum(one + two - 1, 0) % 3])
        shown["types"] = factor
    kept = factor > 0
    key, response = key[kept], response[kept]
    columns = {title: column[kept] for title, column in shown.items()}
    return key, response, (alike * factor)[kept], scene.mention_pairs(key, response) | columns


def _types(scene: Scene, side: Partition) -> Ints:
    """Return the number of the type that a side gives each of its mentions."""
    names = scene.rows.attribute(side.side, "type")
    if names is None:
        return np.zeros(len(side.entity), dtype=np.int64)
    known = [MENTION_TYPES.index(name) if name else NOWHERE for name in names.tolist()]
    return np.array(known, dtype=np.int64)
