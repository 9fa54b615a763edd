"""ACE-Value: what a system's entities are worth, less what its mistakes cost.

The metric of the ACE evaluations, by the rules of NIST's scorers of 2005, 2007 and 2008. A
reference entity has a value. A system entity that is mapped to it earns the part of this value
for which its mentions and attributes are right, and pays for spurious mentions. A system entity
that is not mapped pays for all of its mentions. Mentions match if their heads overlap.

    Value = (reference - missed - error - false alarm) / reference

Perfect output has the value 1, empty output 0, and the value has no lower bound. Where no
reference entity counts (for example, all are generic), the value is undefined.

NIST's scorers add a tiny number to break ties; here the order of the text breaks ties.
"""

from __future__ import annotations

from functools import cache, partial
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Bools, Floats, Ints, first_of_run, ranks, sum_by
from scoref.corpus.spans import Spans, overlapping, shared_tokens
from scoref.exceptions import UsageError
from scoref.metrics.ace_entities import (
    NEGLIGIBLE,
    YEARS,
    AceEntities,
    AceMentions,
    Rules,
    collect,
    rules_of,
)
from scoref.metrics.assignment.solver import best_alignment
from scoref.metrics.base import About, Count, Metric, divide, only_f1
from scoref.metrics.needs import ENTITY_TYPES, HEADS, TYPES
from scoref.metrics.single_mentions import best_totals_within, group_pairs
from scoref.metrics.table import Table

COLUMNS = ("reference", "missed", "error", "false_alarm", "valued_entities")


def count(table: Table, rules: Rules) -> Floats:
    """Count the value of the reference, and what is missed, wrong and spurious."""
    valued = evaluate(table, rules)
    pairs, mapped = valued.pairs, valued.mapped
    missed, alarm = valued.key_worth.copy(), -valued.unmapped
    error = np.zeros(len(missed))
    missed[pairs.key[mapped]] = 0.0
    alarm[pairs.response[mapped]] = 0.0
    error[pairs.key[mapped]] = (valued.key_worth[pairs.key] - pairs.value)[mapped]
    of_keys = (valued.key_worth, missed, error, valued.key.value > NEGLIGIBLE)
    reference, missed, error, entities = map(table.sum_keys, of_keys)
    return np.column_stack([reference, missed, error, table.sum_responses(alarm), entities])


def score(counts: Floats, *, with_sides: bool) -> Floats:
    """Score (..., 5) counts: recall and precision of values, and the value itself."""
    reference, missed, error, alarm, valued = np.moveaxis(counts, -1, 0)
    reference = np.where(valued > 0, reference, 0.0)
    right = np.maximum(reference - missed - error, 0.0)
    value = divide(reference - missed - error - alarm, reference)
    if not with_sides:
        return only_f1(value)
    recall, precision = divide(right, reference), divide(right, reference - missed + alarm)
    return np.stack([recall, precision, value], axis=-1)


@cache
def _counting(rules: Rules) -> Count:
    return partial(count, rules=rules)


def ace(**parameters: float | str) -> Metric:
    """Return ACE-Value by the rules of a year, with changed weights or costs."""
    year = int(parameters.get("year", 2005))
    if year not in YEARS:
        raise UsageError(f"ace has no year={year}", "use one of: 2005, 2007, 2008")
    rules = rules_of(**parameters)
    return Metric(
        name="ace",
        count=_counting(rules),
        score=partial(score, with_sides=year != 2008),
        columns=COLUMNS,
        symmetric=False,
        lowest=-np.inf,
        needs=frozenset({TYPES, ENTITY_TYPES, HEADS}),
        keeps_undefined=True,
        about=About(
            title="ACE-Value",
            formula="value = (reference - missed - error - false alarm) / reference, shown as F1;"
            " R = max(reference - missed - error, 0) / reference, P = the same / (reference -"
            " missed + false alarm); a parameter with the default `year` has the value of"
            " NIST's scorer of that year",
            paper="NIST's scorers ace05-eval v14, ace07-eval v01, ace08-eval v08",
            rewards="entities with names, whose mentions and attributes are right",
            ignores="generic entities; in 2005, mentions in a wrong entity cost nothing",
        ),
    )


