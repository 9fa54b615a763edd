"""The tables of a walk-through of ACE-Value."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from scoref.explanation.ace.sides import Valued
from scoref.explanation.ace.values import Document, Pair, Values
from scoref.explanation.blocks import ALL, Block, Column, Each, Grid
from scoref.explanation.entities import listed_rows
from scoref.explanation.expressions import ONE, ZERO, Number, decimal, exact_sum, whole
from scoref.explanation.scene import Scene
from scoref.metrics.ace.rules import MENTION_TYPES, Rules

Mapped = set[tuple[int, int]]


def type_table(scene: Scene, side: Valued, rules: Rules) -> Block:
    """Show which mentions of a side are names, nominals, pronouns and premodifiers."""
    rows = [[m.row for m in side.mentions if m.kind == kind] for kind in MENTION_TYPES]
    shown = [at for at, found in enumerate(rows) if found]
    if not shown:
        return f"Mentions of the {side.side}: none."
    sizes = whole([len(rows[at]) for at in shown])
    columns = [
        Column("type", [MENTION_TYPES[at] for at in shown]),
        Column("weight", [decimal(rules.mention_weight[at]) for at in shown]),
        Column("number", sizes),
        Column("mentions", [listed_rows(scene, rows[at]) for at in shown]),
    ]
    return Grid(columns, sizes, ALL, f"Mentions of the {side.side}")


def entity_table(scene: Scene, side: Valued, worth: Sequence[Fraction], rules: Rules) -> Block:
    """Show the entities of a side: those of the key with their worth, others with their cost."""
    if not side.entities:
        return f"Values of the entities of the {side.side}: there are none."
    columns = [
        Column("entity", [entity.name for entity in side.entities]),
        Column("type and class", [entity.attributes for entity in side.entities]),
        Column("weight", [entity.weight for entity in side.entities]),
        Column("level", [entity.level for entity in side.entities]),
        Column("sum", [entity.total for entity in side.entities]),
    ]
    title, caption = ("worth", "Worth") if side.side == "key" else ("if not mapped", "Cost")
    columns.append(Column(title, worth, summed=side.side == "key"))
    if rules.by_mentions:
        del columns[3]
    caption = f"{caption} of the entities of the {side.side}"
    return Grid(columns, worth, scene.limit, caption)


def edge_table(scene: Scene, document: Document) -> Block:
    """Show the mentions that can match, and what that earns."""
    edges = document.edges
    if not edges:
        return "No mention of the response can match one of the key."
    ours = [document.key.mentions[edge.key] for edge in edges]
    theirs = [document.response.mentions[edge.response] for edge in edges]
    keys, responses = document.key.entities, document.response.entities
    scores = [edge.score for edge in edges]
    return Grid(
        [
            Column("key", [keys[mention.entity].name for mention in ours]),
            Column("mention", Each(len(edges), lambda at: scene.mention(ours[at].row))),
            Column("response", [responses[mention.entity].name for mention in theirs]),
            Column("mention", Each(len(edges), lambda at: scene.mention(theirs[at].row))),
            Column("overlap", [edge.overlap for edge in edges]),
            Column("wrong", [_listed(edge.wrong) for edge in edges]),
            Column("earns", scores),
        ],
        scores,
        scene.limit,
        "Mentions that can match",
    )


def pair_table(
    scene: Scene, document: Document, pairs: Sequence[Pair], mapped: Mapped, caption: str
) -> list[Block]:
    """Show what pairs are worth; those that are mapped first, if not all are shown."""
    if not pairs:
        return []
    columns = [
        *_names(document, pairs),
        Column("weight", [pair.weight for pair in pairs]),
        Column("wrong", [_listed(pair.wrong) for pair in pairs]),
        Column("errors", [pair.factor for pair in pairs]),
        Column("share", [pair.share for pair in pairs]),
        Column("matches", [pair.matches for pair in pairs]),
        Column("alarms", [-pair.alarms for pair in pairs]),
        Column("value", [pair.value for pair in pairs]),
    ]
    values = [pair.value for pair in pairs]
    return [Grid(columns, _mapped_first(pairs, values, mapped), scene.limit, caption)]


def mapping_table(scene: Scene, document: Document, values: Values, mapped: Mapped) -> list[Block]:
    """Show what mapping each pair gains, and which are mapped."""
    pairs = values.pairs
    if not pairs:
        return ["No pair can be mapped."]
    gains = [pair.value - values.unmapped[pair.response] for pair in pairs]
    chosen = [pair[:2] in mapped for pair in pairs]
    columns = [
        *_names(document, pairs),
        Column("value", [pair.value for pair in pairs]),
        Column("if not mapped", [values.unmapped[pair.response] for pair in pairs]),
        Column("gain", gains),
        Column(
            "mapped", [gain if yes else None for gain, yes in zip(gains, chosen, strict=True)], True
        ),
    ]
    return [Grid(columns, _mapped_first(pairs, gains, mapped), scene.limit, "The mapping")]


class _Inside(NamedTuple):
    """A row of a mapped pair: mentions that match, or one that has no partner (None)."""

    pair: Pair
    key: int | None
    response: int | None
    match: Fraction | None = None
    alarm: Fraction | None = None


def inside_table(scene: Scene, document: Document, values: Values, mapped: Mapped) -> list[Block]:
    """Show the mentions of mapped pairs: what they earn, and what others cost."""
    rows = _inside(document, values, mapped)
    if not rows:
        return []
    keys, responses = document.key.entities, document.response.entities

    def mention(row: int | None) -> str:
        return "-" if row is None else scene.mention(row)

    columns = [
        Column("key", [keys[row.pair.key].name for row in rows]),
        Column("mention", Each(len(rows), lambda at: mention(rows[at].key))),
        Column("response", [responses[row.pair.response].name for row in rows]),
        Column("mention", Each(len(rows), lambda at: mention(rows[at].response))),
        Column("match", [row.match for row in rows], summed=True),
        Column("alarm", [row.alarm for row in rows], summed=True),
    ]
    weights = [(row.match or ZERO) + abs(row.alarm or ZERO) for row in rows]
    return [Grid(columns, weights, scene.limit, "Mentions of the mapped pairs")]


def _inside(document: Document, values: Values, mapped: Mapped) -> list[_Inside]:
    key, response = document.key.mentions, document.response.mentions
    ours, theirs = _members(document.key), _members(document.response)
    rows: list[_Inside] = []
    for pair in values.pairs:
        if pair[:2] not in mapped:
            continue
        edges = {document.edges[at].key: document.edges[at] for at in pair.matched}
        used = {edge.response for edge in edges.values()}
        for at in ours[pair.key]:
            if edge := edges.get(at):
                partner = response[edge.response].row
                rows.append(_Inside(pair, key[at].row, partner, edge.score))
            else:
                rows.append(_Inside(pair, key[at].row, None))
        rows += [
            _Inside(pair, None, response[at].row, alarm=-values.alarm[at])
            for at in theirs[pair.response]
            if at not in used
        ]
    return rows


def _members(side: Valued) -> list[list[int]]:
    """List the mentions of each entity."""
    lists: list[list[int]] = [[] for _ in side.entities]
    for at, mention in enumerate(side.mentions):
        lists[mention.entity].append(at)
    return lists


def cost_table(
    scene: Scene,
    document: Document,
    values: Values,
    mapped: Mapped,
    worth: Sequence[Fraction],
) -> tuple[list[Block], tuple[Number, Number, Number]]:
    """Show what was missed, wrong and spurious, entity by entity; return the sums."""
    keys, responses = document.key.entities, document.response.entities
    partner = dict(mapped)
    earned = {pair[:2]: pair.value for pair in values.pairs}
    used = set(partner.values())
    rows: list[_Lost] = []
    for at, entity in enumerate(keys):
        if at in partner:
            got = earned[at, partner[at]]
            name = responses[partner[at]].name
            rows.append(_Lost(entity.name, name, worth[at], got, error=worth[at] - got))
        else:
            rows.append(_Lost(entity.name, "-", worth[at], missed=worth[at]))
    rows += [
        _Lost("-", entity.name, alarm=-values.unmapped[at])
        for at, entity in enumerate(responses)
        if at not in used
    ]
    sums = (
        exact_sum(row.missed for row in rows),
        exact_sum(row.error for row in rows),
        exact_sum(row.alarm for row in rows),
    )
    if not rows:
        return ["Neither side has entities."], sums
    columns = [
        Column("key", [row.key for row in rows]),
        Column("response", [row.response for row in rows]),
        Column("worth", [row.worth for row in rows], summed=True),
        Column("earned", [row.earned for row in rows], summed=True),
        Column("missed", [row.missed or None for row in rows], summed=True),
        Column("error", [row.error or None for row in rows], summed=True),
        Column("false alarm", [row.alarm or None for row in rows], summed=True),
    ]
    weights = [abs(row.missed) + abs(row.error) + abs(row.alarm) for row in rows]
    return [Grid(columns, weights, scene.limit, "What is lost")], sums


class _Lost(NamedTuple):
    """A row of what is lost: a key entity, or a response entity that is not mapped."""

    key: str
    response: str
    worth: Fraction | None = None
    earned: Fraction | None = None
    missed: Fraction = ZERO
    error: Fraction = ZERO
    alarm: Fraction = ZERO


def _names(document: Document, pairs: Sequence[Pair]) -> list[Column]:
    keys, responses = document.key.entities, document.response.entities
    return [
        Column("key", [keys[pair.key].name for pair in pairs]),
        Column("response", [responses[pair.response].name for pair in pairs]),
    ]


def _mapped_first(
    pairs: Sequence[Pair], values: Sequence[Fraction], mapped: Mapped
) -> list[Fraction]:
    most = max((abs(value) for value in values), default=ZERO) + ONE
    return [
        abs(value) + (most if pair[:2] in mapped else 0)
        for pair, value in zip(pairs, values, strict=True)
    ]


def _listed(wrong: Sequence[str]) -> str:
    return ", ".join(wrong) or "-"
