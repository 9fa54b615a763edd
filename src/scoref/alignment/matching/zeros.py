"""Matching of zeros, mentions whose head is an empty node, by what they depend on.

Systems put empty nodes at places of their own, so position says little. Two zeros of a
sentence are alike by the parents and relations that they share: ten times the F1 of both, and
the F1 of the parents alone to break ties, as in CorefUD's scorer.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scoref.alignment.matching.sides import Sides
from scoref.assignment.solver import best_alignment
from scoref.base.arrays import Ints
from scoref.corpus.corpus import Corpus


class Zero(NamedTuple):
    """A zero: its row, its document and sentence, its parents with and without relations."""

    row: int
    place: tuple[int, str]
    relations: frozenset[tuple[str, str]]
    parents: frozenset[str]


def match_zeros(sides: Sides, partner: Ints) -> bool:
    """Match the zeros of both sides, in place, and say whether any was."""
    ours = zeros_of(sides.key, sides.key.document)
    theirs = zeros_of(sides.response, sides.document)
    by_place: dict[tuple[int, str], list[Zero]] = {}
    for zero in theirs:
        by_place.setdefault(zero.place, []).append(zero)
    edges = [
        (one.row, other.row, worth)
        for one in ours
        for other in by_place.get(one.place, ())
        if (worth := _likeness(one, other)) > 0
    ]
    if not edges:
        return False
    key, response = (np.array([edge[at] for edge in edges]) for at in (0, 1))
    chosen = best_alignment(key, response, np.array([worth for *_, worth in edges]))
    partner[key[chosen]] = response[chosen]
    return True


def _likeness(one: Zero, other: Zero) -> float:
    return 10 * _f1(one.relations, other.relations) + _f1(one.parents, other.parents)


def _f1(one: frozenset[object], other: frozenset[object]) -> float:
    return 2 * len(one & other) / (len(one) + len(other)) if one or other else 0.0


def zeros_of(corpus: Corpus, document: Ints) -> list[Zero]:
    """Return the zeros of a side whose dependencies it tells."""
    told = corpus.attributes.get("zero_deps")
    if told is None:
        return []
    zeros = []
    for row in np.flatnonzero(told != "").tolist():
        sentence, _, text = str(told[row]).partition(" ")
        pairs = [part.partition(":") for part in text.split("|") if ":" in part]
        relations = frozenset((parent, relation) for parent, _, relation in pairs)
        parents = frozenset(parent for parent, _ in relations)
        zeros.append(Zero(row, (int(document[row]), sentence), relations, parents))
    return zeros
