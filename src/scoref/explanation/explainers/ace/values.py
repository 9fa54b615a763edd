"""ACE-Value in fractions: what a pair of entities is worth, and an entity that is not mapped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from scoref.base.arrays import Bools, Ints
from scoref.corpus.spans import Spans, shared_tokens
from scoref.explanation.explainers.alignment import best_inside, distinct_pairs
from scoref.explanation.expressions import (
    ONE,
    ZERO,
    Fractions,
    choose,
    decimal,
    decimals,
    fractions,
    sum_groups,
)
from scoref.explanation.scene import Partition, Scene
from scoref.metrics.ace import values as metric
from scoref.metrics.ace.rules import Rules
from scoref.metrics.ace.sides import AceEntities, AceMentions, collect


class WeighedSide(NamedTuple):
    """One side as the metric sees it, with weights as fractions."""

    mentions: AceMentions
    entities: AceEntities


class MatchingMentions(NamedTuple):
    """Mentions that can match, by their places on the two sides, and what a match earns."""

    key: Ints
    response: Ints
    overlap: Fractions
    wrong: list[str]
    score: Fractions


class ValuedPairs(NamedTuple):
    """Entities that can be mapped, and what mapping them is worth.

    `weight` is the lesser weight, `factor` what wrong attributes leave of it, `share` what each
    unit of mention weight is worth. Of the matching mentions, `pair` is the pair of each, and
    `matched` marks those that the pair takes. `unmapped` is what each response entity costs.
    """

    key: Ints
    response: Ints
    weight: Fractions
    wrong: list[str]
    factor: Fractions
    share: Fractions
    matches: Fractions
    alarms: Fractions
    value: Fractions
    pair: Ints
    matched: Bools
    unmapped: Fractions


def weigh(scene: Scene, side: Partition, rules: Rules) -> WeighedSide:
    """Take the attributes as the metric takes them, and weigh them."""
    unit = scene.table.key_unit if side.side == "key" else scene.table.res_unit
    mentions, entities = collect(scene.rows, side.side, unit, rules)
    by_type: Any = decimals(rules.mention_weight)
    weight = by_type[mentions.kind]
    # In 2008, a metonymic name gives its entity the level of a nominal.
    lowered = rules.metonymy_lowers & (mentions.style == "METONYMIC") & (mentions.kind == 0)
    level: Any = np.full(len(unit), ZERO, dtype=np.object_)
    np.maximum.at(level, mentions.entity, choose(lowered, by_type[1], weight))
    of_type, of_class = dict(rules.entity_weight), dict(rules.class_weight)
    types: Any = decimals([of_type.get(kind, 1.0) for kind in entities.kind.tolist()])
    classes = decimals([of_class[name] for name in entities.kind_class.tolist()])
    total: Any = sum_groups(mentions.entity, weight, len(unit))
    entities = entities._replace(value=types * classes, level=level, total=total)
    return WeighedSide(mentions._replace(weight=weight), entities)


def find_matches(key: WeighedSide, response: WeighedSide, rules: Rules) -> MatchingMentions:
    """Find the mentions that can match, as the metric finds them, and score them."""
    found = metric.find_matches(key.mentions, response.mentions, rules)
    order = np.lexsort((found.response, found.key))
    at, other = found.key[order], found.response[order]
    one, two = (
        Spans(side.mentions.unit, side.mentions.start, side.mentions.end).where(places)
        for side, places in ((key, at), (response, other))
    )
    overlap = fractions(shared_tokens(one, two)) / fractions(np.maximum(one.length, two.length))
    names = {"type": "kind", "role": "role", "style": "style"}
    wrong, factor = _errors(key.mentions, response.mentions, at, other, names, rules.mention_error)
    lesser = np.minimum(key.mentions.weight[at], response.mentions.weight[other])
    return MatchingMentions(at, other, overlap, wrong, lesser * factor)


def _errors(  # noqa: PLR0917  # what is compared, where, and what differences cost
    key: Any, response: Any, at: Ints, other: Ints, names: dict[str, str], costs: Sequence[float]
) -> tuple[list[str], Fractions]:
    """Name the attributes that differ in each pair, and multiply what they cost."""
    wrong: list[list[str]] = [[] for _ in at]
    factor = fractions(np.ones(len(at), dtype=np.int64))
    for (name, field), cost in zip(names.items(), costs, strict=True):
        differ = getattr(key, field)[at] != getattr(response, field)[other]
        factor = choose(differ, factor * decimal(cost), factor)
        for row in np.flatnonzero(differ).tolist():
            wrong[row].append(name)
    return [", ".join(found) or "-" for found in wrong], factor


def _share(level: Fractions, total: Fractions, *, by_mentions: bool) -> Fractions:
    """Return what each unit of mention weight is worth: level by sum, or one."""
    share = choose(total == 0, ZERO, level / choose(total == 0, ONE, total))
    return choose(by_mentions, ONE, share)


def value_pairs(
    key_side: WeighedSide,
    response_side: WeighedSide,
    found: MatchingMentions,
    rules: Rules,
    *,
    by_mentions: bool,
) -> ValuedPairs:
    """Value each pair that can be mapped, and each response entity if it is not mapped."""
    (keys, key), (responses, response) = key_side, response_side
    weights: Any = responses.weight
    one, other, pair = distinct_pairs(keys.entity[found.key], responses.entity[found.response])
    alarm = weights * -decimal(rules.mention_false_alarm)
    alarm[np.unique(found.response)] *= decimal(rules.coreference)
    worth: Any = _share(response.level, response.total, by_mentions=by_mentions) * response.value
    if not rules.as_2005:
        alarm = alarm * worth[responses.entity]
    unmatched = sum_groups(responses.entity, alarm, len(response.value))
    names = {"type": "kind", "subtype": "subtype", "class": "kind_class"}
    wrong, factor = _errors(key, response, one, other, names, rules.entity_error)
    weight = np.minimum(key.value[one], response.value[other])
    level = key.level[one]
    if rules.as_2005:
        level = np.minimum(level, response.level[other])
    share = _share(level, key.total[one], by_mentions=by_mentions)
    unit = weight * factor * share
    gain = found.score if rules.as_2005 else unit[pair] * found.score
    matched = best_inside(pair, found.key, found.response, gain - alarm[found.response])
    earned = sum_groups(pair[matched], found.score[matched], len(one))
    saved = sum_groups(pair[matched], alarm[found.response[matched]], len(one))
    alarms = unmatched[other] - saved
    value, unmapped = unit * earned + alarms, unmatched
    if rules.as_2005:
        value = unit * (earned + alarms)
        unmapped = decimal(rules.false_alarm) * worth * unmatched
    return ValuedPairs(
        *(one, other, weight, wrong, factor, share, earned, alarms, value),
        *(pair, matched, unmapped),
    )
