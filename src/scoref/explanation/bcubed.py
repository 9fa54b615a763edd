"""The walk-through of B³: what each pair of entities that share mentions adds."""

from __future__ import annotations

from scoref.explanation.blocks import Block, Column, Grid
from scoref.explanation.explainer import Counted, Explainer
from scoref.explanation.expressions import Number, exact_sum, fractions, whole
from scoref.explanation.scene import Scene
from scoref.explanation.twinless import practise

_TEXT = (
    "A key entity k and a response entity r that share n mentions: each of these finds n of its"
    " |k| companions, itself among them, on the other side, so that together they add n²/|k| to"
    " recall, and n²/|r| to precision. Recall is divided by the number of key mentions,"
    " precision by the number of response mentions."
)
RECALL, PRECISION = "recall", "precision"


def b_cubed(twinless: str = "none") -> Explainer:
    """Explain B³, with what a practice does to mentions that only one side has."""
    if twinless == "none":
        return Explainer(_count)

    def count(scene: Scene) -> Counted:
        sides, blocks = practise(scene, twinless)
        if sides.recall is sides.precision:
            terms, columns = _cells(sides.recall, (RECALL, PRECISION))
            return Counted(columns, [_TEXT, *blocks, *terms])
        recall, in_key = _cells(sides.recall, (RECALL,))
        precision, in_response = _cells(sides.precision, (PRECISION,))
        return Counted((*in_key, *in_response), [_TEXT, *blocks, *recall, *precision])

    return Explainer(count)


def _count(scene: Scene) -> Counted:
    blocks, columns = _cells(scene, (RECALL, PRECISION))
    return Counted(columns, [_TEXT, *blocks])


def _cells(scene: Scene, sides: tuple[str, ...]) -> tuple[list[Block], tuple[Number, ...]]:
    """Show what each cell adds; return the numerator and denominator of each side."""
    table = scene.table
    shared = table.count.tolist()
    squares = [n * n for n in shared]
    columns = [
        Column("key", scene.cell_keys),
        Column("response", scene.cell_responses),
        Column("n", whole(shared)),
    ]
    counts: list[Number] = []
    if RECALL in sides:
        sizes = table.cell_key_size.tolist()
        terms = fractions(squares, sizes)
        columns += [Column("|k|", whole(sizes)), Column("n²/|k|", terms, summed=True)]
        counts += [exact_sum(terms), exact_sum(whole(table.key_size.tolist()))]
    if PRECISION in sides:
        sizes = table.cell_res_size.tolist()
        terms = fractions(squares, sizes)
        columns += [Column("|r|", whole(sizes)), Column("n²/|r|", terms, summed=True)]
        counts += [exact_sum(terms), exact_sum(whole(table.res_size.tolist()))]
    if not shared:
        return ["No key entity shares a mention with a response entity."], tuple(counts)
    caption = f"Terms of {' and '.join(sides)}"
    return [Grid(columns, whole(shared), scene.limit, caption)], tuple(counts)
