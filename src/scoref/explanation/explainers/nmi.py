"""The walk-through of normalised mutual information, in decimals: logarithms are not fractions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from scoref.explanation.blocks import Formula, GridColumns, Total
from scoref.explanation.explainer import Columns, Scored, Steps, f1, score_formulas, settled
from scoref.explanation.explainers.twinless import restrict_to_shared
from scoref.explanation.expressions import ONE, ZERO, Number, Over

_TEXT = (
    "With N mentions in all, a pair of entities of sizes |k| and |r| that shares n mentions adds"
    " n log2(n N / (|k| |r|)) to the information that the sides have of each other. An entity of"
    " n mentions adds n log2(N / n) to the entropy of its side. Both are in bits times mentions."
    " Recall is the information over the entropy of the key, precision over that of the response."
)


def nmi(steps: Steps, mentions: str = "same") -> Columns:
    """Explain normalised mutual information: information, two entropies, mentions."""
    steps = restrict_to_shared(steps, mentions)
    scene = steps.scene
    total = int(scene.table.key_size.sum())
    steps.show(_TEXT, Formula("N", None, Fraction(total)))
    n, k, r = scene.cell_sizes
    terms = n * np.log2(n * total / (k * r))
    columns: GridColumns = {**scene.cell_columns(), "|k|": k, "|r|": r}
    columns["n log2(n N / (|k| |r|))"] = Total(terms.tolist())
    (information,) = steps.table("Information", columns, terms)
    entropies: Columns = ()
    for side in scene.sides:
        n = side.sizes
        terms = n * np.log2(total / n)
        columns = {"entity": side.names, "n": n, "n log2(N / n)": Total(terms.tolist())}
        entropies += steps.table(f"Entropy of the {side.side}", columns, terms)
    return max(information, 0.0), *entropies, Fraction(total)


def score_nmi(columns: Sequence[Number], undefined: str, **_: Any) -> Scored:
    """Divide the information by the entropies."""
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
    value = Formula.of(name, ratio).value
    if value is not None:
        return Formula(name, ratio, min(value, 1.0))
    if no_entropy:
        return Formula(name, None, ONE, "neither side has entropy: all is one entity on both")
    return Formula(name, None, ZERO, "this side has no entropy, but the other side has")
