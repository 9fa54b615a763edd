"""The metrics of clusterings a second time: slow, obvious, straight from their papers.

Scores are (recall, precision, F1), with None for what does not exist. Entropies are in nats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from math import comb, log, sqrt

from tests.reference.definitions import Entities, links_of, mention_set

Scores = tuple[float | None, float | None, float | None]


def harmonic(recall: float, precision: float) -> float:
    """Return F1."""
    return 2 * recall * precision / (recall + precision) if recall + precision else 0.0


def entropy(side: Entities) -> float:
    """Return the entropy of the entity of a mention."""
    total = sum(map(len, side))
    return -sum(len(e) / total * log(len(e) / total) for e in side)


def conditional(side: Entities, other: Entities) -> float:
    """Return the entropy of the entity on a side if that on the other side is known."""
    total = sum(map(len, other))
    joint = [(len(a & b), len(b)) for a in side for b in other if a & b]
    return -sum(n / total * log(n / size) for n, size in joint)


def vmeasure(key: Entities, response: Entities) -> Scores:
    """Rosenberg & Hirschberg 2007."""
    if not mention_set(key):
        return None, None, None
    completeness, homogeneity = (
        1 - conditional(side, other) / entropy(side) if len(side) > 1 else 1.0
        for side, other in ((response, key), (key, response))
    )
    return completeness, homogeneity, harmonic(completeness, homogeneity)


def vi(key: Entities, response: Entities) -> Scores:
    """Meila 2007."""
    if not mention_set(key):
        return None, None, None
    return None, None, conditional(key, response) + conditional(response, key)


def ami(key: Entities, response: Entities) -> Scores:
    """Vinh et al. 2010: with the formula of the expectation, in binomial coefficients."""
    total = len(mention_set(key))
    if not total:
        return None, None, None

    def add(n: int, a: int, b: int) -> float:
        return n / total * log(Fraction(n * total, a * b)) if n else 0.0

    information = sum(add(len(k & r), len(k), len(r)) for k in key for r in response)
    expected = sum(
        add(n, len(k), len(r))
        * float(Fraction(comb(len(k), n) * comb(total - len(k), len(r) - n), comb(total, len(r))))
        for k in key
        for r in response
        for n in range(max(0, len(k) + len(r) - total), min(len(k), len(r)) + 1)
    )
    most = (entropy(key) + entropy(response)) / 2
    trivial = len(key) == len(response) and len(key) in (1, total)
    return None, None, 1.0 if trivial else (information - expected) / (most - expected)


def expected_information(key: Entities, response: Entities) -> float:
    """Average the mutual information over all permutations of the mentions."""
    mentions = sorted(mention_set(key))
    found = []
    for order in permutations(mentions):
        moved = dict(zip(mentions, order, strict=True))
        other = tuple(frozenset(moved[m] for m in e) for e in response)
        found.append(entropy(key) - conditional(key, other))
    return sum(found) / len(found)


def fowlkes_mallows(key: Entities, response: Entities) -> Scores:
    """Fowlkes & Mallows 1983, of links."""
    ours, theirs = links_of(key)[0], links_of(response)[0]
    if not ours and not theirs:
        return None, None, None
    both = len(ours) * len(theirs)
    return None, None, len(ours & theirs) / sqrt(both) if both else 0.0


def _by_best(
    worth: Callable[[frozenset[str], frozenset[str]], float], *, by_size: bool
) -> Callable[[Entities, Entities], Scores]:
    def count(key: Entities, response: Entities) -> Scores:
        found = []
        for side, other in ((key, response), (response, key)):
            total = sum(map(len, side)) if by_size else len(side)
            best = sum(max((worth(one, two) for two in other), default=0.0) for one in side)
            found.append(best / total if total else None)
        recall, precision = found
        if recall is None and precision is None:
            return None, None, None
        return recall, precision, harmonic(recall or 0.0, precision or 0.0)

    return count


purity = _by_best(lambda one, two: len(one & two), by_size=True)
closest = _by_best(lambda one, two: len(one & two) / len(one | two), by_size=False)
exact_entity = _by_best(lambda one, two: float(one == two), by_size=False)


def steps(key: Entities, response: Entities) -> tuple[int, int]:
    """Split and merge step by step, and count both (Menestrina et al. 2010, algorithm Slice)."""
    splits = merges = 0
    built: Counter[frozenset[str]] = Counter()
    for r in response:
        parts = [k for k in key if k & r]
        splits += len(parts) - 1
        for k in parts:
            merges += built[k] > 0
            built[k] += 1
    return splits, merges


DEFINITIONS: dict[str, Callable[[Entities, Entities], Scores]] = {
    "vmeasure": vmeasure,
    "vi": vi,
    "ami": ami,
    "fowlkes_mallows": fowlkes_mallows,
    "purity": purity,
    "closest": closest,
    "exact_entity": exact_entity,
}


def extended_b3(key: dict[str, set[str]], response: dict[str, set[str]]) -> Scores:
    """Amigo et al. 2009, of the entities of each mention: mention by mention."""

    def side(ours: dict[str, set[str]], theirs: dict[str, set[str]]) -> float | None:
        none, means = set[str](), []
        for one, mine in ours.items():
            earned = [
                Fraction(min(shared, len(theirs.get(one, none) & theirs.get(other, none))), shared)
                for other, others in ours.items()
                if (shared := len(mine & others))
            ]
            means.append(sum(earned) / len(earned))
        return float(sum(means) / len(means)) if means else None

    recall, precision = side(key, response), side(response, key)
    if recall is None and precision is None:
        return None, None, None
    return recall, precision, harmonic(recall or 0.0, precision or 0.0)
