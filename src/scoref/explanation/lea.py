"""The walk-through of LEA: how well each entity is resolved, times its importance."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from scoref.explanation.blocks import Block, Column, Grid
from scoref.explanation.explainer import Counted, Explainer
from scoref.explanation.expressions import (
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
from scoref.explanation.scene import Scene, View
from scoref.explanation.types import types

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
    importance: str = "size",
    nam: float = 1.0,
    nom: float = 0.75,
    pro: float = 0.5,
    other: float = 1.0,
    **entity_types: float,
) -> Explainer:
    """Explain LEA with an importance."""
    weights = [decimal(weight) for weight in (nam, nom, pro)]
    by_entity_type = {name.lower(): decimal(weight) for name, weight in entity_types.items()}
    weigh: dict[str, Importance] = {
        "size": lambda _, view: whole(view.sizes),
        "uniform": lambda _, view: [ONE for _ in view.sizes],
        "links": lambda _, view: [max(pairs(size), ONE) for size in view.sizes],
        "mention_types": lambda scene, view: _by_types(scene, view, weights),
        "entity_type": lambda scene, view: [
            by_entity_type.get(kind.lower(), decimal(other)) for kind in _kinds(scene, view)
        ],
    }
    named = [f"{said(weight)} for {name.upper()}, " for name, weight in entity_types.items()]
    said_of_types = {
        "mention_types": f"the sum of its mentions' weights: {said(nam)} for a name, {said(nom)}"
        f" for a nominal, {said(pro)} for a pronoun",
        "entity_type": f"the weight of its type: {''.join(named)}{said(other)} for any"
        f"{' other' if named else ''}",
    }
    text = _TEXT.format(importance=(_SAID | said_of_types)[importance])

    def count(scene: Scene) -> Counted:
        sides = [
            _side(scene, view, weigh[importance], caption, typed=importance == "entity_type")
            for view, caption in ((scene.key_view, "For recall"), (scene.res_view, "For precision"))
        ]
        (key, in_key), (response, in_response) = sides
        kinds: list[Block] = [types(scene)] if importance == "mention_types" else []
        return Counted((*in_key, *in_response), [text, *kinds, *key, *response])

    return Explainer(count)


def _by_types(scene: Scene, view: View, weights: list[Fraction]) -> list[Fraction]:
    kind_of = scene.rows.type.tolist()
    return [sum((weights[kind_of[row]] for row in rows), start=ZERO) for rows in view.members]


def _kinds(scene: Scene, view: View) -> list[str]:
    """Return the type of each entity of a side."""
    kinds = scene.rows.entity_attribute("key" if view.side == "key" else "response", "type")
    return [] if kinds is None else [str(kind) for kind in kinds.tolist()]


def _side(
    scene: Scene, view: View, weigh: Importance, caption: str, *, typed: bool
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
            *([Column("type", _kinds(scene, view))] if typed else []),
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
