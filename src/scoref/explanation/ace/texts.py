"""The rules of ACE-Value in words, with the weights and costs that are asked for."""

from __future__ import annotations

from typing import NamedTuple

from scoref.explanation.expressions import said
from scoref.metrics.ace.rules import Rules

_ENTITIES = (
    "An entity weighs the weight of its type times that of its class. Its level is the weight of"
    " its best mention, its sum that of all its mentions. A key entity is worth its weight times"
    " its {worth}."
)
_METONYMY = " For the level, a metonymic name counts as a nominal."
_MATCHES = (
    "Mentions can match if their heads share {overlap} of the longer one{text}. A match earns the"
    " lesser of the two weights, times {0} if types differ, {1} if roles differ, {2} if styles"
    " differ. A response mention that is not matched costs {alarm} of its weight{known}."
)
_TEXTS = " and the texts of the heads agree by {text}"
_ALARM_BY_ENTITY = ", times the weight of its entity"
_PAIRS = (
    "A pair of entities with mentions that can match is worth weight × errors × share × {inside}:"  # noqa: RUF001
    " the weight is the lesser of the two; errors are {0} for a wrong type, {1} for a wrong"
    " subtype, {2} for a wrong class; the share is {share}. Mentions are matched one to one so that"
    " this is greatest. A response entity that is not mapped costs {unmapped}."
)
_MAPPING = (
    "Entities are mapped one to one so that the sum of gains is greatest; a gain is the value of"
    " the pair less that of the response entity if it is not mapped. A key entity whose"
    " candidates can be mapped to no other is mapped to the best of them even if it loses."
)
_TWICE = (
    " So far every share is 1, as if entities were valued by the sum of their mentions; the pairs"
    " of the mapping are then valued anew, by levels."
)
_COSTS = (
    "A key entity that is not mapped is missed. One that is mapped loses what its pair earns less"
    " than the entity is worth: the error. A response entity that is not mapped is a false alarm."
    " The value is what is left of the worth of the key, as a share of it."
)


class Texts(NamedTuple):
    """What is said before each step."""

    entities: str
    matches: str
    pairs: str
    mapping: str
    costs: str


def texts(rules: Rules) -> Texts:
    """Say how the measure goes by some rules."""
    entities = _ENTITIES.format(worth="sum" if rules.by_mentions else "level")
    if rules.metonymy_lowers:
        entities += _METONYMY
    twice = rules.map_by_mentions and not rules.by_mentions
    return Texts(
        entities, _matches(rules), _pairs(rules), _MAPPING + (_TWICE if twice else ""), _COSTS
    )


def _matches(rules: Rules) -> str:
    text = _TEXTS.format(text=said(rules.least_text)) if rules.least_text > 0 else ""
    known = "" if rules.as_2005 else _ALARM_BY_ENTITY
    if not rules.as_2005 and not rules.by_mentions:
        then = ", once the mapping is chosen," if rules.map_by_mentions else ""
        known += f" and{then} its level over its sum"
    if rules.coreference == 0:
        known += ", and nothing if it can match any mention of the key"
    elif rules.coreference != 1:
        known += f", times {said(rules.coreference)} if it can match any mention of the key"
    return _MATCHES.format(
        *map(said, rules.mention_error),
        overlap=said(rules.least_overlap),
        text=text,
        alarm=said(rules.mention_false_alarm),
        known=known,
    )


def _pairs(rules: Rules) -> str:
    if rules.by_mentions:
        share = "1"
    elif rules.as_2005:
        share = "the lesser level over the sum of the key entity"
    else:
        share = "the level of the key entity over its sum"
        if rules.map_by_mentions:
            share = f"1 until the mapping is chosen, then {share}"
    level = "" if rules.by_mentions else " times its level over its sum"
    return _PAIRS.format(
        *map(said, rules.entity_error),
        inside="(matches - false alarms)" if rules.as_2005 else "matches, less its false alarms",
        share=share,
        unmapped=f"{said(rules.false_alarm)} of its weight{level} times what all its mentions cost"
        if rules.as_2005
        else "what all its mentions cost",
    )
