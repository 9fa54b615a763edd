"""What mapping a system entity to a reference entity is worth, and the best mapping."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scoref.assignment.solver import best_alignment
from scoref.base.arrays import Bools, Floats, Ints, first_of_run, sum_by
from scoref.metrics.ace.heads import Edges, matches
from scoref.metrics.ace.rules import Rules
from scoref.metrics.ace.sides import Entities, Mentions, collect
from scoref.metrics.base import divide
from scoref.overlap.table import Table


class Both(NamedTuple):
    """Both sides, and the mentions that can match."""

    ours: Mentions
    theirs: Mentions
    key: Entities
    response: Entities
    edges: Edges


class Pairs(NamedTuple):
    """Entities that can be mapped: their numbers, and what mapping them is worth."""

    key: Ints
    response: Ints
    value: Floats


class Valued(NamedTuple):
    """All that a value is made of, for counting and for explaining."""

    key: Entities
    response: Entities
    key_worth: Floats
    unmapped: Floats
    pairs: Pairs
    mapped: Bools


def evaluate(table: Table, rules: Rules) -> Valued:
    """Value the entities of both sides and map them to each other."""
    rows = table.mentions
    ours, key = collect(rows, "key", table.key_unit, rules)
    theirs, response = collect(rows, "response", table.res_unit, rules)
    both = Both(ours, theirs, key, response, matches(ours, theirs, rules))
    values = _values_2005 if rules.as_2005 else _values_2007
    pairs, unmapped = values(both, rules, by_mentions=rules.by_mentions or rules.map_by_mentions)
    mapped = _map(pairs, unmapped, _text_order(ours, key), _text_order(theirs, response))
    if rules.map_by_mentions and not rules.by_mentions:
        pairs, unmapped = values(both, rules, by_mentions=False)
    return Valued(key, response, key.worth(by_mentions=rules.by_mentions), unmapped, pairs, mapped)


def _alarms(theirs: Mentions, edges: Edges, rules: Rules) -> Floats:
    """Return what each system mention costs if it is not matched, before entities weigh in.

    A mention that could match some reference mention is not spurious but put wrongly.
    """
    factor = np.ones(len(theirs.entity))
    factor[edges.response] = rules.coreference
    return -rules.mention_false_alarm * theirs.weight * factor


def _values_2005(both: Both, rules: Rules, *, by_mentions: bool) -> tuple[Pairs, Floats]:
    """Value each pair that can be mapped, and each system entity if it is not."""
    ours, theirs, key, response, edges = both
    alarm = _alarms(theirs, edges, rules)
    alarms = sum_by(theirs.entity, alarm, len(response.level))
    one, two, pair = _pair_up(ours.entity[edges.key], theirs.entity[edges.response])
    earned = _best_matching(pair, len(one), edges, edges.score - alarm[edges.response])
    if by_mentions:
        share = np.ones(len(one))
    else:
        share = divide(np.minimum(key.level[one], response.level[two]), key.total[one])
        share = np.nan_to_num(share)
    value = np.minimum(key.value[one], response.value[two]) * _error(key, response, one, two, rules)
    unmapped = rules.false_alarm * response.value * response.share(by_mentions=by_mentions) * alarms
    return Pairs(one, two, value * share * (alarms[two] + earned)), unmapped


def _values_2007(both: Both, rules: Rules, *, by_mentions: bool) -> tuple[Pairs, Floats]:
    """Value each pair that can be mapped, and each system entity if it is not."""
    ours, theirs, key, response, edges = both
    share = response.share(by_mentions=by_mentions)
    alarm = _alarms(theirs, edges, rules) * (response.value * share)[theirs.entity]
    unmapped = sum_by(theirs.entity, alarm, len(response.level))
    one, two, pair = _pair_up(ours.entity[edges.key], theirs.entity[edges.response])
    worth = np.minimum(key.value[one], response.value[two]) * _error(key, response, one, two, rules)
    worth *= key.share(by_mentions=by_mentions)[one]
    earned = _best_matching(
        pair, len(one), edges, worth[pair] * edges.score - alarm[edges.response]
    )
    return Pairs(one, two, unmapped[two] + earned), unmapped


def _error(key: Entities, response: Entities, one: Ints, two: Ints, rules: Rules) -> Floats:
    """Return the factor that wrong attributes of an entity cost."""
    kind, subtype, kind_class = rules.entity_error
    factor = np.where(key.kind[one] != response.kind[two], kind, 1.0)
    factor = factor * np.where(key.subtype[one] != response.subtype[two], subtype, 1.0)
    return factor * np.where(key.kind_class[one] != response.kind_class[two], kind_class, 1.0)


def _pair_up(one: Ints, two: Ints) -> tuple[Ints, Ints, Ints]:
    """Return the distinct pairs of entities, and the pair of each edge."""
    width = int(two.max(initial=-1)) + 1
    codes, pair = np.unique(one * width + two, return_inverse=True)
    return codes // max(width, 1), codes % max(width, 1), pair


def _best_matching(pair: Ints, pairs: int, edges: Edges, gain: Floats) -> Floats:
    """Return the best one-to-one total of edges within each pair of entities."""
    row, column = _pair_up(pair, edges.key)[2], _pair_up(pair, edges.response)[2]
    chosen = best_alignment(row, column, gain)
    return sum_by(pair[chosen], gain[chosen], pairs)


def _text_order(mentions: Mentions, entities: Entities) -> Ints:
    """Rank entities by their first head, so that ties do not depend on the order of a file."""
    first = np.full(len(entities.level), np.iinfo(np.int64).max)
    np.minimum.at(first, mentions.entity, mentions.start * 2 + (mentions.end > mentions.start))
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first, kind="stable")] = np.arange(len(first))
    return rank


def _map(pairs: Pairs, unmapped: Floats, key_rank: Ints, response_rank: Ints) -> Bools:
    """Choose the pairs to map, one to one, by what mapping them gains.

    As in NIST's scorers, a reference entity whose candidates have no other is mapped to the
    best of them even where that loses.
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
