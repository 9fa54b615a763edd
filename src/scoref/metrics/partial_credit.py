"""CEAF with partial credit: mentions that nearly agree earn a part of what equal ones earn.

Luo (2005, section 2.2) says that a similarity may use more than equal mentions. The formulas were
defined for scoref. The likeness of two mentions is between 0 and 1: it is the overlap of their
tokens, times a factor where their types differ. Two entities are worth the best one-to-one total of
their mentions (phi 3), or twice this total over both sizes (phi 4), times the lesser of their class
weights. The class of an entity is its best mention type.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial

import numpy as np

from scoref.base.arrays import Floats, Ints
from scoref.corpus.attributes import MENTION_TYPES
from scoref.corpus.spans import overlapping, shared_tokens
from scoref.exceptions import UsageError
from scoref.metrics.base import Count, ratio_counts
from scoref.metrics.names import not_negative, one_of
from scoref.metrics.needs import SPANS, TYPES
from scoref.metrics.single_mentions import (
    best_totals_within,
    best_type_by,
    group_pairs,
    mentions_of,
)
from scoref.metrics.table import NOWHERE, MentionRows, SideName, Table

OVERLAPS: dict[str, Callable[[Ints, Ints, Ints], Floats]] = {
    "exact": lambda shared, one, other: ((shared == one) & (shared == other)).astype(np.float64),
    "dice": lambda shared, one, other: 2 * shared / (one + other),
    "min": lambda shared, one, other: shared / np.minimum(one, other),
    "jaccard": lambda shared, one, other: shared / (one + other - shared),
}
_WEIGHTS = ("nam_nom", "nam_pro", "nom_pro", "nam", "nom", "pro")

MEANING = (
    "|k and r| is the best one-to-one total of how alike their mentions are: the overlap of their"
    " tokens, times the weight of their types where these differ; phi is multiplied by the lesser"
    " class weight of k and r"
)
"""What a formula of CEAF means with partial credit."""


@dataclass(frozen=True, slots=True)
class Credit:
    """How alike mentions are, by tokens and by types, and what a class of entities weighs."""

    overlap: str
    nam_nom: float = 1.0
    nam_pro: float = 1.0
    nom_pro: float = 1.0
    nam: float = 1.0
    nom: float = 1.0
    pro: float = 1.0

    def __post_init__(self) -> None:
        one_of("ceaf", "overlap", self.overlap, tuple(OVERLAPS))
        not_negative("ceaf", **{name: getattr(self, name) for name in _WEIGHTS})
        if above := [name for name in _WEIGHTS[:3] if getattr(self, name) > 1]:
            raise UsageError(f"ceaf has no {above[0]} above 1: equal types earn 1")

    @property
    def confusion(self) -> tuple[float, float, float]:
        """The factors for two mentions of different types."""
        return self.nam_nom, self.nam_pro, self.nom_pro

    @property
    def class_weight(self) -> tuple[float, float, float]:
        """The weights of entities by their best mention type."""
        return self.nam, self.nom, self.pro

    @property
    def uses_types(self) -> bool:
        """Whether mention types change the credit."""
        return {*self.confusion, *self.class_weight} != {1.0}

    @property
    def is_exact(self) -> bool:
        """Whether only equal mentions earn credit, all the same."""
        return self.overlap == "exact" and not self.uses_types

    @property
    def needs(self) -> frozenset[str]:
        """What the corpus must have."""
        spans = {SPANS} if self.overlap != "exact" else set()
        return frozenset(spans | ({TYPES} if self.uses_types else set()))


@cache
def counting(phi: int, credit: Credit) -> Count:
    """Return the counting function of a similarity; the same function each time."""
    if phi not in (3, 4):
        raise UsageError(f"ceaf(phi={phi}) has no partial credit", "use phi=3 or phi=4")
    return partial(count, phi=phi, credit=credit)


def count(table: Table, phi: int, credit: Credit) -> Floats:
    """Count the best total, and what each side would get aligned with itself."""
    rows = table.mentions
    key_weight = _class_weights(rows, "key", len(table.key_size), credit)
    response_weight = _class_weights(rows, "response", len(table.res_size), credit)
    key, response, likeness = _alike(rows, credit)
    one, other, pair = group_pairs(rows.key[key], rows.res[response])
    worth = best_totals_within(pair, len(one), key, response, likeness)
    if phi == 4:
        worth = 2 * worth / (table.key_size[one] + table.res_size[other])
    worth = worth * np.minimum(key_weight[one], response_weight[other])
    gain = table.sum_aligned(worth, (one, other))
    if phi == 3:
        key_weight, response_weight = key_weight * table.key_size, response_weight * table.res_size
    return ratio_counts(table, gain, key_weight, gain, response_weight)


def _alike(rows: MentionRows, credit: Credit) -> tuple[Ints, Ints, Floats]:
    """Return the rows of mentions that are alike, one of each side, and how alike they are."""
    if credit.overlap == "exact":  # also for mentions that are not spans
        both = np.flatnonzero((rows.key != NOWHERE) & (rows.res != NOWHERE))
        key, response, likeness = both, both, np.ones(len(both))
    else:
        key, response = mentions_of(rows, "key"), mentions_of(rows, "response")
        in_key, in_response = rows.spans("key").where(key), rows.spans("response").where(response)
        at, other = overlapping(in_key, in_response)
        one, two = in_key.where(at), in_response.where(other)
        likeness = OVERLAPS[credit.overlap](shared_tokens(one, two), one.length, two.length)
        key, response = key[at], response[other]
    if credit.uses_types:
        factor = np.ones((3, 3))
        one_type, other_type = np.triu_indices(3, 1)
        factor[one_type, other_type] = factor[other_type, one_type] = credit.confusion
        likeness = likeness * factor[_types(rows, "key")[key], _types(rows, "response")[response]]
    kept = likeness > 0
    return key[kept], response[kept], likeness[kept]


def _class_weights(rows: MentionRows, side: SideName, entities: int, credit: Credit) -> Floats:
    if not credit.uses_types:
        return np.ones(entities)
    at = mentions_of(rows, side)
    entity = (rows.key if side == "key" else rows.res)[at]
    return np.array(credit.class_weight)[best_type_by(entity, _types(rows, side)[at], entities)]


def _types(rows: MentionRows, side: SideName) -> Ints:
    """Return the types that a side gives its mentions; the two sides may disagree."""
    names = rows.attribute(side, "type")
    if names is None:
        names = np.full(len(rows.unit), "")
    types = np.full(len(names), NOWHERE, dtype=np.int64)
    for number, name in enumerate(MENTION_TYPES):
        types[names == name] = number
    if unknown := int(np.count_nonzero(types[mentions_of(rows, side)] == NOWHERE)):
        raise UsageError(f"the type of {unknown} mentions of the {side} is not known")
    return types
