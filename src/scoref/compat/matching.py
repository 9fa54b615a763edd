"""How corefud-scorer 1.2 matches mentions, with its own choice among equal totals.

The steps are those of `scoref.alignment.matching`: zeros by what they depend on, then equal
mentions, then those that are alike. What may differ is which of several best matchings is taken:
here it is the one that SciPy's solver finds for the full matrix of a document, which that scorer
builds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from scoref.compat.mentions import Clusters, Mention, Value
from scoref.policy import Policy

Match = tuple[Mention, Mention]


class Way(NamedTuple):
    """A way in which mentions are alike.

    Only a response mention that is met at the `place` of a key mention can be like it; those
    met elsewhere need no look.
    """

    likeness: Callable[[Mention, Mention], float]
    place: Callable[[Mention], object]
    met_at: Callable[[Mention], Iterable[object]]


def match(key: Clusters, response: Clusters, policy: Policy) -> list[Match]:
    """Match the mentions of a document, each value once."""
    ours, theirs = _by_value(key), _by_value(response)
    zeros: list[Match] = []
    if policy.zeros == "dependent":
        zeros = _best(_zeros(ours), _zeros(theirs), _WAYS["zero"])
    _leave_out(zeros, ours, theirs)
    equal = [(mention, theirs[value]) for value, mention in ours.items() if value in theirs]
    _leave_out(equal, ours, theirs)
    alike: list[Match] = []
    if policy.match != "exact":
        alike = _best(ours.values(), theirs.values(), _WAYS[policy.match])
    return [*equal, *alike, *zeros]


def dictionary(matches: list[Match]) -> dict[Value, Value]:
    """Put matches of different mentions into one dictionary, in which they may meet."""
    different = [(one.value, other.value) for one, other in matches if one.value != other.value]
    return {**dict(different), **{other: one for one, other in different}}


def _by_value(clusters: Clusters) -> dict[Value, Mention]:
    """Return each mention once; of equal ones, the first."""
    found: dict[Value, Mention] = {}
    for cluster in clusters:
        for mention in cluster:
            found.setdefault(mention.value, mention)
    return found


def _leave_out(
    matches: list[Match], ours: dict[Value, Mention], theirs: dict[Value, Mention]
) -> None:
    for one, other in matches:
        del ours[one.value], theirs[other.value]


def _zeros(mentions: dict[Value, Mention]) -> list[Mention]:
    return [mention for mention in mentions.values() if mention.is_zero]


def _best(key: Iterable[Mention], response: Iterable[Mention], way: Way) -> list[Match]:
    """Take the best one-to-one matches of mentions that are alike."""
    ours = sorted(key, key=lambda mention: mention.in_text)
    theirs = sorted(response, key=lambda mention: mention.in_text)
    met: defaultdict[object, list[int]] = defaultdict(list)
    for at, mention in enumerate(theirs):
        for place in way.met_at(mention):
            met[place].append(at)
    alike = np.zeros((len(ours), len(theirs)))
    for at, one in enumerate(ours):
        for other in met[way.place(one)]:
            alike[at, other] = way.likeness(one, theirs[other])
    if not alike.any():
        return []
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415  # half a second to import

    chosen = zip(*linear_sum_assignment(-alike), strict=True)
    return [(ours[one], theirs[other]) for one, other in chosen if alike[one, other] > 0]


def _same_head(one: Mention, other: Mention) -> float:
    """Return the part of the key mention that a response mention with the same head has."""
    return len(one.value.tokens & other.value.tokens) / len(one.value.tokens)


def _inside(one: Mention, other: Mention) -> float:
    """Return the same of a response mention with the key's head and nothing outside it."""
    if not other.value.tokens <= one.value.tokens:
        return 0.0
    return _same_head(one, other)


def _zero_likeness(one: Mention, other: Mention) -> float:
    """Weigh parents with relations ten times, in the order of operations of that scorer."""
    both = _f1(one.zero.relations, other.zero.relations)
    return 10 * both + _f1(one.zero.parents, other.zero.parents)


def _f1(one: frozenset[object], other: frozenset[object]) -> float:
    common = len(one & other)
    if not common:
        return 0.0
    precision, recall = common / len(one), common / len(other)
    return 2 * precision * recall / (precision + recall)


_WAYS = {
    "head": Way(_same_head, lambda one: one.head, lambda other: [other.head]),
    "partial": Way(_inside, lambda one: one.head, lambda other: other.value.tokens),
    "zero": Way(_zero_likeness, lambda one: one.zero.place, lambda other: [other.zero.place]),
}
