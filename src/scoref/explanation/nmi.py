"""The walk-through of normalised mutual information; logarithms are no fractions: decimals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from scoref.explanation.blocks import Block, Column, Formula, Grid
from scoref.explanation.explainer import Counted, Explainer, Scored, f1, settled
from scoref.explanation.expressions import (
    ONE,
    ZERO,
    Expression,
    Number,
    Over,
    evaluate,
    exact_sum,
    whole,
)
from scoref.explanation.scene import Scene, View
from scoref.explanation.twinless import restrict

_TEXT = (
    "With N mentions in all, a pair of entities of sizes |k| and |r| that shares n mentions adds"
    " n log2(n N / (|k| |r|)) to the information that the sides have of each other, and an entity"
    " of n mentions adds n log2(N / n) to the entropy of its side, both in bits times mentions."
    " Recall is the information over the entropy of the key, precision over that of the response."
)


def nmi(mentions: str = "same") -> Explainer:
    """Explain normalised mutual information."""

    def count(scene: Scene) -> Counted:
        scene, changes = restrict(scene) if mentions == "shared" else (scene, [])
        table = scene.table
        total = int(table.key_size.sum())
        sizes = zip(
            table.count.tolist(),
            table.cell_key_size.tolist(),
            table.cell_res_size.tolist(),
            strict=True,
        )
        terms = [n * math.log2(n * total / (k * r)) for n, k, r in sizes]
        information = max(float(exact_sum(terms)), 0.0)
        cells = Grid(
            [
                Column("key", scene.cell_keys),
                Column("response", scene.cell_responses),
                Column("n", whole(table.count.tolist())),
                Column("|k|", whole(table.cell_key_size.tolist())),
                Column("|r|", whole(table.cell_res_size.tolist())),
                Column("n log2(n N / (|k| |r|))", terms, summed=True),
            ],
            terms,
            scene.limit,
            "Information",
        )
        key, key_entropy = _entropy(scene, scene.key_view, total)
        response, res_entropy = _entropy(scene, scene.res_view, total)
        blocks: list[Block] = [*changes, _TEXT, Formula("N", None, Fraction(total))]
        if terms:
            blocks += [cells, key, response]
        return Counted((information, key_entropy, res_entropy, Fraction(total)), blocks)

    return Explainer(count, _score)


def _entropy(scene: Scene, view: View, total: int) -> tuple[Block, float]:
    terms = [size * math.log2(total / size) for size in view.sizes]
    table = Grid(
        [
            Column("entity", view.names),
            Column("n", whole(view.sizes)),
            Column("n log2(N / n)", terms, summed=True),
        ],
        terms,
        scene.limit,
        f"Entropy of the {view.side}",
    )
    return table, float(exact_sum(terms))


def _score(columns: Sequence[Number], undefined: str) -> Scored:
    information, key, response, mentions = columns
    if mentions == 0:
        nothing = [Formula(name, None, None) for name in ("recall", "precision", "F1")]
        why = "0/0 because there are no mentions"
        formulas = [settled(formula, undefined, why) for formula in nothing]
    else:
        same = key == response == 0
        recall = _side("recall", Over(information, key), same=same)
        precision = _side("precision", Over(information, response), same=same)
        formulas = [recall, precision, f1(recall.value, precision.value, undefined)]
    return Scored([*formulas], *(formula.value for formula in formulas))


def _side(name: str, ratio: Expression, *, same: bool) -> Formula:
    value = evaluate(ratio)
    if value is not None:
        return Formula(name, ratio, min(value, 1.0))
    if same:
        return Formula(name, None, ONE, "neither side has entropy: all is one entity on both")
    return Formula(name, None, ZERO, "this side has no entropy, and the other has")
