"""The walk-through of named entity coreference, as scoref reconstructs it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from scoref.base.arrays import Ints
from scoref.explanation.entities import show_types
from scoref.explanation.explainer import Columns, Steps
from scoref.explanation.explainers.alignment import align_cells, best_pairs
from scoref.explanation.expressions import ZERO, choose, ratios
from scoref.metrics.types import best_types
from scoref.overlap.table import NAME

_TEXT = (
    "Only key entities with a name count. A response entity can be aligned with such an entity if"
    " they share a name. A pair that shares n mentions, a name among them, is worth"
    " 2n/(|k| + |r|), any other pair nothing. The best one-to-one total is divided by the number"
    " of key entities with a name. This is a reconstruction: the paper's formula could not be"
    " checked."
)


def nec(steps: Steps) -> Columns:
    """Explain named entity coreference."""
    steps.show(_TEXT)
    show_types(steps)
    scene = steps.scene
    best, (n, k, r) = best_types(scene.table), scene.cell_sizes
    with_name = np.flatnonzero(best.key == NAME)
    _list_entities(steps, "Key entities with a name", with_name)
    worth = choose(best.cell == NAME, ratios(2 * n, k + r), ZERO)
    total = align_cells(steps, worth)
    cell_key = scene.table.cell_key
    aligned = cell_key[best_pairs(cell_key, scene.table.cell_res, worth)]
    missed = np.setdiff1d(with_name, aligned)
    if len(missed):
        _list_entities(steps, "Key entities with a name that are not aligned", missed)
    return total, Fraction(len(with_name)), Fraction(len(missed))


def _list_entities(steps: Steps, what: str, entities: Ints) -> None:
    names = steps.scene.key_side.named(entities)
    shown = steps.scene.first(names)
    more = [f"and {len(names) - len(shown)} more"] if len(shown) < len(names) else []
    steps.show(f"{what}: {', '.join([*shown, *more]) or 'none'}.")
