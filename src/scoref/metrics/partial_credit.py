"""CEAF with partial credit: mentions that nearly agree earn a part of what equal ones earn.

Luo (2005, section 2.2) says that similarity could look at more than equal mentions; the
formulas are ours. Two mentions are alike to a degree between 0 and 1: by the tokens they
share, times a factor where their types differ. Two entities are worth the best one-to-one
total of their mentions (phi 3), or twice that over both sizes (phi 4), times the lesser of
their class weights; the class of an entity is its best mention type.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from scoref.assignment.solver import best_alignment, best_total
from scoref.base.arrays import Floats, Ints, sum_by
from scoref.corpus.attributes import MENTION_TYPES
from scoref.corpus.spans import overlapping, shared_tokens
from scoref.exceptions import UsageError
from scoref.overlap.table import NOWHERE, PRONOUN, Rows, Side, Table

OVERLAPS: dict[str, Callable[[Ints, Ints, Ints], Floats]] = {
    "exact": lambda shared, one, other: ((shared == one) & (shared == other)).astype(np.float64),
    "dice": lambda shared, one, other: 2 * shared / (one + other),
    "min": lambda shared, one, other: shared / np.minimum(one, other),
    "jaccard": lambda shared, one, other: shared / (one + other - shared),
}


@dataclass(frozen=True, slots=True)
class Credit:
    """How alike mentions are: by tokens, by types; and what a class of entities weighs."""

    overlap: str
    confusion: tuple[float, float, float]
    class_weight: tuple[float, float, float]

    @property
    def looks_at_types(self) -> bool:
        """Whether mention types change anything."""
        return {*self.confusion, *self.class_weight} != {1.0}

    @property
    def is_exact(self) -> bool:
        """Whether only equal mentions earn anything, and all the same."""
        return self.overlap == "exact" and not self.looks_at_types


def count(table: Table, phi: int, credit: Credit) -> Floats:
    """Count the best total, and what each side would get aligned with itself."""
    rows = table.mentions
    key_weight = _class_weights(rows, "key", len(table.key_size), credit)
    response_weight = _class_weights(rows, "response", len(table.res_size), credit)
    key, response, alike = _likeness(rows, credit)
    width = max(len(table.res_size), 1)
    codes, pair = np.unique(rows.key[key] * width + rows.res[response], return_inverse=True)
    one, other = codes // width, codes % width
    worth = _best_totals(pair, key, response, alike, len(codes))
    if phi == 4:
        worth = 2 * worth / (table.key_size[one] + table.res_size[other])
    worth = worth * np.minimum(key_weight[one], response_weight[other])
    gain = best_total(one, other, worth, table.key_unit[one], len(table.units))
    itself = (table.key_size, table.res_size) if phi == 3 else (1, 1)
    keys, responses = key_weight * itself[0], response_weight * itself[1]
    return np.stack([gain, table.sum_keys(keys), gain, table.sum_responses(responses)], axis=-1)


def _likeness(rows: Rows, credit: Credit) -> tuple[Ints, Ints, Floats]:
    """Return the rows of mentions that are alike, one of each side, and how much."""
    in_key, in_response = (np.flatnonzero(e != NOWHERE) for e in (rows.key, rows.res))
    if credit.overlap == "exact":  # also of mentions that are no spans
        both = np.flatnonzero((rows.key != NOWHERE) & (rows.res != NOWHERE))
        key, response, alike = both, both, np.ones(len(both))
    else:
        ours, theirs = rows.spans("key").where(in_key), rows.spans("response").where(in_response)
        at, other = overlapping(ours, theirs)
        one, two = ours.where(at), theirs.where(other)
        alike = OVERLAPS[credit.overlap](shared_tokens(one, two), one.length, two.length)
        key, response = in_key[at], in_response[other]
    if credit.looks_at_types:
        factor = _confusion(credit)
        alike = alike * factor[_types(rows, "key")[key], _types(rows, "response")[response]]
    kept = alike > 0
    return key[kept], response[kept], alike[kept]


def _best_totals(pair: Ints, key: Ints, response: Ints, alike: Floats, pairs: int) -> Floats:
    """Return the best one-to-one total of mentions within each pair of entities."""
    width = int(max(key.max(initial=0), response.max(initial=0))) + 1
    _, row = np.unique(pair * width + key, return_inverse=True)
    _, column = np.unique(pair * width + response, return_inverse=True)
    chosen = best_alignment(row, column, alike)
    return sum_by(pair[chosen], alike[chosen], pairs)


def _confusion(credit: Credit) -> Floats:
    """Return the factor of each pair of types: one if they are equal, else as asked for."""
    name_nominal, name_pronoun, nominal_pronoun = credit.confusion
    return np.array(
        [
            [1.0, name_nominal, name_pronoun],
            [name_nominal, 1.0, nominal_pronoun],
            [name_pronoun, nominal_pronoun, 1.0],
        ]
    )


def _class_weights(rows: Rows, side: Side, entities: int, credit: Credit) -> Floats:
    if not credit.looks_at_types:
        return np.ones(entities)
    entity = rows.key if side == "key" else rows.res
    there = np.flatnonzero(entity != NOWHERE)
    best = np.full(entities, PRONOUN, dtype=np.int64)
    np.minimum.at(best, entity[there], _types(rows, side)[there])
    return np.array(credit.class_weight)[best]


def _types(rows: Rows, side: Side) -> Ints:
    """Return the types that a side gives its mentions; the two sides may not agree."""
    names = rows.attribute(side, "type")
    entity = rows.key if side == "key" else rows.res
    if names is None:
        names = np.full(len(entity), "")
    types = np.full(len(entity), NOWHERE, dtype=np.int64)
    for number, name in enumerate(MENTION_TYPES):
        types[names == name] = number
    if unknown := int(np.count_nonzero((types == NOWHERE) & (entity != NOWHERE))):
        raise UsageError(f"the type of {unknown} mentions of the {side} is not known")
    return types
