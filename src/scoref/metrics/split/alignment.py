"""Which split antecedent of the response is which of the key, and how alike the two are.

The members of an antecedent are a small partition. A metric compares the members of a key and of
a response antecedent as it compares documents: its recall, precision and F1 say how alike two
antecedents are. Antecedents are aligned one to one for the greatest total of F1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import fsum
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Floats, Ints, first_of_run
from scoref.metrics.assignment.solver import best_alignment
from scoref.metrics.split.plurals import Plurals, merged
from scoref.metrics.table import Table
from scoref.metrics.table_cache import cached_per_table

_NUDGE = 2.0**-26
"""A preference among alignments with the same total, small against differences of totals."""
_EQUAL = 1e-12


class AntecedentPairs(NamedTuple):
    """Pairs of antecedents that share a mention; `table` compares the members of each.

    A pair is a unit of the table.
    """

    key: Ints
    response: Ints
    table: Table


class Alike(NamedTuple):
    """Aligned pairs of antecedents: plurals, their scores as (pairs, 3), and what was counted."""

    key: Ints
    response: Ints
    score: Floats
    counts: Floats


def align(
    table: Table, count: Callable[[Table], Floats], score: Callable[[Floats], Floats]
) -> Alike:
    """Align the antecedents of each unit of a table by the scores of a metric."""
    return next(best_alignments(table, count, score))


def best_alignments(
    table: Table, count: Callable[[Table], Floats], score: Callable[[Floats], Floats]
) -> Iterator[Alike]:
    """Yield the alignment of antecedents, and then others with the same total, if there are any.

    Others are found by preferring earlier or later pairs, or pairs of more or less recall, by less
    than any difference of their totals.
    """
    pairs = _pairs(table)
    counts = count(pairs.table)
    scores = np.nan_to_num(score(counts))
    at = np.flatnonzero(scores[:, 2] > 0)
    key, response, weight = pairs.key[at], pairs.response[at], scores[at, 2]
    order = np.arange(len(at)) / max(len(at), 1)
    greatest = None
    for nudge in (0 * order, order, -order, scores[at, 0], -scores[at, 0]):
        chosen = best_alignment(key, response, weight + _NUDGE * nudge)
        total = fsum(weight[chosen])
        greatest = total if greatest is None else greatest
        if abs(total - greatest) <= _EQUAL * max(greatest, 1):
            best = at[chosen]
            yield Alike(pairs.key[best], pairs.response[best], scores[best], counts[best])


@cached_per_table
def _pairs(table: Table) -> AntecedentPairs:
    """Find all pairs of antecedents whose members share a mention."""
    _, key_plurals, response_plurals = merged(table)
    of_key, of_response = _by_member(key_plurals), _by_member(response_plurals)
    in_key, in_response = (
        np.isin(cell, plurals.member)
        for cell, plurals in ((table.cell_key, key_plurals), (table.cell_res, response_plurals))
    )
    columns = np.stack([table.cell_key, table.cell_res, table.count])[:, in_key & in_response]
    met = sorted(
        (key_plural, response_plural, key, response, count)
        for key, response, count in columns.T.tolist()
        for key_plural in of_key[key]
        for response_plural in of_response[response]
    )
    key_plural, response_plural, key, response, count = np.array(met, int).reshape(-1, 5).T
    first = first_of_run(key_plural) | first_of_run(response_plural)
    unit = np.cumsum(first) - 1
    key_unit, key_member = _members(key_plurals, key_plural[first])
    res_unit, res_member = _members(response_plurals, response_plural[first])
    # Members of a pair are adjacent and sorted, so that a place can be looked up.
    wide, far = len(table.key_size) + 1, len(table.res_size) + 1
    return AntecedentPairs(
        key_plural[first],
        response_plural[first],
        Table(
            units=("",) * int(np.count_nonzero(first)),
            key_unit=key_unit,
            key_size=table.key_size[key_member],
            res_unit=res_unit,
            res_size=table.res_size[res_member],
            cell_key=np.searchsorted(key_unit * wide + key_member, unit * wide + key),
            cell_res=np.searchsorted(res_unit * far + res_member, unit * far + response),
            count=count,
        ),
    )


def alone(table: Table) -> tuple[Table, Table]:
    """Return a table of the antecedents of each side, one per unit, with an empty other side."""
    none = np.zeros(0, dtype=np.int64)
    _, key_plural, response_plural = merged(table)
    keys, responses = len(key_plural.entity), len(response_plural.entity)
    key_unit, key = _members(key_plural, np.arange(keys))
    res_unit, response = _members(response_plural, np.arange(responses))
    key_size, res_size = table.key_size[key], table.res_size[response]
    return (
        Table(("",) * keys, key_unit, key_size, none, none, none, none, none),
        Table(("",) * responses, none, none, res_unit, res_size, none, none, none),
    )


def _by_member(plurals: Plurals) -> dict[int, list[int]]:
    """List the plurals that each entity is a member of."""
    found: dict[int, list[int]] = {}
    for plural, member in zip(plurals.plural.tolist(), plurals.member.tolist(), strict=True):
        found.setdefault(member, []).append(plural)
    return found


def _members(plurals: Plurals, chosen: Ints) -> tuple[Ints, Ints]:
    """Return the members of some plurals in order, and the place of each member's plural."""
    start = np.searchsorted(plurals.plural, chosen)
    many = np.searchsorted(plurals.plural, chosen, side="right") - start
    at = np.repeat(np.arange(len(chosen)), many)
    offset = np.arange(len(at)) - np.repeat(np.cumsum(many) - many, many)
    return at, plurals.member[np.repeat(start, many) + offset]
