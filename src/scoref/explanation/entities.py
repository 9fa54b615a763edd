"""The entities of both sides and what they share, with which every explanation begins."""

from __future__ import annotations

from collections.abc import Mapping

from scoref.base.arrays import Ints
from scoref.corpus.attributes import MENTION_TYPES
from scoref.explanation.blocks import Grid, GridColumns, LazyCells, MentionSets, Total
from scoref.explanation.explainer import Steps
from scoref.explanation.scene import Partition, Scene


def show_entities(steps: Steps, side: Partition, caption: str = "") -> None:
    """Show the entities of one side."""
    scene, members, ids = steps.scene, side.members, side.ids
    columns: GridColumns = {
        "entity": side.names,
        "id": LazyCells(len(ids), lambda at: scene.source.entity_id(side.side, ids[at])),
        "size": Total(side.sizes),
        "mentions": LazyCells(len(members), lambda at: scene.mentions(members[at])),
    }
    steps.table(caption or f"Entities of the {side.side}", columns, side.sizes)


def show_overlaps(steps: Steps) -> None:
    """Show the mentions that each key entity shares with each response entity.

    Mentions that only one side has are in rows of their own.
    """
    scene, (key, response) = steps.scene, steps.scene.sides
    cells = key.named(scene.table.cell_key), response.named(scene.table.cell_res)
    rows = [
        *zip(*cells, scene.cell_members, strict=True),
        *((name, "-", alone) for name, alone in zip(key.names, key.alone, strict=True)),
        *(("-", name, alone) for name, alone in zip(response.names, response.alone, strict=True)),
    ]
    rows = [row for row in rows if row[2]]
    if not rows:
        steps.show("Neither side has mentions.")
        return
    names, others, members = zip(*rows, strict=True)
    sizes = [len(some) for some in members]
    columns: GridColumns = {
        "key": names,
        "response": others,
        "n": Total(sizes),
        "mentions": LazyCells(len(rows), lambda at: scene.mentions(members[at])),
    }
    caption = "What they share; a row with a dash has the mentions that only one side has"
    steps.table(caption, columns, sizes)


def part_cells(scene: Scene, side: Partition) -> LazyCells:
    """List the parts into which the other side cuts each entity.

    A mention that the other side lacks is a part of its own.
    """

    def parts(entity: int) -> MentionSets:
        found = [scene.cell_members[cell] for cell in side.cells[entity]]
        found += [[row] for row in side.alone[entity]]
        shown = scene.first(found)
        return MentionSets(tuple(map(scene.mentions, shown)), len(found) - len(shown))

    return LazyCells(len(side.members), parts)


def show_groups(steps: Steps, title: str, groups: Mapping[str, Ints], caption: str = "") -> None:
    """Show groups of mentions: how many there are, and which."""
    columns: GridColumns = {
        title: list(groups),
        "number": [len(rows) for rows in groups.values()],
        "which": [steps.scene.mentions(rows.tolist()) for rows in groups.values()],
    }
    steps.show(Grid(columns, caption))


def show_types(steps: Steps) -> None:
    """Show which mentions are names, nominals and pronouns."""
    types = steps.scene.rows.type
    groups = {name: (types == at).nonzero()[0] for at, name in enumerate(MENTION_TYPES)}
    show_groups(steps, "type", groups, "Types of mentions")
