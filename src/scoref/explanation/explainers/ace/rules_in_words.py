"""The rules of ACE-Value in words, and the weights and costs that apply."""

from __future__ import annotations

from scoref.explanation.expressions import written
from scoref.metrics.ace.rules import Rules

_ENTITIES = (
    "Weights and costs are parameters of the metric: {parameters}. A mention weighs nam, nom, pro"
    " or pre by its type. An entity weighs the weight of its type times the weight of its class."
    " Its level is the weight of its best mention, its sum the weight of all its mentions. A key"
    " entity is worth its weight times its {worth}."
)
_MATCHES = (
    "Mentions can match if their heads share at least the part overlap of the longer one, and"
    " their texts at least the part text. A match earns the lesser of the two weights, times the"
    " errors of type, role and style where these differ. A response mention that is not matched"
    " costs mention_false_alarm times its weight{entity}, and times coreference if it can match"
    " any mention of the key."
)
_PAIRS = (
    "A pair of entities with mentions that can match is worth weight × errors × share × {inside}:"  # noqa: RUF001
    " the weight is the lesser of the two; errors are those of type, subtype and class where these"
    " differ; the share is {share}. Mentions are matched one to one so that the worth is greatest."
    " A response entity that is not mapped costs {unmapped}what all its mentions cost."
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
_METONYMY = " For the level, a metonymic name counts as a nominal."
COSTS = (
    "A key entity that is not mapped is missed. A key entity that is mapped loses its worth less"
    " what its pair earns: the error. A response entity that is not mapped is a false alarm. The"
    " value is what is left of the worth of the key, as a share of it."
)


def state_rules(rules: Rules) -> tuple[str, str, str, str]:
    """Say how entities are weighed, mentions matched, pairs valued and mapped under some rules."""
    parameters = ", ".join(f"{name}={written(value)}" for name, value in _parameters(rules).items())
    twice = rules.map_by_mentions and not rules.by_mentions
    share = "the level of the key entity over its sum"
    if rules.by_mentions:
        share = "1"
    elif rules.as_2005:
        share = "the lesser level over the sum of the key entity"
    elif twice:
        share = f"1 until the mapping is chosen, then {share}"
    level = "" if rules.by_mentions else " times its level over its sum"
    return (
        _ENTITIES.format(parameters=parameters, worth="sum" if rules.by_mentions else "level")
        + (_METONYMY if rules.metonymy_lowers else ""),
        _MATCHES.format(entity="" if rules.as_2005 else f" times the weight of its entity{level}"),
        _PAIRS.format(
            inside="(matches - false alarms)" if rules.as_2005 else "matches, less false alarms",
            share=share,
            unmapped=f"false_alarm times its weight{level} times " if rules.as_2005 else "",
        ),
        _MAPPING + (_TWICE if twice else ""),
    )


def _parameters(rules: Rules) -> dict[str, float]:
    """Name the weights and costs as the metric's parameters do."""
    mentions = zip(("nam", "nom", "pro", "pre"), rules.mention_weight, strict=True)
    (_, specific), (_, generic), *_ = rules.class_weight
    kinds = ("type", "subtype", "class", "mention_type", "role", "style")
    errors = zip(kinds, (*rules.entity_error, *rules.mention_error), strict=True)
    return {
        **dict(mentions),
        **{name.lower(): weight for name, weight in rules.entity_weight},
        "specific": specific,
        "generic": generic,
        **{f"{kind}_error": cost for kind, cost in errors},
        "false_alarm": rules.false_alarm,
        "mention_false_alarm": rules.mention_false_alarm,
        "coreference": rules.coreference,
        "overlap": rules.least_overlap,
        "text": rules.least_text,
    }