class MentionMatches(NamedTuple):
    """Mentions that can match, as positions in the mentions of the two sides; what that earns."""

    key: Ints
    response: Ints
    score: Floats


def find_matches(key: AceMentions, response: AceMentions, rules: Rules) -> MentionMatches:
    """Find the mentions whose heads overlap enough, and score each pair."""
    heads, other_heads = (Spans(side.unit, side.start, side.end) for side in (key, response))
    at, other = overlapping(heads, other_heads)
    one, two = heads.where(at), other_heads.where(other)
    enough = shared_tokens(one, two) / np.maximum(one.length, two.length) >= rules.least_overlap
    if rules.least_text > 0:
        for edge in np.flatnonzero(enough).tolist():
            alike = text_match(str(key.text[at[edge]]), str(response.text[other[edge]]))
            enough[edge] = alike >= rules.least_text
    at, other = at[enough], other[enough]
    attributes = (key.kind, response.kind), (key.role, response.role), (key.style, response.style)
    score = np.minimum(key.weight[at], response.weight[other])
    for (one_side, other_side), factor in zip(attributes, rules.mention_error, strict=True):
        score = score * np.where(one_side[at] != other_side[other], factor, 1.0)
    return MentionMatches(at, other, score)


def text_match(one: str, other: str) -> float:
    """Return the longest common part of two texts as a share of the longer one.

    Case is ignored, and so are blanks and punctuation of ASCII texts.
    """
    one, other = (_plain(text) for text in (one, other))
    if one == other:
        return 1.0
    if not one or not other:
        return 0.0
    from difflib import SequenceMatcher  # noqa: PLC0415  # only the rules of 2007 need it

    matcher = SequenceMatcher(None, one, other, autojunk=False)
    return matcher.find_longest_match().size / max(len(one), len(other))


def _plain(text: str) -> str:
    folded = text.casefold()
    return "".join(filter(str.isalnum, folded)) if folded.isascii() else folded


class AceSides(NamedTuple):
    """Both sides, and the mentions that can match."""

    key_mentions: AceMentions
    response_mentions: AceMentions
    key: AceEntities
    response: AceEntities
    matches: MentionMatches


class EntityPairs(NamedTuple):
    """Entities that can be mapped: their numbers, and what mapping them is worth."""

    key: Ints
    response: Ints
    value: Floats


class AceValues(NamedTuple):
    """All values that a score consists of, for counting and for explaining."""

    key: AceEntities
    response: AceEntities
    key_worth: Floats
    unmapped: Floats
    pairs: EntityPairs
    mapped: Bools


def evaluate(table: Table, rules: Rules) -> AceValues:
    """Value the entities of both sides and map them to each other."""
    rows = table.mentions
    keys, key = collect(rows, "key", table.key_unit, rules)
    responses, response = collect(rows, "response", table.res_unit, rules)
    sides = AceSides(keys, responses, key, response, find_matches(keys, responses, rules))
    values = _values_2005 if rules.as_2005 else _values_2007
    pairs, unmapped = values(sides, rules, by_mentions=rules.by_mentions or rules.map_by_mentions)
    mapped = _map(pairs, unmapped, _text_order(keys, key), _text_order(responses, response))
    if rules.map_by_mentions and not rules.by_mentions:
        pairs, unmapped = values(sides, rules, by_mentions=False)
    return AceValues(
        key, response, key.worth(by_mentions=rules.by_mentions), unmapped, pairs, mapped
    )


def _alarms(responses: AceMentions, matches: MentionMatches, rules: Rules) -> Floats:
    """Return what each system mention costs if it is not matched, before entities are weighed.

    A mention that could match some reference mention is not spurious but in a wrong entity.
    """
    factor = np.ones(len(responses.entity))
    factor[matches.response] = rules.coreference
    return -rules.mention_false_alarm * responses.weight * factor


