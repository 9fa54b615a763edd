"""The walk-through of LEA: how well each entity is resolved, times its importance."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from scoref.analysis.explain.blocks import Block, Column, Grid
from scoref.analysis.explain.explainer import Counted, Explainer
from scoref.analysis.explain.expressions import (
    ONE,
    ZERO,
    Number,
    decimal,
    exact_sum,
    fractions,
    pairs,
    said,
    whole,
)
from scoref.analysis.explain.scene import Scene, View
from scoref.analysis.explain.types import types

_TEXT = (
    "Each entity is resolved by the share of its n(n - 1)/2 links that the other side has, and"
    " this share is multiplied by its importance, {importance}. An entity of one mention has one"
    " link, to itself, which only an equal entity of one mention has too. Recall is the sum of"
    " these products over the sum of importance for key entities, precision for response entities."
)
_SAID = {
    "size": "the number of its mentions",
    "uniform": "which is 1 for all",
    "links": "the number of its links",
}
Importance = Callable[[Scene, View], list[Fraction]]


def lea(
    importance: str = "size", nam: float = 1.0, nom: float = 0.75, pro: float = 0.5
) -> Explainer:
    """Explain LEA with an importance."""
    weights = [decimal(weight) for weight in (nam, nom, pro)]
    weigh: dict[str, Importance] = {
        "size": lambda _, view: whole(view.sizes),
        "uniform": lambda _, view: [ONE for _ in view.sizes],
        "links": lambda _, view: [max(pairs(size), ONE) for size in view.sizes],
        "mention_types": lambda scene, view: _by_types(scene, view, weights),
    }
    by_types = (
        f"the sum of its mentions' weights: {said(nam)} for a name, {said(nom)} for a nominal,"
        f" {said(pro)} for a pronoun"
    )
    text = _TEXT.format(importance=_SAID.get(importance, by_types))

    def count(scene: Scene) -> Counted:
        key, in_key = _side(scene, scene.key_view, weigh[importance], "For recall")
        response, in_response = _side(scene, scene.res_view, weigh[importance], "For precision")
        kinds: list[Block] = [types(scene)] if importance == "mention_types" else []
        return Counted((*in_key, *in_response), [text, *kinds, *key, *response])

    return Explainer(count)


def _by_types(scene: Scene, view: View, weights: list[Fraction]) -> list[Fraction]:
    kind_of = scene.rows.type.tolist()
    return [sum((weights[kind_of[row]] for row in rows), start=ZERO) for rows in view.members]


def _side(
    scene: Scene, view: View, weigh: Importance, caption: str
) -> tuple[list[Block], tuple[Number, Number]]:
    """Show the entities of one side; return what is resolved of their importance, and all."""
    sizes = view.sizes
    importance = weigh(scene, view)
    links = [int(max(pairs(size), ONE)) for size in sizes]
    common = [_common(scene, view, at) for at in range(len(sizes))]
    resolution = fractions(common, links)
    terms = [weight * share for weight, share in zip(importance, resolution, strict=True)]
    counts = (exact_sum(terms), exact_sum(importance))
    if not sizes:
        return [f"{caption}: the {view.side} has no entities."], counts
    table = Grid(
        [
            Column("entity", view.names),
            Column("n", whole(sizes)),
            Column("importance", importance, summed=True),
            Column("links", whole(links)),
            Column("common", whole(common)),
            Column("resolution", resolution),
            Column("product", terms, summed=True),
        ],
        [weight + Fraction(size, 10**9) for weight, size in zip(importance, sizes, strict=True)],
        scene.limit,
        f"{caption}, the entities of the {view.side}",
    )
    return [table], counts


def _common(scene: Scene, view: View, entity: int) -> int:
    """Count the links of an entity that the other side has."""
    table = scene.table
    cells = view.cells[entity]
    if len(view.members[entity]) == 1:
        alone = [int(table.cell_key_size[c]) == int(table.cell_res_size[c]) == 1 for c in cells]
        return int(any(alone))
    return sum(int(pairs(int(table.count[cell]))) for cell in cells)
