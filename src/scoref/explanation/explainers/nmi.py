"""The walk-through of normalised mutual information, in decimals: logarithms are not fractions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from scoref.explanation.blocks import Block, Formula, GridColumns, Total
from scoref.explanation.explainer import (
    CountedTerms,
    Explainer,
    Scored,
    f1,
    score_formulas,
    settled,
)
from scoref.explanation.explainers.twinless import restrict_to_shared
from scoref.explanation.expressions import ONE, ZERO, Number, Over, evaluate, exact_sum
from scoref.explanation.scene import Scene

_TEXT = (
    "With N mentions in all, a pair of entities of sizes |k| and |r| that shares n mentions adds"
    " n log2(n N / (|k| |r|)) to the information that the sides have of each other. An entity of"
    " n mentions adds n log2(N / n) to the entropy of its side. Both are in bits times mentions."
    " Recall is the information over the entropy of the key, precision over that of the response."
)


def nmi(mentions: str = "same") -> Explainer:
    """Explain normalised mutual information."""

    def count(scene: Scene) -> CountedTerms:
        scene, changes = restrict_to_shared(scene, mentions)
        table = scene.table
        n, k, r = table.count, table.cell_key_size, table.cell_res_size
        total = int(table.key_size.sum())
        terms = n * np.log2(n * total / (k * r))
        columns: GridColumns = {
            **scene.cell_columns(),
            "|k|": k,
            "|r|": r,
            "n log2(n N / (|k| |r|))": Total(terms.tolist()),
        }
        blocks: list[Block] = [
            *(*changes, _TEXT, Formula("N", None, Fraction(total))),
            scene.grid(columns, "Information", terms),
        ]
        counts: list[Number] = [max(exact_sum(terms.tolist()), 0.0)]
        for side, n in zip(scene.sides, (table.key_size, table.res_size), strict=True):
            terms = n * np.log2(total / n)
            columns = {"entity": side.names, "n": n, "n log2(N / n)": Total(terms.tolist())}
            blocks.append(scene.grid(columns, f"Entropy of the {side.side}", terms))
            counts.append(float(exact_sum(terms.tolist())))
        return CountedTerms((*counts, Fraction(total)), blocks)

    return Explainer(count, _score)


def _score(columns: Sequence[Number], undefined: str) -> Scored:
    information, key, response, mentions = columns
    if mentions == 0:
        why = "0/0 because there are no mentions"
        nothing = [Formula(name, None, None) for name in ("recall", "precision", "F1")]
        return score_formulas([settled(formula, undefined, why) for formula in nothing])
    no_entropy = key == response == 0
    recall = _side("recall", Over(information, key), no_entropy=no_entropy)
    precision = _side("precision", Over(information, response), no_entropy=no_entropy)
    return score_formulas([recall, precision, f1(recall.value, precision.value, undefined)])


def _side(name: str, ratio: Over, *, no_entropy: bool) -> Formula:
    value = evaluate(ratio)
    if value is not None:
        return Formula(name, ratio, min(value, 1.0))
    if no_entropy:
        return Formula(name, None, ONE, "neither side has entropy: all is one entity on both")
    return Formula(name, None, ZERO, "this side has no entropy, but the other side has")