def _values_2005(sides: AceSides, rules: Rules, *, by_mentions: bool) -> tuple[EntityPairs, Floats]:
    """Value each pair that can be mapped, and each system entity if it is not."""
    keys, responses, key, response, matches = sides
    alarm = _alarms(responses, matches, rules)
    alarms = sum_by(responses.entity, alarm, len(response.level))
    one, two, pair = group_pairs(keys.entity[matches.key], responses.entity[matches.response])
    gain = matches.score - alarm[matches.response]
    earned = best_totals_within(pair, len(one), matches.key, matches.response, gain)
    if by_mentions:
        share = np.ones(len(one))
    else:
        share = divide(np.minimum(key.level[one], response.level[two]), key.total[one])
        share = np.nan_to_num(share)
    value = np.minimum(key.value[one], response.value[two]) * _error(key, response, one, two, rules)
    unmapped = rules.false_alarm * response.value * response.share(by_mentions=by_mentions) * alarms
    return EntityPairs(one, two, value * share * (alarms[two] + earned)), unmapped


def _values_2007(sides: AceSides, rules: Rules, *, by_mentions: bool) -> tuple[EntityPairs, Floats]:
    """Value each pair that can be mapped, and each system entity if it is not."""
    keys, responses, key, response, matches = sides
    share = response.share(by_mentions=by_mentions)
    alarm = _alarms(responses, matches, rules) * (response.value * share)[responses.entity]
    unmapped = sum_by(responses.entity, alarm, len(response.level))
    one, two, pair = group_pairs(keys.entity[matches.key], responses.entity[matches.response])
    worth = np.minimum(key.value[one], response.value[two]) * _error(key, response, one, two, rules)
    worth *= key.share(by_mentions=by_mentions)[one]
    gain = worth[pair] * matches.score - alarm[matches.response]
    earned = best_totals_within(pair, len(one), matches.key, matches.response, gain)
    return EntityPairs(one, two, unmapped[two] + earned), unmapped


def _error(key: AceEntities, response: AceEntities, one: Ints, two: Ints, rules: Rules) -> Floats:
    """Return the factor for wrong attributes of an entity."""
    kind, subtype, kind_class = rules.entity_error
    factor = np.where(key.kind[one] != response.kind[two], kind, 1.0)
    factor = factor * np.where(key.subtype[one] != response.subtype[two], subtype, 1.0)
    return factor * np.where(key.kind_class[one] != response.kind_class[two], kind_class, 1.0)


def _text_order(mentions: AceMentions, entities: AceEntities) -> Ints:
    """Rank entities by their first head, so that ties do not depend on the order of a file."""
    first = np.full(len(entities.level), np.iinfo(np.int64).max)
    np.minimum.at(first, mentions.entity, mentions.start * 2 + (mentions.end > mentions.start))
    return ranks(np.argsort(first, kind="stable"))


def _map(pairs: EntityPairs, unmapped: Floats, key_rank: Ints, response_rank: Ints) -> Bools:
    """Choose the pairs to map, one to one, by what mapping them gains.

    As in NIST's scorers, a reference entity whose candidates have no other candidate is mapped
    to the best of them, even at a loss.
    """
    gain = pairs.value - unmapped[pairs.response]
    order = np.lexsort((response_rank[pairs.response], key_rank[pairs.key]))
    one, two = key_rank[pairs.key[order]], response_rank[pairs.response[order]]
    chosen = best_alignment(one, two, gain[order])
    rivals = np.bincount(two, minlength=len(response_rank))[two] > 1
    contested = np.zeros(len(key_rank), dtype=bool)
    contested[one[rivals | chosen]] = True
    free = np.flatnonzero(~contested[one])
    if len(free):
        best = free[np.lexsort((-gain[order][free], one[free]))]
        chosen[best[first_of_run(one[best])]] = True
    mapped = np.zeros(len(order), dtype=bool)
    mapped[order[chosen]] = True
    return mapped
