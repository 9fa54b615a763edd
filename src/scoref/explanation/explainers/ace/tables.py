"""The tables of a walk-through of ACE-Value: entities, matches, pairs, mapping, and costs."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from scoref.base.arrays import Bools
from scoref.explanation.blocks import Block, GridColumns, Total
from scoref.explanation.explainers.ace.values import MatchingMentions, ValuedPairs, WeighedSide
from scoref.explanation.explainers.alignment import chosen_first, only_chosen
from scoref.explanation.expressions import ZERO, Fractions, Number, choose, exact_sum
from scoref.explanation.scene import Scene
from scoref.overlap.table import NOWHERE


def entity_table(scene: Scene, side: WeighedSide, title: str, worth: Fractions) -> Block:
    """Show the weights of the entities of a side, and what each is worth or costs."""
    about = side.entities
    attributes = zip(about.kind, about.subtype, about.kind_class, strict=True)
    columns: GridColumns = {
        "entity": side.partition.names,
        "type and class": [" ".join(filter(None, found)) for found in attributes],
        "weight": about.value,
        "level": about.level,
        "sum": about.total,
        title: Total(worth),
    }
    return scene.grid(columns, f"Entities of the {side.partition.side}", worth)


def match_table(
    scene: Scene, sides: tuple[WeighedSide, WeighedSide], found: MatchingMentions, taken: Bools
) -> Block:
    """Show the mentions that can match, what a match earns, and which mapped pairs take."""
    key, response = sides
    columns: GridColumns = {
        **scene.mention_pairs(key.rows[found.key], response.rows[found.response]),
        "overlap": found.overlap,
        "wrong": found.wrong,
        "earns": found.score,
        "taken": choose(taken, found.score, None),
    }
    return scene.grid(columns, "Mentions that can match", chosen_first(found.score, taken))


def pair_table(scene: Scene, pairs: ValuedPairs, shown: Bools, caption: str) -> Block:
    """Show what some pairs are worth."""
    at = np.flatnonzero(shown)
    columns: GridColumns = {
        **scene.pair_columns(pairs.key[at], pairs.response[at]),
        "weight": pairs.weight[at],
        "wrong": [pairs.wrong[one] for one in at],
        "errors": pairs.factor[at],
        "share": pairs.share[at],
        "matches": pairs.matches[at],
        "alarms": -pairs.alarms[at],
        "value": pairs.value[at],
    }
    return scene.grid(columns, caption, pairs.value[at])


def mapping_table(scene: Scene, pairs: ValuedPairs, mapped: Bools) -> Block:
    """Show what mapping each pair gains, and which pairs are mapped."""
    unmapped = pairs.unmapped[pairs.response]
    gains = pairs.value - unmapped
    columns: GridColumns = {
        **scene.pair_columns(pairs.key, pairs.response),
        "value": pairs.value,
        "if not mapped": unmapped,
        "gain": gains,
        "mapped": only_chosen(gains, mapped),
    }
    return scene.grid(columns, "The mapping", chosen_first(gains, mapped))


def cost_table(
    scene: Scene, worth: Fractions, pairs: ValuedPairs, mapped: Bools
) -> tuple[Block, tuple[Number, Number, Number]]:
    """Show what was missed, wrong and spurious, entity by entity; return the sums."""
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
        for at, cost in enumerate(pairs.unmapped)
        if at not in partner.values()
    ]
    key, response = (np.array([row[n] for row in rows], dtype=np.int64) for n in range(2))
    missed, error, alarm = ([row[n] for row in rows] for n in range(4, 7))
    columns: GridColumns = {
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
