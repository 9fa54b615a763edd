"""The walk-through of MUC: into how many parts the other side cuts each entity."""

from __future__ import annotations

from scoref.explanation.blocks import Block, Column, Each, Grid
from scoref.explanation.entities import listed_parts
from scoref.explanation.explainer import Counted, Explainer
from scoref.explanation.expressions import Number, exact_sum, whole
from scoref.explanation.scene import Scene, View

_TEXT = (
    "An entity of n mentions needs n - 1 links to be whole. If the other side cuts it into p"
    " parts, n - p of them are there; a mention that the other side lacks is a part of its own."
    " Recall is the share of the key's links that are there, precision that of the response's."
)


def muc() -> Explainer:
    """Explain MUC."""
    return Explainer(_count)


def _count(scene: Scene) -> Counted:
    key, in_key = _side(scene, scene.key_view, "For recall, the entities of the key")
    response, in_response = _side(
        scene, scene.res_view, "For precision, the entities of the response"
    )
    return Counted((*in_key, *in_response), [_TEXT, key, response])


def _side(scene: Scene, view: View, caption: str) -> tuple[Block, tuple[Number, Number]]:
    """Show the entities of one side; return the links that are there, and those needed."""
    sizes = view.sizes
    parts = [len(cells) + len(alone) for cells, alone in zip(view.cells, view.alone, strict=True)]
    there = whole([size - cut for size, cut in zip(sizes, parts, strict=True)])
    needed = whole([size - 1 for size in sizes])
    counts = exact_sum(there), exact_sum(needed)
    if not sizes:
        return f"{caption}: none.", counts
    table = Grid(
        [
            Column("entity", view.names),
            Column("n", whole(sizes)),
            Column("p", whole(parts)),
            Column("n - p", there, summed=True),
            Column("n - 1", needed, summed=True),
            Column("parts", Each(len(sizes), lambda at: listed_parts(scene, view, at))),
        ],
        whole(sizes),
        scene.limit,
        caption,
    )
    return table, counts
