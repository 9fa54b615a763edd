"""What a pair of entities is worth if it is mapped, and a response entity if it is not."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from scoref.corpus.spans import Spans, overlapping
from scoref.explanation.ace.sides import Entity, Mention, Valued
from scoref.explanation.expressions import ONE, ZERO, decimal
from scoref.explanation.inside import best_inside
from scoref.metrics.ace.matches import text_match
from scoref.metrics.ace.rules import Rules


class Edge(NamedTuple):
    """Mentions that can match, by their places on the two sides, and what that earns."""

    key: int
    response: int
    overlap: Fraction
    wrong: tuple[str, ...]
    score: Fraction


class Pair(NamedTuple):
    """Entities that can be mapped, and what that is worth.

    `weight` is the lesser of theirs, `factor` what wrong attributes leave of it, `share` what
    each unit of mention weight is worth; `matched` are edges.
    """

    key: int
    response: int
    weight: Fraction
    wrong: tuple[str, ...]
    factor: Fraction
    share: Fraction
    matched: list[int]
    matches: Fraction
    alarms: Fraction
    value: Fraction


class Values(NamedTuple):
    """What all pairs are worth, and what each response entity costs if it is not mapped."""

    pairs: list[Pair]
    unmapped: list[Fraction]
    alarm: list[Fraction]


class Document(NamedTuple):
    """Both sides of a document, and the mentions that can match."""

    key: Valued
    response: Valued
    edges: list[Edge]


def find_edges(key: Valued, response: Valued, rules: Rules) -> list[Edge]:
    """Find the mentions whose heads overlap enough, and score them as pairs."""
    at, other = overlapping(_heads(key), _heads(response))
    edges = []
    for place, partner in sorted(zip(at.tolist(), other.tolist(), strict=True)):
        one, two = key.mentions[place], response.mentions[partner]
        overlap = _overlap(one.head, two.head)
        enough = overlap >= decimal(rules.least_overlap)
        if rules.least_text > 0:
            enough = enough and text_match(one.text, two.text) >= rules.least_text
        if enough:
            names = ("type", "role", "style")
            pairs = ((one.kind, two.kind), (one.role, two.role), (one.style, two.style))
            wrong, factor = _errors(names, pairs, rules.mention_error)
            score = min(one.weight, two.weight) * factor
            edges.append(Edge(place, partner, overlap, wrong, score))
    return edges


def _heads(side: Valued) -> Spans:
    heads = np.array([mention.head for mention in side.mentions], dtype=np.int64).reshape(-1, 2)
    return Spans(np.zeros(len(heads), dtype=np.int64), heads[:, 0], heads[:, 1])


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> Fraction:
    shared = 1 + min(one[1], other[1]) - max(one[0], other[0])
    return Fraction(shared, 1 + max(one[1] - one[0], other[1] - other[0]))


def _errors(
    names: tuple[str, ...], pairs: tuple[tuple[str, str], ...], factors: tuple[float, ...]
) -> tuple[tuple[str, ...], Fraction]:
    """Name the attributes that differ, and multiply their factors."""
    wrong = [at for at, (one, other) in enumerate(pairs) if one != other]
    factor = ONE
    for at in wrong:
        factor *= decimal(factors[at])
    return tuple(names[at] for at in wrong), factor


def value(document: Document, rules: Rules, *, by_mentions: bool) -> Values:
    """Value each pair that can be mapped, and each response entity if it is not."""
    alarm = _alarms(document, rules, by_mentions=by_mentions)
    entities = document.response.entities
    unmapped = [ZERO] * len(entities)
    for mention, cost in zip(document.response.mentions, alarm, strict=True):
        unmapped[mention.entity] += cost
    in_pair: dict[tuple[int, int], list[int]] = {}
    for at, edge in enumerate(document.edges):
        one, two = _mentions(document, edge)
        in_pair.setdefault((one.entity, two.entity), []).append(at)
    pairs = [
        _empty_pair(document, one, other, rules, by_mentions=by_mentions)
        for one, other in sorted(in_pair)
    ]
    pairs = _match(document, rules, pairs, in_pair, alarm, unmapped)
    if rules.as_2005:
        unmapped = [
            decimal(rules.false_alarm)
            * entity.weight
            * entity.share(by_mentions=by_mentions)
            * cost
            for entity, cost in zip(entities, unmapped, strict=True)
        ]
    return Values(pairs, unmapped, alarm)


def _mentions(document: Document, edge: Edge) -> tuple[Mention, Mention]:
    return document.key.mentions[edge.key], document.response.mentions[edge.response]


def _alarms(document: Document, rules: Rules, *, by_mentions: bool) -> list[Fraction]:
    """Return what each response mention costs if it is not matched, as a number below zero.

    From 2007 on, its entity weighs in here; in 2005 only when all are summed.
    """
    known = {edge.response for edge in document.edges}
    alarms = []
    for at, mention in enumerate(document.response.mentions):
        cost = -decimal(rules.mention_false_alarm) * mention.weight
        if at in known:
            cost *= decimal(rules.coreference)
        if not rules.as_2005:
            entity = document.response.entities[mention.entity]
            cost *= entity.weight * entity.share(by_mentions=by_mentions)
        alarms.append(cost)
    return alarms


def _empty_pair(
    document: Document, one: int, other: int, rules: Rules, *, by_mentions: bool
) -> Pair:
    """Return a pair before its mentions are matched."""
    ours, theirs = document.key.entities[one], document.response.entities[other]
    names = ("type", "subtype", "class")
    attributes = (
        (ours.kind, theirs.kind),
        (ours.subtype, theirs.subtype),
        (ours.kind_class, theirs.kind_class),
    )
    wrong, factor = _errors(names, attributes, rules.entity_error)
    weight = min(ours.weight, theirs.weight)
    share = _share(ours, theirs, rules, by_mentions=by_mentions)
    return Pair(one, other, weight, wrong, factor, share, [], ZERO, ZERO, ZERO)


def _share(ours: Entity, theirs: Entity, rules: Rules, *, by_mentions: bool) -> Fraction:
    if rules.as_2005 and not by_mentions:
        return min(ours.level, theirs.level) / ours.total if ours.total else ZERO
    return ours.share(by_mentions=by_mentions)


def _match(  # noqa: PLR0917  # all that a value is made of
    document: Document,
    rules: Rules,
    pairs: list[Pair],
    in_pair: dict[tuple[int, int], list[int]],
    alarm: list[Fraction],
    unmatched: list[Fraction],
) -> list[Pair]:
    """Match the mentions of each pair so that it is worth most."""
    order = [(at, edge) for at, pair in enumerate(pairs) for edge in in_pair[pair[:2]]]
    edges = [document.edges[edge] for _, edge in order]
    gains = []
    for (at, _), edge in zip(order, edges, strict=True):
        unit = ONE if rules.as_2005 else pairs[at].weight * pairs[at].factor * pairs[at].share
        gains.append(float(unit * edge.score - alarm[edge.response]))
    chosen = best_inside(
        [at for at, _ in order],
        [edge.key for edge in edges],
        [edge.response for edge in edges],
        gains,
    )
    matched: list[list[int]] = [[] for _ in pairs]
    for (at, edge_at), yes in zip(order, chosen, strict=True):
        if yes:
            matched[at].append(edge_at)
    found = []
    for pair, taken in zip(pairs, matched, strict=True):
        matches = sum((document.edges[at].score for at in taken), start=ZERO)
        saved = sum((alarm[document.edges[at].response] for at in taken), start=ZERO)
        alarms = unmatched[pair.response] - saved
        unit = pair.weight * pair.factor * pair.share
        worth = unit * (matches + alarms) if rules.as_2005 else unit * matches + alarms
        found.append(pair._replace(matched=taken, matches=matches, alarms=alarms, value=worth))
    return found
