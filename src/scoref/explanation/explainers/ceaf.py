"""The walk-through of CEAF: the pairs of entities, and the best one-to-one alignment of them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from scoref.explanation.explainer import Columns, Steps
from scoref.explanation.explainers.alignment import align_cells
from scoref.explanation.explainers.twinless import change_partitions
from scoref.explanation.expressions import Fractions, Number, exact_sum, fractions, ratios
from scoref.explanation.scene import Partition, Scene

_WORTH = {
    1: "worth 1 if k = r, else 0",
    2: "worth 1 if k and r share a mention, else 0",
    3: "worth the n mentions that k and r share",
    4: "worth 2n/(|k| + |r|) if k and r share n mentions",
}
_TEXT = (
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


def exact_ceaf(steps: Steps, phi: int, twinless: str = "none") -> Columns:
    """Explain CEAF with one of Luo's four similarities."""
    steps.show(_TEXT.format(worth=_WORTH[phi]), _BY_SIZE if phi == 3 else _BY_NUMBER)
    practice = "rn-deleted" if twinless == "rn" else twinless  # Rahman & Ng's for CEAF is shorter
    recall, precision = change_partitions(steps, practice)
    if recall is precision:
        gain = other_gain = align_cells(recall, _worth(recall.scene, phi))
    else:
        gain = align_cells(recall, _worth(recall.scene, phi), " for recall")
        other_gain = align_cells(precision, _worth(precision.scene, phi), " for precision")
    keys, responses = recall.scene.key_side, precision.scene.response_side
    return gain, _itself(keys, phi), other_gain, _itself(responses, phi)


def _itself(side: Partition, phi: int) -> Number:
    """Return what a side is worth aligned with itself."""
    return exact_sum(side.sizes) if phi == 3 else Fraction(len(side.names))


def _worth(scene: Scene, phi: int) -> Fractions:
    n, k, r = scene.cell_sizes
    if phi == 1:
        return fractions((n == k) & (n == r))
    if phi == 4:
        return ratios(2 * n, k + r)
    return fractions(n if phi == 3 else np.ones_like(n))
