"""The walk-through of CEAF: the pairs of entities, and the best one-to-one alignment of them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from scoref.assignment.solver import best_alignment
from scoref.base.arrays import Bools, Ints
from scoref.explanation.blocks import Block, Cells, Total
from scoref.explanation.explainer import Counted, Explainer
from scoref.explanation.explainers.twinless import change_partitions
from scoref.explanation.expressions import ONE, ZERO, Fractions, Number, exact_sum
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


def explain_ceaf(phi: int, twinless: str = "none") -> Explainer:
    """Explain CEAF with one of Luo's four similarities."""
    texts = [_TEXT.format(worth=_WORTH[phi]), _BY_SIZE if phi == 3 else _BY_NUMBER]
    practice = "rn-deleted" if twinless == "rn" else twinless  # Rahman & Ng's for CEAF is shorter

    def count(scene: Scene) -> Counted:
        (recall, precision), changes = change_partitions(scene, practice)
        same = recall is precision
        pairs, gain = align_cells(recall, _worth(recall, phi), "" if same else " for recall")
        blocks, other_gain = [pairs], gain
        if not same:
            worth = _worth(precision, phi)
            pairs, other_gain = align_cells(precision, worth, " for precision")
            blocks.append(pairs)
        keys, responses = (
            _itself(side, phi) for side in (recall.key_side, precision.response_side)
        )
        return Counted((gain, keys, other_gain, responses), [*texts, *changes, *blocks])

    return Explainer(count)


def _itself(side: Partition, phi: int) -> Number:
    """Return what a side is worth aligned with itself."""
    return exact_sum(side.sizes) if phi == 3 else Fraction(len(side.names))


def _worth(scene: Scene, phi: int) -> Fractions:
    n, k, r = scene.cell_sizes
    if phi == 1:
        return np.where((n == k) & (n == r), ONE, ZERO)
    return {2: n / n, 3: n, 4: 2 * n / (k + r)}[phi]


def align_cells(
    scene: Scene, worth: Fractions, purpose: str = "", title: str = "worth"
) -> tuple[Block, Number]:
    """Align the entities of cells; show the pairs, and return the total of the best alignment."""
    table = scene.table
    n, k, r = scene.cell_sizes
    chosen = best_pairs(table.cell_key, table.cell_res, worth)
    columns = {**scene.cell_columns(), "|k|": k, "|r|": r}
    caption = f"Pairs of entities{purpose}"
    return pair_table(scene, columns, {title: worth}, chosen, caption, n), total(worth, chosen)


def best_pairs(one: Ints, other: Ints, worth: Fractions) -> Bools:
    """Mark the pairs of the best one-to-one alignment, chosen as the metrics choose it."""
    return best_alignment(one, other, worth.astype(np.float64))


def total(worth: Fractions, chosen: Bools) -> Number:
    """Sum what the chosen pairs are worth."""
    return exact_sum(worth[chosen])


def only_chosen(worth: Fractions, chosen: Bools) -> Total:
    """Make the column that has the worth of the chosen pairs alone, and its sum."""
    return Total(np.where(chosen, worth, None))


def pair_table(
    scene: Scene,
    columns: Mapping[str, Cells],
    worth: Mapping[str, Fractions],
    chosen: Bools,
    caption: str,
    weight: Fractions,
) -> Block:
    """Show pairs and what they are worth; if not all are shown, the aligned ones first."""
    ((title, values),) = worth.items()
    heaviest = max(map(abs, weight), default=ZERO) + 1
    order = np.abs(weight) + np.where(chosen, heaviest, ZERO)
    cells = {**columns, title: values, "aligned": only_chosen(values, chosen)}
    return scene.grid(cells, caption, order)
