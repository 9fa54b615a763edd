"""The types of mentions, for walk-throughs of measures that look at them."""

from __future__ import annotations

from scoref.corpus.attributes import MENTION_TYPES
from scoref.explanation.blocks import ALL, Block, Column, Grid
from scoref.explanation.entities import listed_rows
from scoref.explanation.expressions import whole
from scoref.explanation.scene import Scene


def types(scene: Scene) -> Block:
    """Show which mentions are names, nominals and pronouns."""
    kinds = scene.rows.type
    rows = [(kinds == kind).nonzero()[0].tolist() for kind in range(len(MENTION_TYPES))]
    sizes = whole([len(found) for found in rows])
    columns = [
        Column("type", MENTION_TYPES),
        Column("number", sizes),
        Column("mentions", [listed_rows(scene, found) for found in rows]),
    ]
    return Grid(columns, sizes, ALL, "Types of mentions")
