"""How alike mentions are, and which of them the total of two entities takes."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from scoref.corpus.spans import overlapping, shared_tokens
from scoref.explanation.expressions import ONE, decimal
from scoref.explanation.inside import best_inside
from scoref.explanation.scene import Scene
from scoref.metrics.partial_credit import Credit
from scoref.overlap.table import NOWHERE, Side

OVERLAPS: dict[str, tuple[str, Callable[[int, int, int], Fraction]]] = {
    "dice": ("2o/(a + b)", lambda o, a, b: Fraction(2 * o, a + b)),
    "min": ("o over the lesser of a and b", lambda o, a, b: Fraction(o, min(a, b))),
    "jaccard": ("o/(a + b - o)", lambda o, a, b: Fraction(o, a + b - o)),
}
SIDES: tuple[Side, Side] = ("key", "response")


class Edge(NamedTuple):
    """A key mention and a response mention that are alike."""

    key: int
    response: int
    shared: int
    lengths: tuple[int, int]
    factor: Fraction
    alike: Fraction


def confuses(credit: Credit) -> bool:
    """Whether types that differ cost something."""
    return set(credit.confusion) != {1.0}


def types_of(scene: Scene, side: Side) -> list[str]:
    """Return the type that a side gives each of its mentions."""
    names = scene.rows.attribute(side, "type")
    return [""] * len(scene.key) if names is None else [str(name) for name in names.tolist()]


def find_edges(scene: Scene, credit: Credit) -> list[Edge]:
    """Find the mentions that are alike, and how much."""
    kinds, other_kinds = (types_of(scene, side) for side in SIDES)
    edges = []
    for key, response, shared, lengths, alike in _overlaps(scene, credit.overlap):
        factor = _factor(kinds[key], other_kinds[response], credit)
        if factor > 0:
            edges.append(Edge(key, response, shared, lengths, factor, alike * factor))
    return sorted(edges, key=lambda edge: (edge.key, edge.response))


def _overlaps(scene: Scene, overlap: str) -> list[tuple[int, int, int, tuple[int, int], Fraction]]:
    """List the mentions that share tokens: rows, tokens shared, lengths, and how alike they are."""
    ours, theirs = (np.flatnonzero(side != NOWHERE) for side in (scene.key, scene.res))
    if overlap == "exact":
        return [(row, row, 1, (1, 1), ONE) for row in np.intersect1d(ours, theirs).tolist()]
    one, two = scene.rows.spans("key").where(ours), scene.rows.spans("response").where(theirs)
    at, other = overlapping(one, two)
    one, two = one.where(at), two.where(other)
    rows = zip(
        ours[at].tolist(),
        theirs[other].tolist(),
        shared_tokens(one, two).tolist(),
        one.length.tolist(),
        two.length.tolist(),
        strict=True,
    )
    alike = OVERLAPS[overlap][1]
    return [(key, response, o, (a, b), alike(o, a, b)) for key, response, o, a, b in rows]


def _factor(one: str, other: str, credit: Credit) -> Fraction:
    """Return what is left where two types are confused."""
    if one == other or not confuses(credit):
        return ONE
    confused = [{"name", "nominal"}, {"name", "pronoun"}, {"nominal", "pronoun"}]
    return decimal(credit.confusion[confused.index({one, other})])


def matched_edges(scene: Scene, edges: list[Edge]) -> list[bool]:
    """Mark the edges of the best one-to-one total of each pair of entities."""
    of_edge = entities_of(scene, edges)
    number = {pair: at for at, pair in enumerate(sorted(set(of_edge)))}
    return best_inside(
        [number[pair] for pair in of_edge],
        [edge.key for edge in edges],
        [edge.response for edge in edges],
        [float(edge.alike) for edge in edges],
    )


def entities_of(scene: Scene, edges: list[Edge]) -> list[tuple[int, int]]:
    """Return the entities of each edge."""
    ours, theirs = scene.key.tolist(), scene.res.tolist()
    return [(ours[edge.key], theirs[edge.response]) for edge in edges]
