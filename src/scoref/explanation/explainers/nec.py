"""The walk-through of named entity coreference, as scoref reconstructs it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from scoref.explanation.blocks import Block
from scoref.explanation.entities import type_table
from scoref.explanation.explainer import CountedTerms, Explainer, Scored, score_alone
from scoref.explanation.explainers.alignment import align_cells, best_pairs
from scoref.explanation.expressions import ZERO, Number, Over, choose, ratios
from scoref.explanation.scene import Scene, named
from scoref.metrics.types import best_types
from scoref.overlap.table import NAME

_TEXT = (
    "Only key entities with a name count. A response entity can be aligned with such an entity if"
    " they share a name. A pair that shares n mentions, a name among them, is worth"
    " 2n/(|k| + |r|), any other pair nothing. The best one-to-one total is divided by the number"
    " of key entities with a name. This is a reconstruction: the paper's formula could not be"
    " checked."
)


def nec() -> Explainer:
    """Explain named entity coreference."""
    return Explainer(_count, _score)


def _count(scene: Scene) -> CountedTerms:
    best, cell_key = best_types(scene.table), scene.table.cell_key
    n, k, r = scene.cell_sizes
    worth = choose(best.cell == NAME, ratios(2 * n, k + r), ZERO)
    pairs, total = align_cells(scene, worth)
    with_name = np.flatnonzero(best.key == NAME)
    aligned = cell_key[best_pairs(cell_key, scene.table.cell_res, worth)]
    missed = np.setdiff1d(with_name, aligned)
    blocks: list[Block] = [
        *(_TEXT, type_table(scene)),
        _listed(scene, "Key entities with a name", named(scene.key_side, with_name)),
        pairs,
    ]
    if len(missed):
        names = named(scene.key_side, missed)
        blocks.append(_listed(scene, "Key entities with a name that are not aligned", names))
    return CountedTerms((total, Fraction(len(with_name)), Fraction(len(missed))), blocks)


def _listed(scene: Scene, what: str, names: Sequence[str]) -> str:
    shown = scene.first(names)
    more = [f"and {len(names) - len(shown)} more"] if len(shown) < len(names) else []
    return f"{what}: {', '.join([*shown, *more]) or 'none'}."


def _score(columns: Sequence[Number], undefined: str) -> Scored:
    total, named_entities, _ = columns
    return score_alone("F1", Over(total, named_entities), undefined)
