"""ACE-Value in fractions: what a pair of entities is worth, and an entity that is not mapped."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Bools, Ints, pack
from scoref.corpus.spans import Spans, shared_tokens
from scoref.explanation.explainers.partial_credit import best_inside
from scoref.explanation.expressions import (
    ONE,
    ZERO,
    Fractions,
    decimal,
    decimals,
    fractions,
    sum_groups,
)
from scoref.explanation.scene import Partition, Scene
from scoref.metrics.ace.heads import matches
from scoref.metrics.ace.rules import Rules
from scoref.metrics.ace.sides import Entities, Mentions, collect
from scoref.overlap.table import NOWHERE


class WeighedSide(NamedTuple):
    """One side: its mentions, their rows in the scene and weights; its entities.

    `value` is the weight of an entity by type and class, `level` the weight of its best
    mention, `total` the sum of the weights of its mentions.
    """

    partition: Partition
    mentions: Mentions
    entities: Entities
    rows: Ints
    weight: Fractions
    value: Fractions
    level: Fractions
    total: Fractions

    def share(self, *, by_mentions: bool) -> Fractions:
        """Return what each unit of mention weight is worth: level by sum, or one."""
        return _ratio(
            self.total if by_mentions else self.level, self.total, by_mentions=by_mentions
        )

    def worth(self, *, by_mentions: bool) -> Fractions:
        """Return the value of each entity."""
        return self.value * (self.total if by_mentions else self.level)


class MatchingMentions(NamedTuple):
    """Mentions that can match, by their places on the two sides, and what a match earns."""

    key: Ints
    response: Ints
    overlap: Fractions
    wrong: list[str]
    score: Fractions


class EntityPairs(NamedTuple):
    """Entities that can be mapped, and what mapping them is worth.

    `weight` is the lesser weight, `factor` what wrong attributes leave of it, `share` what each
    unit of mention weight is worth. `matched` marks the matching mentions that a pair takes, and
    `pair` is the pair of each.
    """

    key: Ints
    response: Ints
    weight: Fractions
    wrong: list[str]
    factor: Fractions
    share: Fractions
    pair: Ints
    matched: Bools
    matches: Fractions
    alarms: Fractions
    value: Fractions


class Valuation(NamedTuple):
    """What pairs are worth, and what entities and mentions cost if they are not mapped."""

    pairs: EntityPairs
    unmapped: Fractions
    alarm: Fractions


def weigh(scene: Scene, side: Partition, rules: Rules) -> WeighedSide:
    """Take the attributes as the metric takes them, and weigh them."""
    unit = scene.table.key_unit if side.side == "key" else scene.table.res_unit
    mentions, entities = collect(scene.rows, side.side, unit, rules)
    by_mention_type = decimals(rules.mention_weight)
    weight = by_mention_type[mentions.kind]
    # In 2008, a metonymic name gives its entity the level of a nominal.
    lowered = rules.metonymy_lowers & (mentions.style == "METONYMIC") & (mentions.kind == 0)
    level = np.full(len(unit), ZERO, dtype=np.object_)
    np.maximum.at(level, mentions.entity, np.where(lowered, by_mention_type[1], weight))
    by_type, by_class = dict(rules.entity_weight), dict(rules.class_weight)
    types = decimals([by_type.get(kind, 1.0) for kind in entities.kind.tolist()])
    classes = decimals([by_class[name] for name in entities.kind_class.tolist()])
    total = sum_groups(mentions.entity, weight, len(unit))
    rows = np.flatnonzero(side.entity != NOWHERE)
    return WeighedSide(side, mentions, entities, rows, weight, types * classes, level, total)


def find_matches(key: WeighedSide, response: WeighedSide, rules: Rules) -> MatchingMentions:
    """Find the mentions that can match, as the metric finds them, and score them."""
    found = matches(key.mentions, response.mentions, rules)
    order = np.lexsort((found.response, found.key))
    at, other = found.key[order], found.response[order]
    one, two = (
        Spans(side.mentions.unit, side.mentions.start, side.mentions.end).where(places)
        for side, places in ((key, at), (response, other))
    )
    longest = fractions(np.maximum(one.length, two.length))
    names = {"type": "kind", "role": "role", "style": "style"}
    differ = {
        name: getattr(key.mentions, of)[at] != getattr(response.mentions, of)[other]
        for name, of in names.items()
    }
    wrong, factor = _errors(differ, rules.mention_error)
    score = np.minimum(key.weight[at], response.weight[other]) * factor
    return MatchingMentions(at, other, fractions(shared_tokens(one, two)) / longest, wrong, score)


def _errors(
    differ: dict[str, NDArray[Any]], factors: tuple[float, ...]
) -> tuple[list[str], Fractions]:
    """Name the attributes that differ in each pair, and multiply their factors."""
    marks = np.stack(list(differ.values()), axis=-1)
    wrong = [
        ", ".join(name for name, yes in zip(differ, row, strict=True) if yes) or "-"
        for row in marks.tolist()
    ]
    factor = np.full(len(marks), ONE, dtype=np.object_)
    for mark, cost in zip(marks.T, decimals(factors), strict=True):
        factor = np.where(mark, factor * cost, factor)
    return wrong, factor


def _ratio(top: Fractions, bottom: Fractions, *, by_mentions: bool = False) -> Fractions:
    """Divide, with 0 for 0/0, or return ones where mentions count by themselves."""
    if by_mentions:
        return np.full(len(top), ONE, dtype=np.object_)
    return top / np.where(bottom == 0, ONE, bottom)


def value_pairs(
    key: WeighedSide,
    response: WeighedSide,
    found: MatchingMentions,
    rules: Rules,
    *,
    by_mentions: bool,
) -> Valuation:
    """Value each pair that can be mapped, and each response entity if it is not mapped."""
    of_key, of_response = key.mentions.entity[found.key], response.mentions.entity[found.response]
    _, first, pair = np.unique(pack(of_key, of_response), return_index=True, return_inverse=True)
    one, other = of_key[first], of_response[first]
    many = len(first)
    alarm = -decimal(rules.mention_false_alarm) * response.weight
    alarm[np.unique(found.response)] *= decimal(rules.coreference)
    of_entity = response.value * response.share(by_mentions=by_mentions)
    if not rules.as_2005:
        alarm = alarm * of_entity[response.mentions.entity]
    unmatched = sum_groups(response.mentions.entity, alarm, len(response.value))
    differ = {
        name: getattr(key.entities, of)[one] != getattr(response.entities, of)[other]
        for name, of in {"type": "kind", "subtype": "subtype", "class": "kind_class"}.items()
    }
    wrong, factor = _errors(differ, rules.entity_error)
    weight = np.minimum(key.value[one], response.value[other])
    share = key.share(by_mentions=by_mentions)[one]
    if rules.as_2005:
        least = np.minimum(key.level[one], response.level[other])
        share = _ratio(least, key.total[one], by_mentions=by_mentions)
    unit = weight * factor * share
    gain = found.score if rules.as_2005 else unit[pair] * found.score
    matched = best_inside(pair, found.key, found.response, gain - alarm[found.response])
    earned = sum_groups(pair[matched], found.score[matched], many)
    saved = sum_groups(pair[matched], alarm[found.response[matched]], many)
    alarms = unmatched[other] - saved
    value = unit * (earned + alarms) if rules.as_2005 else unit * earned + alarms
    unmapped = unmatched
    if rules.as_2005:
        unmapped = decimal(rules.false_alarm) * of_entity * unmatched
    pairs = EntityPairs(
        one, other, weight, wrong, factor, share, pair, matched, earned, alarms, value
    )
    return Valuation(pairs, unmapped, alarm)
