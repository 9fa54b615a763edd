"""Measures with split antecedents a second time: mention by mention, and in fractions.

The set of members of a plural is an element of it like its mentions. Each element may have a
counterpart on the other side, with a weight: an equal mention has 1, an aligned set what the
measure says of its members. All alignments of sets are tried out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations, product
from typing import NamedTuple

from tests.reference.definitions import COUNT, ZERO, Counts, Entities, Scores, score_ratio

Members = frozenset[frozenset[str]]
Element = str | Members


class Annotation(NamedTuple):
    """The mentions of entities by their names, and the names of the members of plurals."""

    mentions: dict[str, frozenset[str]]
    members: dict[str, frozenset[str]]

    def leaves(self, name: str, above: frozenset[str] = frozenset()) -> frozenset[str]:
        """Return the names of those that a plural is made of in the end."""
        below = [one for one in self.members.get(name, ()) if one in self.mentions]
        if not below:
            return frozenset({name} if above else ())
        return frozenset(
            leaf
            for one in below
            if one not in above | {name}
            for leaf in self.leaves(one, above | {name})
        )

    def clusters(self) -> list[frozenset[Element]]:
        """Return the entities with the sets of their members, merged where these are the same."""
        found: list[frozenset[Element]] = []
        plurals: dict[Members, set[Element]] = {}
        for name, mentions in self.mentions.items():
            leaves = frozenset(self.mentions[leaf] for leaf in self.leaves(name))
            if leaves:
                plurals.setdefault(leaves, {leaves}).update(mentions)
            else:
                found.append(frozenset(mentions))
        return [*found, *map(frozenset, plurals.values())]


def sets_of(clusters: list[frozenset[Element]]) -> list[Members]:
    """Return the sets of members that are in some clusters."""
    return [one for cluster in clusters for one in cluster if isinstance(one, frozenset)]


def compare(metric: str, key: Members, response: Members) -> tuple[Counts, Scores]:
    """Compare members as a measure does."""
    ours, theirs = tuple(key), tuple(response)
    if metric == "blanc":
        return _compare_links(ours, theirs)
    counts = COUNT[metric](ours, theirs)
    if metric == "muc":
        alone, other = ({e for e in side if len(e) == 1} for side in (ours, theirs))
        both = len(alone & other)
        added = (both, len(alone), both, len(other))
        counts = tuple(a + b for a, b in zip(counts, added, strict=True))
    return counts, score_ratio(counts)


def _compare_links(ours: Entities, theirs: Entities) -> tuple[Counts, Scores]:
    """Compare by links of both kinds; a kind that neither side has is left out."""
    ck, cr, cc, nk, nr, nn = counts = COUNT["blanc"](ours, theirs)
    kinds = [
        score_ratio((both, key, both, response))
        for both, key, response in ((cc, ck, cr), (nn, nk, nr))
        if key or response
    ]
    if not kinds:
        same = Fraction(int(set(ours) == set(theirs)))
        return counts, (same, same, same)
    recall, precision, f1 = (sum(column, ZERO) / len(kinds) for column in zip(*kinds, strict=True))
    return counts, (recall, precision, f1)


def alignments(
    metric: str, key: list[Members], response: list[Members]
) -> list[dict[Members, Members]]:
    """Return all one-to-one alignments of the greatest total F1, without pairs that have none."""

    def every(at: int, used: frozenset[int]) -> Iterator[dict[Members, Members]]:
        if at == len(key):
            yield {}
            return
        yield from every(at + 1, used)
        for other, one in enumerate(response):
            if other not in used and compare(metric, key[at], one)[1][2] > 0:
                for rest in every(at + 1, used | {other}):
                    yield {key[at]: one, **rest}

    found = [(sum((compare(metric, *p)[1][2] for p in a.items()), ZERO), a)
             for a in every(0, frozenset())]  # fmt: skip
    best = max(total for total, _ in found)
    return [alignment for total, alignment in found if total == best]


def only(metric: str, key: Annotation, response: Annotation) -> list[Counts]:
    """Count sets alone, for each of the best alignments."""
    ours, theirs = sets_of(key.clusters()), sets_of(response.clusters())
    nothing: Members = frozenset()
    found = []
    for alignment in alignments(metric, ours, theirs):
        columns = [compare(metric, *pair)[0] for pair in alignment.items()]
        keys = [compare(metric, one, nothing)[0] for one in ours]
        responses = [compare(metric, nothing, one)[0] for one in theirs]
        shared, of_key, of_response = (
            [sum((row[at] for row in rows), ZERO) for at in range(6 if metric == "blanc" else 4)]
            for rows in (columns, keys, responses)
        )
        places = [shared, of_key, shared, of_response]
        if metric == "blanc":
            places = [of_key, of_response, shared, of_key, of_response, shared]
        found.append(tuple(row[at] for at, row in enumerate(places)))
    return found


def whole(metric: str, key: Annotation, response: Annotation) -> list[Counts]:
    """Count all elements, for each of the best alignments of sets."""
    ours, theirs = key.clusters(), response.clusters()
    return [
        _COUNT[metric](ours, theirs, alignment, metric)
        for alignment in alignments(metric, sets_of(ours), sets_of(theirs))
    ]


Clusters = list[frozenset[Element]]


def _meet(
    one: frozenset[Element], other: frozenset[Element], to: Mapping[Members, Members]
) -> list[Element]:
    """Return the elements of an entity whose counterparts are in another."""
    return [e for e in one if (to.get(e) if isinstance(e, frozenset) else e) in other]


def _sided(
    side: Callable[[Clusters, Clusters, Mapping[Members, Members], Callable[[Element], Fraction]],
                   tuple[Fraction, Fraction]],
) -> Callable[[Clusters, Clusters, Mapping[Members, Members], str], Counts]:  # fmt: skip
    """Count recall with the recall of sets, and precision with their precision."""

    def count(
        ours: Clusters, theirs: Clusters, to: Mapping[Members, Members], metric: str
    ) -> Counts:
        back = {other: one for one, other in to.items()}

        def recall(e: Element) -> Fraction:
            return compare(metric, e, to[e])[1][0] if isinstance(e, frozenset) else Fraction(1)

        def precision(e: Element) -> Fraction:
            return compare(metric, back[e], e)[1][1] if isinstance(e, frozenset) else Fraction(1)

        return *side(ours, theirs, to, recall), *side(theirs, ours, back, precision)

    return count


def _muc(ours: Clusters, theirs: Clusters, to: Mapping[Members, Members],
         weight: Callable[[Element], Fraction]) -> tuple[Fraction, Fraction]:  # fmt: skip
    found = ZERO
    for cluster in ours:
        for other in theirs:
            met = _meet(cluster, other, to)
            mentions = [e for e in met if isinstance(e, str)]
            if mentions:
                found += len(mentions) - 1
                found += sum((weight(e) for e in met if not isinstance(e, str)), ZERO)
    return found, Fraction(sum(len(cluster) - 1 for cluster in ours))


def _b3(ours: Clusters, theirs: Clusters, to: Mapping[Members, Members],
        weight: Callable[[Element], Fraction]) -> tuple[Fraction, Fraction]:  # fmt: skip
    found = sum(
        (
            sum((weight(e) for e in _meet(cluster, other, to)), ZERO) ** 2 / len(cluster)
            for cluster, other in product(ours, theirs)
        ),
        ZERO,
    )
    return found, Fraction(sum(map(len, ours)))


def _lea(ours: Clusters, theirs: Clusters, to: Mapping[Members, Members],
         weight: Callable[[Element], Fraction]) -> tuple[Fraction, Fraction]:  # fmt: skip
    found = ZERO
    for cluster in ours:
        if len(cluster) == 1:
            found += cluster in theirs
            continue
        links = [
            weight(a) * weight(b)
            for other in theirs
            for a, b in combinations(_meet(cluster, other, to), 2)
        ]
        many = len(cluster) * (len(cluster) - 1) // 2
        found += len(cluster) * sum(links, ZERO) / many
    return found, Fraction(sum(map(len, ours)))


def _f1(metric: str, to: Mapping[Members, Members], e: Element) -> Fraction:
    return compare(metric, e, to[e])[1][2] if isinstance(e, frozenset) else Fraction(1)


def _ceaf(ours: Clusters, theirs: Clusters, to: Mapping[Members, Members], metric: str) -> Counts:
    by_size = metric == "ceafm"

    def worth(one: frozenset[Element], other: frozenset[Element]) -> Fraction:
        shared = sum((_f1(metric, to, e) for e in _meet(one, other, to)), ZERO)
        return shared if by_size else 2 * shared / (len(one) + len(other))

    def best(at: int, used: frozenset[int]) -> Fraction:
        if at == len(ours):
            return ZERO
        found = [best(at + 1, used)]
        for other, cluster in enumerate(theirs):
            if other not in used and (value := worth(ours[at], cluster)):
                found.append(value + best(at + 1, used | {other}))
        return max(found)

    total = best(0, frozenset())
    many = [Fraction(sum(map(len, side)) if by_size else len(side)) for side in (ours, theirs)]
    return total, many[0], total, many[1]


def _blanc(ours: Clusters, theirs: Clusters, to: Mapping[Members, Members], metric: str) -> Counts:
    def kinds(side: Clusters) -> tuple[int, int]:
        together = sum(len(c) * (len(c) - 1) // 2 for c in side)
        every = sum(map(len, side))
        return together, every * (every - 1) // 2 - together

    home = {e: at for at, cluster in enumerate(theirs) for e in cluster}
    there = [
        (at, home[counterpart], _f1(metric, to, e))
        for at, cluster in enumerate(ours)
        for e in cluster
        for counterpart in [to.get(e) if isinstance(e, frozenset) else e]
        if counterpart in home
    ]
    cc = nn = ZERO
    for (key, response, weight), (other_key, other_response, other) in combinations(there, 2):
        if key == other_key and response == other_response:
            cc += weight * other
        elif key != other_key and response != other_response:
            nn += weight * other
    (ck, nk), (cr, nr) = kinds(ours), kinds(theirs)
    return Fraction(ck), Fraction(cr), cc, Fraction(nk), Fraction(nr), nn


_COUNT: dict[str, Callable[[Clusters, Clusters, Mapping[Members, Members], str], Counts]] = {
    "muc": _sided(_muc),
    "b3": _sided(_b3),
    "lea": _sided(_lea),
    "ceafm": _ceaf,
    "ceafe": _ceaf,
    "blanc": _blanc,
}
METRICS = tuple(_COUNT)
