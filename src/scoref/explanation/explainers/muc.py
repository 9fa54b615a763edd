"""The walk-through of MUC: into how many parts the other side cuts each entity."""

from __future__ import annotations

from scoref.explanation.blocks import Block, GridColumns, Total
from scoref.explanation.entities import part_cells
from scoref.explanation.explainer import CountedTerms, Explainer
from scoref.explanation.expressions import Number, exact_sum
from scoref.explanation.scene import Partition, Scene

_TEXT = (
    "An entity of n mentions needs n - 1 links to be whole. If the other side cuts it into p"
    " parts, n - p of these links are there. A mention that the other side lacks is a part of its"
    " own. Recall is the share of the key's links that are there, precision the share of the"
    " response's links."
)


def muc() -> Explainer:
    """Explain MUC."""
    return Explainer(_count)


def _count(scene: Scene) -> CountedTerms:
    key, in_key = _side(scene, scene.key_side, "For recall, the entities of the key")
    caption = "For precision, the entities of the response"
    response, in_response = _side(scene, scene.response_side, caption)
    return CountedTerms((*in_key, *in_response), [_TEXT, key, response])


def _side(scene: Scene, side: Partition, caption: str) -> tuple[Block, tuple[Number, Number]]:
    """Show the entities of one side; return the links that are there, and those needed."""
    n, p = side.sizes, side.parts
    columns: GridColumns = {
        "entity": side.names,
        "n": n,
        "p": p,
        "n - p": Total(n - p),
        "n - 1": Total(n - 1),
        "parts": part_cells(scene, side),
    }
    return scene.grid(columns, caption, n), (exact_sum(n - p), exact_sum(n - 1))
