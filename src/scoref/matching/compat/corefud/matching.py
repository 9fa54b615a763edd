"""How corefud-scorer 1.2 matches mentions, with its own choice among equal totals.

The steps are those of `scoref.matching.modes`: zeros by what they depend on, then equal
mentions, then similar mentions. The choice among several best matchings may differ: the scorer
builds the full matrix of a document and takes the matching that SciPy's solver finds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from scoref.matching.compat.corefud.mentions import Clusters, CorefUDMention, Value
from scoref.policy import Policy

Match = tuple[CorefUDMention, CorefUDMention]


class Criterion(NamedTuple):
    """How similar two mentions are.

    Only response mentions that have the `place` of a key mention among their `places` can be
    similar to it; the others are skipped.
    """

    similarity: Callable[[CorefUDMention, CorefUDMention], float]
    place: Callable[[CorefUDMention], object]
    places: Callable[[CorefUDMention], Iterable[object]]


def match(key: Clusters, response: Clusters, policy: Policy) -> list[Match]:
    """Match the mentions of a document, each value once."""
    keys, responses = _by_value(key), _by_value(response)
    zeros: list[Match] = []
    if policy.zeros == "dependent":
        of_key, of_response = (
            [mention for mention in side.values() if mention.is_zero] for side in (keys, responses)
        )
        zeros = _best(of_key, of_response, _CRITERIA["zero"])
    _remove(zeros, keys, responses)
    equal = [(mention, responses[value]) for value, mention in keys.items() if value in responses]
    _remove(equal, keys, responses)
    similar: list[Match] = []
    if policy.match != "exact":
        similar = _best(keys.values(), responses.values(), _CRITERIA[policy.match])
    return [*equal, *similar, *zeros]


def dictionary(matches: list[Match]) -> dict[Value, Value]:
    """Put matches of different mentions into one dictionary, in which they may collide."""
    different = [(one.value, other.value) for one, other in matches if one.value != other.value]
    return {**dict(different), **{other: one for one, other in different}}


def _by_value(clusters: Clusters) -> dict[Value, CorefUDMention]:
    """Return each mention once; of equal mentions, the first."""
    found: dict[Value, CorefUDMention] = {}
    for cluster in clusters:
        for mention in cluster:
            found.setdefault(mention.value, mention)
    return found


def _remove(
    matches: list[Match], keys: dict[Value, CorefUDMention], responses: dict[Value, CorefUDMention]
) -> None:
    for one, other in matches:
        del keys[one.value], responses[other.value]


def _best(
    key: Iterable[CorefUDMention], response: Iterable[CorefUDMention], criterion: Criterion
) -> list[Match]:
    """Return the best one-to-one matches of similar mentions."""
    keys = sorted(key, key=lambda mention: mention.in_text)
    responses = sorted(response, key=lambda mention: mention.in_text)
    at_place: defaultdict[object, list[int]] = defaultdict(list)
    for at, mention in enumerate(responses):
        for place in criterion.places(mention):
            at_place[place].append(at)
    similarity = np.zeros((len(keys), len(responses)))
    for at, one in enumerate(keys):
        for other in at_place[criterion.place(one)]:
            similarity[at, other] = criterion.similarity(one, responses[other])
    if not similarity.any():
        return []
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415  # half a second to import

    chosen = zip(*linear_sum_assignment(-similarity), strict=True)
    return [(keys[one], responses[other]) for one, other in chosen if similarity[one, other] > 0]


def _same_head(one: CorefUDMention, other: CorefUDMention) -> float:
    """Return the share of the key mention's tokens that a response mention has."""
    return len(one.value.tokens & other.value.tokens) / len(one.value.tokens)


def _inside(one: CorefUDMention, other: CorefUDMention) -> float:
    """Return the same share; 0 for a response mention with tokens outside the key mention."""
    if not other.value.tokens <= one.value.tokens:
        return 0.0
    return _same_head(one, other)


def _zero_similarity(one: CorefUDMention, other: CorefUDMention) -> float:
    """Weigh parents with relations ten times, in the order of operations of the scorer."""
    both = _f1(one.zero.relations, other.zero.relations)
    return 10 * both + _f1(one.zero.parents, other.zero.parents)


def _f1(one: frozenset[object], other: frozenset[object]) -> float:
    common = len(one & other)
    if not common:
        return 0.0
    precision, recall = common / len(one), common / len(other)
    return 2 * precision * recall / (precision + recall)


_CRITERIA = {
    "head": Criterion(_same_head, lambda one: one.head, lambda other: [other.head]),
    "partial": Criterion(_inside, lambda one: one.head, lambda other: other.value.tokens),
    "zero": Criterion(
        _zero_similarity, lambda one: one.zero.place, lambda other: [other.zero.place]
    ),
}
