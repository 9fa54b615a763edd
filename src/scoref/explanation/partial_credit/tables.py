"""The tables of a walk-through of CEAF with partial credit."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from scoref.base.phrases import counted
from scoref.explanation.blocks import Block, Column, Each, Grid
from scoref.explanation.expressions import whole
from scoref.explanation.partial_credit.likeness import Edge, confuses, entities_of
from scoref.explanation.scene import Scene, View
from scoref.metrics.partial_credit import Credit

_EQUAL_MENTIONS = "mentions that both sides have are"


class Pair(NamedTuple):
    """A key entity and a response entity with mentions that are alike."""

    key: int
    response: int
    total: Fraction
    weight: Fraction
    worth: Fraction


def weighs_classes(credit: Credit) -> bool:
    """Whether some class of entities weighs more or less than one."""
    return set(credit.class_weight) != {1.0}


def edge_table(scene: Scene, edges: list[Edge], matched: list[bool], credit: Credit) -> list[Block]:
    """Show the mentions that are alike; those that are equal are only counted."""
    if not edges:
        return ["No key mention is like a response mention."]
    many = len(edges)
    told = [
        (edge, yes)
        for edge, yes in zip(edges, matched, strict=True)
        if edge.key != edge.response or edge.alike != 1
    ]
    edges = [edge for edge, _ in told]
    same = counted(many - len(edges), "mention that both sides have is", _EQUAL_MENTIONS)
    equal = [f"{same} alike by 1, and not shown."] if len(edges) < many else []
    if not edges:
        return [*equal]
    of_edge = entities_of(scene, edges)
    keys, responses = scene.keys, scene.responses
    columns = [
        Column("key", [keys[key] for key, _ in of_edge]),
        Column("mention", Each(len(edges), lambda at: scene.mention(edges[at].key))),
        Column("response", [responses[response] for _, response in of_edge]),
        Column("mention", Each(len(edges), lambda at: scene.mention(edges[at].response))),
    ]
    if credit.overlap != "exact":
        columns += [
            Column("o", whole([edge.shared for edge in edges])),
            Column("a", whole([edge.lengths[0] for edge in edges])),
            Column("b", whole([edge.lengths[1] for edge in edges])),
        ]
    if confuses(credit):
        columns.append(Column("types", [edge.factor for edge in edges]))
    alike = [edge.alike for edge in edges]
    gains = [edge.alike if yes else None for edge, yes in told]
    columns += [Column("alike", alike), Column("matched", gains)]
    what = "Other mentions" if equal else "Mentions"
    caption = f"{what} that are alike; the matched ones are in the total of their entities"
    order = [edge.alike + yes for edge, yes in told]  # those that count first
    return [*equal, Grid(columns, order, scene.limit, caption)]


def class_table(
    scene: Scene, view: View, classes: list[str], weights: list[Fraction], itself: list[Fraction]
) -> Block:
    """Show the classes of the entities of a side, and what each is worth aligned with itself."""
    columns = [
        Column("entity", view.names),
        Column("class", classes),
        Column("weight", weights),
        Column("size", whole(view.sizes)),
        Column("with itself", itself, summed=True),
    ]
    caption = f"Classes of the entities of the {view.side}"
    return Grid(columns, whole(view.sizes), scene.limit, caption)


def pair_table(
    scene: Scene, pairs: list[Pair], chosen: list[bool], phi: int, credit: Credit
) -> list[Block]:
    """Show the pairs of entities, aligned ones before others if not all are shown."""
    if not pairs:
        return []
    sizes = [len(scene.key_members[pair.key]) for pair in pairs]
    other_sizes = [len(scene.res_members[pair.response]) for pair in pairs]
    keys, responses = scene.keys, scene.responses
    columns = [
        Column("key", [keys[pair.key] for pair in pairs]),
        Column("response", [responses[pair.response] for pair in pairs]),
        Column("total", [pair.total for pair in pairs]),
    ]
    if phi == 4:
        columns += [Column("|k|", whole(sizes)), Column("|r|", whole(other_sizes))]
    if weighs_classes(credit):
        columns.append(Column("weight", [pair.weight for pair in pairs]))
    gains = [pair.worth if yes else None for pair, yes in zip(pairs, chosen, strict=True)]
    columns += [
        Column("worth", [pair.worth for pair in pairs]),
        Column("aligned", gains, summed=True),
    ]
    most = max(pair.worth for pair in pairs)
    order = [p.worth + (most if yes else 0) for p, yes in zip(pairs, chosen, strict=True)]
    return [Grid(columns, order, scene.limit, "Pairs of entities")]
