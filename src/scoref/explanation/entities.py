"""The entities of both sides and what they share, with which every explanation begins."""

from __future__ import annotations

from scoref.corpus.attributes import MENTION_TYPES
from scoref.explanation.blocks import Block, Grid, GridColumns, LazyCells, MentionSets, Total
from scoref.explanation.scene import Partition, Scene


def entity_table(scene: Scene, side: Partition, caption: str = "") -> Block:
    """Show the entities of one side."""
    members = side.members
    columns: GridColumns = {
        "entity": side.names,
        "id": side.ids,
        "size": Total(side.sizes),
        "mentions": LazyCells(len(members), lambda at: scene.mentions(members[at])),
    }
    return scene.grid(columns, caption or f"Entities of the {side.side}", side.sizes)


def overlap_table(scene: Scene) -> Block:
    """Show the mentions that each key entity shares with each response entity.

    Mentions that only one side has are in rows of their own.
    """
    key, response = scene.sides
    rows: list[tuple[str, str, list[int]]] = [
        *(
            (key.names[k], response.names[r], members)
            for k, r, members in zip(
                scene.table.cell_key.tolist(),
                scene.table.cell_res.tolist(),
                scene.cell_members,
                strict=True,
            )
        ),
        *((name, "-", alone) for name, alone in zip(key.names, key.alone, strict=True)),
        *(("-", name, alone) for name, alone in zip(response.names, response.alone, strict=True)),
    ]
    rows = [row for row in rows if row[2]]
    sizes = [len(members) for _, _, members in rows]
    columns: GridColumns = {
        "key": [row[0] for row in rows],
        "response": [row[1] for row in rows],
        "n": Total(sizes),
        "mentions": LazyCells(len(rows), lambda at: scene.mentions(rows[at][2])),
    }
    caption = "What they share; a row with a dash has the mentions that only one side has"
    return scene.grid(columns, caption, sizes) if rows else "Neither side has mentions."


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


def group_table(scene: Scene, title: str, groups: dict[str, list[int]], caption: str = "") -> Grid:
    """Show groups of mentions: how many there are, and which."""
    columns: GridColumns = {
        title: list(groups),
        "number": [len(rows) for rows in groups.values()],
        "which": [scene.mentions(rows) for rows in groups.values()],
    }
    return Grid(columns, caption)


def type_table(scene: Scene) -> Grid:
    """Show which mentions are names, nominals and pronouns."""
    types = scene.rows.type
    groups = {name: (types == at).nonzero()[0].tolist() for at, name in enumerate(MENTION_TYPES)}
    return group_table(scene, "type", groups, "Types of mentions")
