"""The entities of both sides, and what they share: where every walk-through begins."""

from __future__ import annotations

from scoref.explanation.blocks import Block, Column, Each, Grid, Mentions, Parts
from scoref.explanation.expressions import whole
from scoref.explanation.scene import Name, Scene, View


def entities(scene: Scene) -> list[Block]:
    """Show the entities of both sides."""
    return [
        partition(scene, scene.key_names, scene.key_members, "Entities of the key"),
        partition(scene, scene.res_names, scene.res_members, "Entities of the response"),
    ]


def partition(
    scene: Scene, names: tuple[Name, ...], members: list[list[int]], caption: str
) -> Grid | str:
    """Show the entities of one side."""
    if not names:
        return f"{caption}: none."
    sizes = whole([len(rows) for rows in members])
    return Grid(
        [
            Column("entity", [name.short for name in names]),
            Column("id", [name.id for name in names]),
            Column("size", sizes, summed=True),
            Column("mentions", Each(len(members), lambda at: listed_rows(scene, members[at]))),
        ],
        sizes,
        scene.limit,
        caption,
    )


def shared(scene: Scene) -> Grid | str:
    """Show the mentions that each key entity shares with each response entity.

    Mentions that only one side has stand in rows of their own.
    """
    key, response = scene.key_view, scene.res_view
    rows: list[tuple[str, str, list[int]]] = [
        *zip(scene.cell_keys, scene.cell_responses, scene.cell_members, strict=True),
        *((name, "-", alone) for name, alone in zip(key.names, key.alone, strict=True)),
        *(("-", name, alone) for name, alone in zip(response.names, response.alone, strict=True)),
    ]
    rows = [row for row in rows if row[2]]
    if not rows:
        return "Neither side has mentions."
    sizes = whole([len(mentions) for _, _, mentions in rows])
    return Grid(
        [
            Column("key", [row[0] for row in rows]),
            Column("response", [row[1] for row in rows]),
            Column("n", sizes, summed=True),
            Column("mentions", Each(len(rows), lambda at: listed_rows(scene, rows[at][2]))),
        ],
        sizes,
        scene.limit,
        "What they share; a row with a dash has the mentions that only one side has",
    )


def listed_parts(scene: Scene, view: View, entity: int) -> Parts:
    """List the parts into which the other side cuts an entity.

    A mention that the other side lacks is a part of its own.
    """
    parts = [scene.cell_members[cell] for cell in view.cells[entity]]
    parts += [[row] for row in view.alone[entity]]
    shown = parts[: scene.limit] if scene.limit else parts
    return Parts(tuple(listed_rows(scene, rows) for rows in shown), len(parts) - len(shown))


def listed_rows(scene: Scene, rows: list[int]) -> Mentions:
    """Name some mentions, the first ones if they are too many."""
    shown = rows[: scene.limit] if scene.limit else rows
    separator = "; " if scene.source.words else ", "
    return Mentions(tuple(scene.named(shown)), len(rows) - len(shown), separator)
