"""Matching of zeros, mentions whose head is an empty node, by their dependencies.

Systems differ in where they insert empty nodes, so zeros are not matched by position. The
similarity of two zeros of a sentence is ten times the F1 of their parents with relations, plus the
F1 of their parents alone to break ties, as in CorefUD's scorer.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Ints
from scoref.corpus.corpus import Corpus
from scoref.corpus.spans import Spans, text_order
from scoref.matching.document_pairing import PairedCorpora
from scoref.metrics.assignment.solver import best_alignment


class Zero(NamedTuple):
    """A zero: its row, its document and sentence, and its parents with and without relations."""

    row: int
    place: tuple[int, str]
    relations: frozenset[tuple[str, str]]
    parents: frozenset[str]


def match_zeros(sides: PairedCorpora, partner: Ints) -> bool:
    """Match the zeros of both sides by changing `partner`, and return whether any matched."""
    by_place: dict[tuple[int, str], list[Zero]] = {}
    for zero in zeros_of(sides.response, sides.document):
        by_place.setdefault(zero.place, []).append(zero)
    edges = [
        (one.row, other.row, similarity)
        for one in zeros_of(sides.key, sides.key.document)
        for other in by_place.get(one.place, ())
        if (similarity := _similarity(one, other)) > 0
    ]
    if not edges:
        return False
    key, response, weight = map(np.array, zip(*edges, strict=True))
    # Of equal totals, zeros that are earlier in the text match, in whichever order a file has them.
    key_rank, response_rank = (
        text_order(Spans(document, side.start, side.end, side.attributes.get("nodes")))
        for side, document in ((sides.key, sides.key.document), (sides.response, sides.document))
    )
    order = np.lexsort((response_rank[response], key_rank[key]))
    key, response, weight = key[order], response[order], weight[order]
    chosen = best_alignment(key_rank[key], response_rank[response], weight)
    partner[key[chosen]] = response[chosen]
    return True


def _similarity(one: Zero, other: Zero) -> float:
    return 10 * _f1(one.relations, other.relations) + _f1(one.parents, other.parents)


def _f1(one: frozenset[object], other: frozenset[object]) -> float:
    return 2 * len(one & other) / (len(one) + len(other)) if one or other else 0.0


def zeros_of(corpus: Corpus, document: Ints) -> list[Zero]:
    """Return the zeros of a side whose dependencies are known."""
    dependencies = corpus.attributes.get("zero_deps")
    if dependencies is None:
        return []
    zeros = []
    for row in np.flatnonzero(dependencies != "").tolist():
        sentence, _, text = str(dependencies[row]).partition(" ")
        pairs = [part.partition(":") for part in text.split("|") if ":" in part]
        relations = frozenset((parent, relation) for parent, _, relation in pairs)
        parents = frozenset(parent for parent, _ in relations)
        zeros.append(Zero(row, (int(document[row]), sentence), relations, parents))
    return zeros
