"""The rules of ACE-Value in words, with the weights and costs that the user chose."""

from __future__ import annotations

from typing import NamedTuple

from scoref.explanation.expressions import written
from scoref.metrics.ace.rules import Rules

_ENTITIES = (
    "The weight of an entity is the weight of its type times the weight of its class. Its level is"
    " the weight of its best mention, its sum the weight of all its mentions. A key entity is"
    " worth its weight times its {worth}."
)
_METONYMY = " For the level, a metonymic name counts as a nominal."
_MATCHES = (
    "Mentions can match if their heads share {overlap} of the longer one{text}. A match earns the"
    " lesser of the two weights, times {0} if types differ, {1} if roles differ, {2} if styles"
    " differ. A response mention that is not matched costs {alarm} of its weight{entity}."
)
_PAIRS = (
    "A pair of entities with mentions that can match is worth weight × errors × share × {inside}:"  # noqa: RUF001
    " the weight is the lesser of the two; errors are {0} for a wrong type, {1} for a wrong"
    " subtype, {2} for a wrong class; the share is {share}. Mentions are matched one to one so that"
    " the worth is greatest. A response entity that is not mapped costs {unmapped}."
)
_MAPPING = (
    "Entities are mapped one to one so that the sum of gains is greatest. A gain is the value of"
    " the pair less the value of the response entity if it is not mapped. A key entity whose"
    " candidates can be mapped to no other is mapped to the best of them even if it loses."
)
_TWICE = (
    " Up to here every share is 1, as if entities were valued by the sum of their mentions. The"
    " pairs of the mapping are then valued again, by levels."
)
_COSTS = (
    "A key entity that is not mapped is missed. A key entity that is mapped loses its worth less"
    " what its pair earns: the error. A response entity that is not mapped is a false alarm. The"
    " value is what is left of the worth of the key, as a share of it."
)


class RulesInWords(NamedTuple):
    """The text before each step."""

    entities: str
    matches: str
    pairs: str
    mapping: str
    costs: str


def state_rules(rules: Rules) -> RulesInWords:
    """Say how the metric works under some rules."""
    entities = _ENTITIES.format(worth="sum" if rules.by_mentions else "level")
    twice = rules.map_by_mentions and not rules.by_mentions
    return RulesInWords(
        entities + (_METONYMY if rules.metonymy_lowers else ""),
        _matches(rules),
        _pairs(rules),
        _MAPPING + (_TWICE if twice else ""),
        _COSTS,
    )


def _matches(rules: Rules) -> str:
    text = ""
    if rules.least_text > 0:
        text = f" and the texts of the heads agree by {written(rules.least_text)}"
    entity = "" if rules.as_2005 else ", times the weight of its entity"
    if not rules.as_2005 and not rules.by_mentions:
        then = ", once the mapping is chosen," if rules.map_by_mentions else ""
        entity += f" and{then} its level over its sum"
    if rules.coreference == 0:
        entity += ", and nothing if it can match any mention of the key"
    elif rules.coreference != 1:
        entity += f", times {written(rules.coreference)} if it can match any mention of the key"
    return _MATCHES.format(
        *map(written, rules.mention_error),
        overlap=written(rules.least_overlap),
        text=text,
        alarm=written(rules.mention_false_alarm),
        entity=entity,
    )


def _pairs(rules: Rules) -> str:
    share = "the level of the key entity over its sum"
    if rules.by_mentions:
        share = "1"
    elif rules.as_2005:
        share = "the lesser level over the sum of the key entity"
    elif rules.map_by_mentions:
        share = f"1 until the mapping is chosen, then {share}"
    unmapped, inside = "what all its mentions cost", "matches, less its false alarms"
    if rules.as_2005:
        inside = "(matches - false alarms)"
        level = "" if rules.by_mentions else " times its level over its sum"
        unmapped = f"{written(rules.false_alarm)} of its weight{level} times {unmapped}"
    errors = map(written, rules.entity_error)
    return _PAIRS.format(*errors, inside=inside, share=share, unmapped=unmapped)
