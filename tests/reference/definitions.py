"""Every metric a second time: slow, obvious, exact in fractions, straight from its definition.

Nothing here shares a line or an idea with the package: mentions are compared one by one,
links are enumerated, alignments are tried out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations

Entity = frozenset[str]
Entities = tuple[Entity, ...]
Counts = tuple[Fraction, ...]
Scores = tuple[Fraction, Fraction, Fraction]
Links = set[frozenset[str]]

ZERO, ONE = Fraction(0), Fraction(1)


def entities(partition: Sequence[Sequence[str]]) -> Entities:
    """Turn a partition into sets."""
    return tuple(frozenset(entity) for entity in partition)


def mention_set(side: Entities) -> set[str]:
    """Return all mentions of a side."""
    return {mention for entity in side for mention in entity}


def mentions(key: Entities, response: Entities) -> Counts:
    """Mentions of both sides over those of either."""
    shared = Fraction(len(mention_set(key) & mention_set(response)))
    return shared, Fraction(len(mention_set(key))), shared, Fraction(len(mention_set(response)))


def muc(key: Entities, response: Entities) -> Counts:
    """Size less number of parts over size less one."""

    def one_side(ours: Entities, theirs: Entities) -> tuple[Fraction, Fraction]:
        kept = total = 0
        for entity in ours:
            parts = {next((i for i, other in enumerate(theirs) if m in other), m) for m in entity}
            kept += len(entity) - len(parts)
            total += len(entity) - 1
        return Fraction(kept), Fraction(total)

    return *one_side(key, response), *one_side(response, key)


def b3(key: Entities, response: Entities) -> Counts:
    """Average over mentions of the share of their entity that is with them."""

    def one_side(ours: Entities, theirs: Entities) -> tuple[Fraction, Fraction]:
        total, mentions = ZERO, 0
        for entity in ours:
            for mention in entity:
                mentions += 1
                for other in theirs:
                    if mention in other:
                        total += Fraction(len(entity & other), len(entity))
        return total, Fraction(mentions)

    return *one_side(key, response), *one_side(response, key)


def ceaf(phi: Callable[[Entity, Entity], Fraction]) -> Callable[[Entities, Entities], Counts]:
    """Try every one-to-one alignment."""

    def count(key: Entities, response: Entities) -> Counts:
        @cache
        def best(first: int, used: frozenset[int]) -> Fraction:
            if first == len(key):
                return ZERO
            found = best(first + 1, used)
            for at, entity in enumerate(response):
                if at not in used and key[first] & entity:
                    value = phi(key[first], entity) + best(first + 1, used | {at})
                    found = max(found, value)
            return found

        total = best(0, frozenset())
        keys = sum((phi(entity, entity) for entity in key), ZERO)
        responses = sum((phi(entity, entity) for entity in response), ZERO)
        return total, keys, total, responses

    return count


def links_of(side: Entities) -> tuple[Links, Links]:
    """Return the coreference and the non-coreference links of a side."""
    together = {frozenset(pair) for entity in side for pair in combinations(sorted(entity), 2)}
    every = {frozenset(pair) for pair in combinations(sorted(mention_set(side)), 2)}
    return together, every - together


def pairwise(key: Entities, response: Entities) -> Counts:
    """Count common coreference links."""
    ours, theirs = links_of(key)[0], links_of(response)[0]
    common = Fraction(len(ours & theirs))
    return common, Fraction(len(ours)), common, Fraction(len(theirs))


def lea(key: Entities, response: Entities) -> Counts:
    """Importance times the share of links found; a singleton is linked to itself."""

    def one_side(ours: Entities, theirs: Entities) -> tuple[Fraction, Fraction]:
        total = ZERO
        theirs_links = links_of(theirs)[0]
        for entity in ours:
            if len(entity) == 1:
                total += entity in theirs
                continue
            links = {frozenset(pair) for pair in combinations(sorted(entity), 2)}
            total += len(entity) * Fraction(len(links & theirs_links), len(links))
        return total, Fraction(sum(len(entity) for entity in ours))

    return *one_side(key, response), *one_side(response, key)


def blanc(key: Entities, response: Entities) -> Counts:
    """Six link counts."""
    ck, nk = links_of(key)
    cr, nr = links_of(response)
    return tuple(Fraction(len(x)) for x in (ck, cr, ck & cr, nk, nr, nk & nr))


def divide(numerator: Fraction, denominator: Fraction) -> Fraction:
    """Divide, with 0/0 = 0."""
    return numerator / denominator if denominator else ZERO


def score_ratio(counts: Counts) -> Scores:
    """Score four counts."""
    recall, precision = divide(counts[0], counts[1]), divide(counts[2], counts[3])
    return recall, precision, divide(2 * recall * precision, recall + precision)


def score_blanc(counts: Counts) -> Scores:
    """Apply the reference scorer's rule: only the key decides which kinds of link count."""
    ck, cr, cc, nk, nr, nn = counts
    coreferent = score_ratio((cc, ck, cc, cr))
    other = score_ratio((nn, nk, nn, nr))
    if ck == nk == 0:
        return ZERO, ZERO, ZERO
    if ck == 0:
        return other
    if nk == 0:
        return coreferent
    recall, precision, f1 = ((a + b) / 2 for a, b in zip(coreferent, other, strict=True))
    return recall, precision, f1


def dice(one: Entity, other: Entity) -> Fraction:
    """Return phi 4."""
    return Fraction(2 * len(one & other), len(one) + len(other))


COUNT: dict[str, Callable[[Entities, Entities], Counts]] = {
    "mentions": mentions,
    "muc": muc,
    "b3": b3,
    "ceafm": ceaf(lambda one, other: Fraction(len(one & other))),
    "ceafe": ceaf(dice),
    "ceaf(phi=1)": ceaf(lambda one, other: ONE if one == other else ZERO),
    "ceaf(phi=2)": ceaf(lambda one, other: ONE if one & other else ZERO),
    "blanc": blanc,
    "lea": lea,
    "pairwise": pairwise,
}


def score(name: str, counts: Counts) -> Scores:
    """Score the counts of a metric, or the concatenated counts of the CoNLL average."""
    return score_blanc(counts) if name == "blanc" else score_ratio(counts)
