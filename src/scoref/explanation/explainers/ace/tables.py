"""The tables of a walk-through of ACE-Value."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from scoref.base.arrays import Bools
from scoref.explanation.blocks import Block, Cells, Grid, Total
from scoref.explanation.explainers.ace.values import (
    EntityPairs,
    MatchingMentions,
    Valuation,
    WeighedSide,
)
from scoref.explanation.explainers.ceaf import only_chosen
from scoref.explanation.expressions import ZERO, Fractions, Number, decimal, exact_sum
from scoref.explanation.scene import Scene
from scoref.metrics.ace.rules import MENTION_TYPES, Rules
from scoref.overlap.table import NOWHERE


def type_table(scene: Scene, side: WeighedSide, rules: Rules) -> Block:
    """Show which mentions of a side are names, nominals, pronouns and premodifiers."""
    rows = {kind: side.rows[side.mentions.kind == kind] for kind in range(len(MENTION_TYPES))}
    rows = {kind: found for kind, found in rows.items() if len(found)}
    columns = {
        "type": [MENTION_TYPES[kind] for kind in rows],
        "weight": [decimal(rules.mention_weight[kind]) for kind in rows],
        "number": [len(found) for found in rows.values()],
        "mentions": [scene.mentions(found.tolist()) for found in rows.values()],
    }
    caption = f"Mentions of the {side.partition.side}"
    return Grid(columns, caption) if rows else f"{caption}: none."


def entity_table(scene: Scene, side: WeighedSide, worth: Fractions, rules: Rules) -> Block:
    """Show the entities of a side: those of the key with their worth, others with their cost."""
    about = side.entities
    attributes = zip(about.kind, about.subtype, about.kind_class, strict=True)
    columns: dict[str, Cells] = {
        "entity": side.partition.names,
        "type and class": [" ".join(filter(None, found)) for found in attributes],
        "weight": side.value,
        **({} if rules.by_mentions else {"level": side.level}),
        "sum": side.total,
    }
    name = side.partition.side
    if name == "key":
        columns["worth"] = Total(worth)
        return scene.grid(columns, "Worth of the entities of the key", worth)
    return scene.grid(
        columns | {"if not mapped": worth}, f"Cost of the entities of the {name}", worth
    )


def match_table(
    scene: Scene, key: WeighedSide, response: WeighedSide, found: MatchingMentions
) -> Block:
    """Show the mentions that can match, and what a match earns."""
    columns = {
        **scene.mention_pairs(key.rows[found.key], response.rows[found.response]),
        "overlap": found.overlap,
        "wrong": found.wrong,
        "earns": found.score,
    }
    return scene.grid(columns, "Mentions that can match", found.score)


def pair_table(
    scene: Scene, pairs: EntityPairs, shown: Bools, mapped: Bools, caption: str
) -> Block:
    """Show what some pairs are worth; if not all are shown, those that are mapped first."""
    at = np.flatnonzero(shown)
    columns = {
        **scene.pair_columns(pairs.key[at], pairs.response[at]),
        "weight": pairs.weight[at],
        "wrong": [pairs.wrong[one] for one in at],
        "errors": pairs.factor[at],
        "share": pairs.share[at],
        "matches": pairs.matches[at],
        "alarms": -pairs.alarms[at],
        "value": pairs.value[at],
    }
    return scene.grid(columns, caption, _mapped_first(pairs.value[at], mapped[at]))


def mapping_table(scene: Scene, values: Valuation, mapped: Bools) -> Block:
    """Show what mapping each pair gains, and which pairs are mapped."""
    pairs = values.pairs
    unmapped = values.unmapped[pairs.response]
    gains = pairs.value - unmapped
    columns = {
        **scene.pair_columns(pairs.key, pairs.response),
        "value": pairs.value,
        "if not mapped": unmapped,
        "gain": gains,
        "mapped": only_chosen(gains, mapped),
    }
    return scene.grid(columns, "The mapping", _mapped_first(gains, mapped))


def _mapped_first(values: Fractions, mapped: Bools) -> Fractions:
    most = max(map(abs, values), default=ZERO) + 1
    return np.abs(values) + np.where(mapped, most, ZERO)


def inside_table(
    scene: Scene,
    sides: tuple[WeighedSide, WeighedSide],
    found: MatchingMentions,
    values: Valuation,
    mapped: Bools,
) -> Block:
    """Show the mentions of mapped pairs: what matches earn, and what other mentions cost."""
    key, response = sides
    pairs = values.pairs
    rows: list[tuple[int, int, int, Fraction | None, Fraction | None]] = []
    for at in np.flatnonzero(mapped).tolist():
        taken = np.flatnonzero(pairs.matched & (pairs.pair == at))
        match_of = dict(zip(found.key[taken].tolist(), taken.tolist(), strict=True))
        for mention in np.flatnonzero(key.mentions.entity == pairs.key[at]).tolist():
            match = match_of.get(mention)
            partner = NOWHERE if match is None else int(response.rows[found.response[match]])
            earned = None if match is None else found.score[match]
            rows.append((at, int(key.rows[mention]), partner, earned, None))
        others = np.flatnonzero(response.mentions.entity == pairs.response[at])
        for mention in np.setdiff1d(others, found.response[taken]).tolist():
            rows.append((at, NOWHERE, int(response.rows[mention]), None, -values.alarm[mention]))
    at, in_key, in_response = (np.array([row[n] for row in rows], dtype=np.int64) for n in range(3))
    names = scene.pair_columns(pairs.key[at], pairs.response[at])
    columns = {
        "key": names["key"],
        "key mention": scene.mention_cells(in_key),
        "response": names["response"],
        "response mention": scene.mention_cells(in_response),
        "match": Total([row[3] for row in rows]),
        "alarm": Total([row[4] for row in rows]),
    }
    weights = [(row[3] or ZERO) + abs(row[4] or ZERO) for row in rows]
    return scene.grid(columns, "Mentions of the mapped pairs", weights)


def cost_table(
    scene: Scene, worth: Fractions, values: Valuation, mapped: Bools
) -> tuple[Block, tuple[Number, Number, Number]]:
    """Show what was missed, wrong and spurious, entity by entity; return the sums."""
    pairs = values.pairs
    partner = dict(zip(pairs.key[mapped].tolist(), pairs.response[mapped].tolist(), strict=True))
    earned = dict(zip(pairs.key[mapped].tolist(), pairs.value[mapped], strict=True))
    rows: list[tuple[int, int, Fraction | None, Fraction | None, Fraction, Fraction, Fraction]] = []
    for at, value in enumerate(worth):
        if at in partner:
            rows.append((at, partner[at], value, earned[at], ZERO, value - earned[at], ZERO))
        else:
            rows.append((at, NOWHERE, value, None, value, ZERO, ZERO))
    rows += [
        (NOWHERE, at, None, None, ZERO, ZERO, -cost)
        for at, cost in enumerate(values.unmapped)
        if at not in partner.values()
    ]
    key, response = (np.array([row[n] for row in rows], dtype=np.int64) for n in range(2))
    missed, error, alarm = ([row[n] for row in rows] for n in range(4, 7))
    columns = {
        **scene.pair_columns(key, response),
        "worth": Total([row[2] for row in rows]),
        "earned": Total([row[3] for row in rows]),
        "missed": Total([cost or None for cost in missed]),
        "error": Total([cost or None for cost in error]),
        "false alarm": Total([cost or None for cost in alarm]),
    }
    weights = [sum(map(abs, row[4:])) for row in rows]
    sums = exact_sum(missed), exact_sum(error), exact_sum(alarm)
    return scene.grid(columns, "What is lost", weights), sums
