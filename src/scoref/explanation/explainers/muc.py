"""The walk-through of MUC: into how many parts the other side cuts each entity."""

from __future__ import annotations

from scoref.explanation.blocks import GridColumns, Total
from scoref.explanation.entities import part_cells
from scoref.explanation.explainer import Columns, Steps

_TEXT = (
    "An entity of n mentions needs n - 1 links to be whole. If the other side cuts it into p"
    " parts, n - p of these links are there. A mention that the other side lacks is a part of its"
    " own. Recall is the share of the key's links that are there, precision the share of the"
    " response's links."
)


def muc(steps: Steps) -> Columns:
    """Explain MUC: the links that are there, and the links that are needed."""
    steps.show(_TEXT)
    counts: Columns = ()
    for side, caption in steps.scene.ratios:
        n, p = side.sizes, side.parts
        columns: GridColumns = {
            "entity": side.names,
            "n": n,
            "p": p,
            "n - p": Total(n - p),
            "n - 1": Total(n - 1),
            "parts": part_cells(steps.scene, side),
        }
        counts += steps.table(caption, columns, n)
    return counts
