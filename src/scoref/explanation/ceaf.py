"""The walk-through of CEAF: the pairs of entities, and the best one-to-one alignment of them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from scoref.assignment.solver import best_alignment
from scoref.explanation.blocks import Block, Column, Grid
from scoref.explanation.explainer import Counted, Explainer
from scoref.explanation.expressions import ONE, ZERO, Number, exact_sum, fractions, whole
from scoref.explanation.partial_credit import partial_credit
from scoref.explanation.scene import Scene
from scoref.explanation.twinless import Sides, practise
from scoref.metrics.partial_credit import Credit
from scoref.overlap.table import Table

_WORTH = {
    1: "worth 1 if k = r, else 0",
    2: "worth 1 if k and r share a mention, else 0",
    3: "worth the n mentions that k and r share",
    4: "worth 2n/(|k| + |r|) if k and r share n mentions",
}
_TEXT = (
    "Each key entity k is aligned with at most one response entity r, and the other way round,"
    " so that the total worth is greatest; a pair is {worth}. Pairs that share no mention are"
    " worth nothing and not shown."
)
_SELF = {
    3: "An entity aligned with itself is worth its size: the total is divided by the number of"
    " key mentions for recall, by the number of response mentions for precision.",
    0: "An entity aligned with itself is worth 1: the total is divided by the number of key"
    " entities for recall, by the number of response entities for precision.",
}


def ceaf_m(twinless: str = "none") -> Explainer:
    """Explain mention-based CEAF."""
    return _ceaf(3, twinless)


def ceaf_e(twinless: str = "none") -> Explainer:
    """Explain entity-based CEAF."""
    return _ceaf(4, twinless)


def ceaf(  # noqa: PLR0917  # as the measure
    phi: int = 3,
    overlap: str = "exact",
    nam_nom: float = 1.0,
    nam_pro: float = 1.0,
    nom_pro: float = 1.0,
    nam: float = 1.0,
    nom: float = 1.0,
    pro: float = 1.0,
) -> Explainer:
    """Explain CEAF with one of Luo's four similarities, or with partial credit."""
    credit = Credit(overlap, (nam_nom, nam_pro, nom_pro), (nam, nom, pro))
    return _ceaf(phi, "none") if credit.is_exact else partial_credit(phi, credit)


def _ceaf(phi: int, twinless: str) -> Explainer:
    texts = [_TEXT.format(worth=_WORTH[phi]), _SELF.get(phi, _SELF[0])]

    def count(scene: Scene) -> Counted:
        sides, changes = _sides(scene, twinless)
        worth = _worth(sides.recall.table, phi)
        if sides.recall is sides.precision:
            blocks, recall = align(sides.recall, worth, "Pairs of entities")
            precision = recall
        else:
            blocks, recall = align(sides.recall, worth, "Pairs of entities for recall")
            worth = _worth(sides.precision.table, phi)
            more, precision = align(sides.precision, worth, "Pairs of entities for precision")
            blocks += more
        in_key, _ = _denominators(sides.recall.table, phi)
        _, in_response = _denominators(sides.precision.table, phi)
        return Counted((recall, in_key, precision, in_response), [*texts, *changes, *blocks])

    return Explainer(count)


def _sides(scene: Scene, twinless: str) -> tuple[Sides, list[Block]]:
    """Change the partitions as a practice does, whose part for CEAF Rahman & Ng have shorter."""
    if twinless == "none":
        return Sides(scene, scene), []
    return practise(scene, "rn-deleted" if twinless == "rn" else twinless)


def _denominators(table: Table, phi: int) -> tuple[Fraction, Fraction]:
    """Return what each side would get aligned with itself."""
    if phi == 3:
        return Fraction(int(table.key_size.sum())), Fraction(int(table.res_size.sum()))
    return Fraction(len(table.key_size)), Fraction(len(table.res_size))


def _worth(table: Table, phi: int) -> list[Fraction]:
    shared = table.count.tolist()
    key, response = table.cell_key_size.tolist(), table.cell_res_size.tolist()
    if phi == 1:
        return [ONE if n == k == r else ZERO for n, k, r in zip(shared, key, response, strict=True)]
    if phi == 2:
        return [ONE] * len(shared)
    if phi == 3:
        return whole(shared)
    both = [k + r for k, r in zip(key, response, strict=True)]
    return fractions([2 * n for n in shared], both)


def align(
    scene: Scene, worth: list[Fraction], caption: str, title: str = "worth"
) -> tuple[list[Block], Number]:
    """Show the pairs that share mentions and those of the best alignment; return its total."""
    chosen = aligned_cells(scene, worth)
    total = exact_sum(value for value, yes in zip(worth, chosen, strict=True) if yes)
    return pair_table(scene, worth, chosen, caption, title), total


def aligned_cells(scene: Scene, worth: list[Fraction]) -> list[bool]:
    """Mark the cells of the best alignment, chosen as the measures choose it."""
    table = scene.table
    weights = np.array([float(value) for value in worth])
    chosen: list[bool] = best_alignment(table.cell_key, table.cell_res, weights).tolist()
    return chosen


def pair_table(
    scene: Scene, worth: list[Fraction], chosen: list[bool], caption: str, title: str = "worth"
) -> list[Block]:
    """Show the pairs that share mentions, aligned ones before others if not all are shown."""
    if not worth:
        return ["No key entity shares a mention with a response entity."]
    table = scene.table
    gains = [value if yes else None for value, yes in zip(worth, chosen, strict=True)]
    shared = table.count.tolist()
    most = max(shared)
    pairs = Grid(
        [
            Column("key", scene.cell_keys),
            Column("response", scene.cell_responses),
            Column("n", whole(shared)),
            Column("|k|", whole(table.cell_key_size.tolist())),
            Column("|r|", whole(table.cell_res_size.tolist())),
            Column(title, worth),
            Column("aligned", gains, summed=True),
        ],
        [n + (most if yes else 0) for n, yes in zip(shared, chosen, strict=True)],
        scene.limit,
        caption,
    )
    return [pairs]
