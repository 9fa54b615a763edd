"""CorefEvaluator of e2e-coref a second time: cluster by cluster, in fractions.

A cluster is a list. A mention that it has twice counts twice wherever the list is counted, and a
mention of several clusters is one of the last cluster that has it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from random import Random

Cluster = Sequence[Hashable]
Clusters = Sequence[Cluster]

METRICS = ("muc", "b3", "lea", "ceafe")


def counts(metric: str, response: Clusters, key: Clusters) -> list[Fraction]:
    """Return numerator and denominator of precision, then of recall."""
    if metric == "ceafe":
        return ceafe(response, key)
    return [*one_side(metric, response, key), *one_side(metric, key, response)]


def one_side(metric: str, clusters: Clusters, others: Clusters) -> tuple[Fraction, Fraction]:
    """Return what the other side confirms of some clusters, and what there is to confirm."""
    place = {mention: at for at, cluster in enumerate(others) for mention in cluster}
    found = total = Fraction(0)
    for cluster in clusters:
        size = len(cluster)
        places = [place[mention] for mention in cluster if mention in place]
        times = Counter(places)
        if metric == "muc":
            found += len(places) - len(times)
            total += size - 1
            continue
        if size == 1:
            continue
        total += size
        if metric == "b3":
            squares = (many**2 for at, many in times.items() if len(others[at]) > 1)
            found += Fraction(sum(squares), size)
        else:
            together = sum(one == other for one, other in combinations(places, 2))
            found += Fraction(2 * size * together, size * (size - 1))
    return found, total


def ceafe(response: Clusters, key: Clusters) -> list[Fraction]:
    """Try all alignments of key clusters with the response clusters that are not singletons."""
    response = [cluster for cluster in response if len(cluster) != 1]
    worth = [[phi4(one, other) for other in response] for one in key]
    if len(key) > len(response):
        worth = [list(column) for column in zip(*worth, strict=True)]
    rows, columns = sorted((len(key), len(response)))
    best = max(
        sum((worth[row][column] for row, column in enumerate(order)), Fraction(0))
        for order in permutations(range(columns), rows)
    )
    return [best, Fraction(len(response)), best, Fraction(len(key))]


def phi4(key: Cluster, response: Cluster) -> Fraction:
    """Return the similarity, which counts every mention of the key cluster, repeats included."""
    shared = sum(mention in response for mention in key)
    return Fraction(2 * shared, len(key) + len(response))


def draw_hostile(random: Random) -> tuple[list[list[int]], list[list[int]]]:
    """Draw response and key of a document: repeats, singletons, equal clusters, empty sides."""

    def side() -> list[list[int]]:
        if random.random() < 0.05:
            return []
        mentions = random.choice((2, 4, 8, 16))
        sizes = [random.choice((1, 1, 2, 3, 5)) for _ in range(random.randint(1, 5))]
        drawn = [[random.randrange(mentions) for _ in range(size)] for size in sizes]
        if random.random() < 0.2:
            drawn[-1] = list(random.choice(drawn))
        return drawn

    response, key = side(), side()
    return response, [list(one) for one in response] if random.random() < 0.1 else key
