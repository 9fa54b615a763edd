"""The walk-through of the mention overlap ratio."""

from __future__ import annotations

from fractions import Fraction

from scoref.explanation.blocks import Column, Grid
from scoref.explanation.entities import listed_rows
from scoref.explanation.explainer import Counted, Explainer
from scoref.explanation.expressions import whole
from scoref.explanation.scene import Scene
from scoref.metrics.mention_overlap import align

_TEXT = (
    "Key and response mentions are aligned one to one so that they share as many tokens as"
    " possible. Recall is divided by the tokens of all key mentions, precision by those of all"
    " response mentions; a token counts once for each mention that it is in."
)


def mor() -> Explainer:
    """Explain the mention overlap ratio."""
    return Explainer(_count)


def _count(scene: Scene) -> Counted:
    found = align(scene.rows)
    shared = whole(found.shared.tolist())
    columns = [
        Column("key mention", [listed_rows(scene, [row]) for row in found.key.tolist()]),
        Column("response mention", [listed_rows(scene, [row]) for row in found.response.tolist()]),
        Column("shared tokens", shared, summed=True),
    ]
    keys, responses = (
        Fraction(int(found.key_sizes.sum())),
        Fraction(int(found.response_sizes.sum())),
    )
    total = sum(shared, Fraction(0))
    table = Grid(columns, shared, scene.limit)
    sizes = f"Tokens of key mentions: {keys}; of response mentions: {responses}."
    return Counted((total, keys, total, responses), [_TEXT, table, sizes])
