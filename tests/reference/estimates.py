"""Estimates from a sample, in exact fractions, record by record: the second implementation.

The definitions are those of the manual's page on statistics, with sums over records and pairs
instead of sums over cells.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations

Entity = Sequence[str]
Terms = tuple[Fraction, Fraction]


def terms(entity: Entity, response: Sequence[Entity]) -> dict[str, Terms]:
    """Return what an entity adds to numerator and denominator of each score."""
    of = {record: frozenset(one) for one in response for record in one}
    pairs = list(combinations(entity, 2))
    found = Fraction(sum(of[one] == of[other] for one, other in pairs))
    wrong = Fraction(sum(len(of[one] - set(entity)) for one in entity), 2)
    size, parts = Fraction(len(entity)), len({of[one] for one in entity})
    shared = {record: Fraction(len(of[record] & set(entity))) for record in entity}
    exact = Fraction(of[entity[0]] == frozenset(entity))
    per_record = Fraction(len(response), sum(map(len, response)))
    resolved = exact if len(entity) == 1 else found / len(pairs)
    return {
        "pairwise recall": (found, Fraction(len(pairs))),
        "pairwise precision": (found, found + wrong),
        "pairwise f1": (found, (len(pairs) + found + wrong) / 2),
        "b3 recall": (sum((n / size for n in shared.values()), Fraction(0)), size),
        "b3 precision": (
            sum((n / len(of[record]) for record, n in shared.items()), Fraction(0)),
            size,
        ),
        "exact_entity recall": (exact, Fraction(1)),
        "exact_entity precision": (exact, size * per_record),
        "exact_entity f1": (exact, (1 + size * per_record) / 2),
        "muc recall": (size - parts, size - 1),
        "lea recall": (size * resolved, size),
    }


def ratio(found: Sequence[Terms], weights: Sequence[Fraction]) -> tuple[Fraction, Fraction] | None:
    """Return the corrected ratio and its variance, or None if it is undefined."""
    b = [w * one[0] for w, one in zip(weights, found, strict=True)]
    a = [w * one[1] for w, one in zip(weights, found, strict=True)]
    m = len(found)
    mean_a, mean_b = sum(a, Fraction(0)) / m, sum(b, Fraction(0)) / m
    if not mean_a:
        return None
    value, variance = mean_b / mean_a, Fraction(0)
    if m > 1 and mean_b:
        both = [(x / mean_a, y / mean_b) for x, y in zip(a, b, strict=True)]
        bias = sum((x * (v - u) for x, (u, v) in zip(a, both, strict=True)), Fraction(0)) / m
        squares = sum(((u - v) ** 2 for u, v in both), Fraction(0))
        variance = value**2 * squares / (m * (m - 1))
        value *= 1 + bias / ((m - 1) * mean_a)
    return value, variance


def estimates(
    sample: Mapping[str, Entity], response: Sequence[Entity], weights: Mapping[str, Fraction]
) -> dict[str, tuple[Fraction, Fraction] | None]:
    """Return estimates and variances by score."""
    every = [terms(entity, response) for entity in sample.values()]
    of = [weights[name] for name in sample]
    return {name: ratio([one[name] for one in every], of) for name in every[0]}
