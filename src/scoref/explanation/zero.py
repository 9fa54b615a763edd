"""The walk-through of the score of zeros: each zero anaphor, its entities, and the verdict."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np

from scoref.explanation.blocks import Column, Each, Grid
from scoref.explanation.entities import listed_rows
from scoref.explanation.explainer import Counted, Explainer
from scoref.explanation.expressions import ONE
from scoref.explanation.scene import Scene
from scoref.metrics.zero import classify
from scoref.overlap.table import NOWHERE

_VERDICTS = ("right", "wrong link", "missed", "spurious")
_TEXT = (
    "An anaphor is a zero that is not the first mention of its entity. One of the key is right if"
    " an earlier mention of its key entity is in its response entity, missed if the response lacks"
    " it or has it first in an entity, and a wrong link otherwise. One that the response alone has"
    " as an anaphor is spurious."
)


def zero() -> Explainer:
    """Explain the score of zeros."""
    return Explainer(_count)


def _count(scene: Scene) -> Counted:
    found = [
        (row, verdict)
        for verdict, kind in zip(_VERDICTS, classify(scene.rows), strict=True)
        for row in np.flatnonzero(kind).tolist()
    ]
    found.sort()
    many = Counter(verdict for _, verdict in found)
    right, wrong, missed, spurious = (Fraction(many[verdict]) for verdict in _VERDICTS)
    counts = (right, right + wrong + missed, right, right + wrong + spurious)
    if not found:
        return Counted(counts, [_TEXT, "There are no zero anaphors."])
    rows = [row for row, _ in found]
    columns = [
        Column("zero", Each(len(rows), lambda at: listed_rows(scene, [rows[at]]))),
        Column("key", _names(scene.keys, scene.key[rows].tolist())),
        Column("response", _names(scene.responses, scene.res[rows].tolist())),
        Column("verdict", [verdict for _, verdict in found]),
    ]
    told = ", ".join(f"{verdict}: {many[verdict]}" for verdict in _VERDICTS)
    grid = Grid(columns, [ONE] * len(rows), scene.limit, "Zero anaphors")
    return Counted(counts, [_TEXT, grid, f"{told[0].upper()}{told[1:]}."])


def _names(names: list[str], entities: list[int]) -> list[str]:
    """Name the entity of each mention, with a dash for none."""
    return [names[entity] if entity != NOWHERE else "-" for entity in entities]
