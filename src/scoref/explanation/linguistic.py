"""The walk-throughs of linguistically aware MUC, B³ and CEAF: weights of spanning trees."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from scoref.corpus.attributes import MENTION_TYPES
from scoref.explanation.blocks import Block, Column, Grid
from scoref.explanation.ceaf import align
from scoref.explanation.explainer import Columns, Counted, Explainer
from scoref.explanation.expressions import ZERO, Number, decimal, exact_sum, said, whole
from scoref.explanation.scene import Scene, View
from scoref.explanation.types import types

_TEXT = (
    "A link weighs {nam} if it touches a name, else {nom} if it touches a nominal, else {pro}; an"
    " entity of one mention weighs {sing}, and so does what two of them share. The heaviest tree"
    " that connects n mentions has n - 1 links, each worth the best type among them: that is the"
    " weight w_k of a key entity, and the weight w_c of the mentions that a pair of entities"
    " shares. The weight w_s of a response entity is that of the trees of its parts that lie in"
    " one key entity each, plus that of a tree that connects these parts, each of its links worth"
    " the best type of the entity; a mention that the key lacks is a part of its own."
)
_MEAN = (
    "Each of the n mentions that a pair of entities shares adds w_c/w_k to recall and w_c/w_s to"
    " precision, which are divided by the number of key mentions and of response mentions."
)


class Weights(NamedTuple):
    """What Chen & Ng call w_c, w_k and w_s."""

    cell: list[Fraction]
    key: list[Fraction]
    response: list[Fraction]


Measure = Callable[[Scene, Weights], tuple[Columns, list[Block]]]


def linguistic(measure: str) -> Callable[..., Explainer]:
    """Return what explains one of the four measures with some weights."""

    def explain(
        nam: float = 1.0, nom: float = 0.75, pro: float = 0.5, sing: float = 1.0
    ) -> Explainer:
        by_type = [decimal(weight) for weight in (nam, nom, pro)]
        single = decimal(sing)
        text = _TEXT.format(nam=said(nam), nom=said(nom), pro=said(pro), sing=said(sing))

        def count(scene: Scene) -> Counted:
            weights, blocks = _weigh(scene, by_type, single)
            columns, more = _MEASURES[measure](scene, weights)
            return Counted(columns, [text, types(scene), *blocks, *more])

        return Explainer(count)

    return explain


def _weigh(scene: Scene, by_type: list[Fraction], single: Fraction) -> tuple[Weights, list[Block]]:
    """Weigh what is shared, key entities and response entities, and show it."""
    kind_of: list[int] = scene.rows.type.tolist()
    table = scene.table

    def best(rows: list[int]) -> int:
        return min(kind_of[row] for row in rows)

    def tree(rows: list[int]) -> Fraction:
        return (len(rows) - 1) * by_type[best(rows)]

    trees = [tree(rows) for rows in scene.cell_members]
    sizes = zip(table.cell_key_size.tolist(), table.cell_res_size.tolist(), strict=True)
    cell = [single if k == r == 1 else one for one, (k, r) in zip(trees, sizes, strict=True)]
    key = [single if len(rows) == 1 else tree(rows) for rows in scene.key_members]
    view = scene.res_view
    parts = [len(cells) + len(alone) for cells, alone in zip(view.cells, view.alone, strict=True)]
    inside = [sum((trees[cell] for cell in cells), start=ZERO) for cells in view.cells]
    response = [
        single if len(rows) == 1 else within + (cut - 1) * by_type[best(rows)]
        for rows, within, cut in zip(view.members, inside, parts, strict=True)
    ]

    def kinds(groups: list[list[int]]) -> list[str]:
        return [MENTION_TYPES[best(rows)] for rows in groups]

    blocks: list[Block] = []
    if key:
        blocks.append(
            _entity_table(scene, scene.key_view, kinds(scene.key_members), [], ("w_k", key))
        )
    if response:
        more = [Column("parts", whole(parts)), Column("trees of the parts", inside)]
        blocks.append(_entity_table(scene, view, kinds(view.members), more, ("w_s", response)))
    if cell:
        blocks.append(
            Grid(
                [
                    Column("key", scene.cell_keys),
                    Column("response", scene.cell_responses),
                    Column("best type", kinds(scene.cell_members)),
                    Column("n", whole(table.count.tolist())),
                    Column("w_c", cell, summed=True),
                ],
                cell,
                scene.limit,
                "Weights of what is shared",
            )
        )
    return Weights(cell, key, response), blocks


def _entity_table(
    scene: Scene,
    view: View,
    kinds: list[str],
    more: list[Column],
    weights: tuple[str, list[Fraction]],
) -> Block:
    title, values = weights
    columns = [
        Column("entity", view.names),
        Column("best type", kinds),
        Column("n", whole(view.sizes)),
        *more,
        Column(title, values, summed=True),
    ]
    return Grid(columns, values, scene.limit, f"Weights of the entities of the {view.side}")


def _muc(_: Scene, weights: Weights) -> tuple[Columns, list[Block]]:
    common = exact_sum(weights.cell)
    text = "Recall is the sum of w_c over that of w_k, precision over that of w_s."
    columns = (common, exact_sum(weights.key), common, exact_sum(weights.response))
    return columns, [text]


def _b_cubed(scene: Scene, weights: Weights) -> tuple[Columns, list[Block]]:
    table = scene.table
    shared = table.count.tolist()
    in_key, in_response = Fraction(int(table.key_size.sum())), Fraction(int(table.res_size.sum()))
    w_k = [weights.key[at] for at in table.cell_key.tolist()]
    w_s = [weights.response[at] for at in table.cell_res.tolist()]
    recall = [n * c / k for n, c, k in zip(shared, weights.cell, w_k, strict=True)]
    precision = [n * c / s for n, c, s in zip(shared, weights.cell, w_s, strict=True)]
    columns = (exact_sum(recall), in_key, exact_sum(precision), in_response)
    blocks: list[Block] = [_MEAN]
    if shared:
        blocks.append(
            Grid(
                [
                    Column("key", scene.cell_keys),
                    Column("response", scene.cell_responses),
                    Column("n", whole(shared)),
                    Column("w_c", weights.cell),
                    Column("w_k", w_k),
                    Column("n w_c/w_k", recall, summed=True),
                    Column("w_s", w_s),
                    Column("n w_c/w_s", precision, summed=True),
                ],
                whole(shared),
                scene.limit,
                "Terms of recall and precision",
            )
        )
    return columns, blocks


def _ceaf_m(scene: Scene, weights: Weights) -> tuple[Columns, list[Block]]:
    blocks, total = align(scene, weights.cell, "Pairs of entities", "w_c")
    text = (
        "Entities are aligned one to one so that the total of w_c is greatest; recall divides it"
        " by the sum of w_k, precision by the sum of w_s."
    )
    columns = (total, exact_sum(weights.key), total, exact_sum(weights.response))
    return columns, [text, *blocks]


def _ceaf_e(scene: Scene, weights: Weights) -> tuple[Columns, list[Block]]:
    table = scene.table
    both = [
        weights.key[k] + weights.response[r]
        for k, r in zip(table.cell_key.tolist(), table.cell_res.tolist(), strict=True)
    ]
    alike = [2 * c / w for c, w in zip(weights.cell, both, strict=True)]
    title = "2 w_c/(w_k + w_s)"
    blocks, total = align(scene, alike, "Pairs of entities", title)
    text = (
        f"Entities are aligned one to one so that the total of {title} is greatest; recall"
        " divides it by the number of key entities, precision by that of response entities."
    )
    keys: Number = Fraction(len(weights.key))
    return (total, keys, total, Fraction(len(weights.response))), [text, *blocks]


_MEASURES: dict[str, Measure] = {
    "lmuc": _muc,
    "lb3": _b_cubed,
    "lceafm": _ceaf_m,
    "lceafe": _ceaf_e,
}
