"""Plurals: entities with a split antecedent, and which antecedent of a side is which of the other.

"They" may refer to Ann and Bob, who are entities of their own. Paun et al. (2022) give such an
entity one more mention, the set of its members. A member that is a plural itself is replaced by
its own members. Plurals of one side that have the same members are one entity.

The members of an antecedent are a small partition. A metric compares the members of a key and of
a response antecedent as it compares documents: its recall, precision and F1 say how alike two
antecedents are. Antecedents are aligned one to one for the greatest total of F1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from math import fsum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Floats, Ints, expand_ranges, first_of_run
from scoref.corpus.corpus import Corpus
from scoref.corpus.split_antecedents import find_members, members_of
from scoref.metrics.assignment.solver import best_alignment
from scoref.metrics.derived_tables import cached_per_table
from scoref.metrics.table import SideName, Table

_NUDGE = 2.0**-26
"""A preference among alignments with the same total, small against differences of totals."""
_EQUAL = 1e-12


class Plurals(NamedTuple):
    """The plurals of a side, and the new numbers of its entities.

    `number` is the new number of each entity of the table, `entities` the number of new entities,
    and `entity` the new number of each plural. `plural` and `member` are pairs: a plural, and the
    number in the table of one of its members.
    """

    number: Ints
    entities: int
    entity: Ints
    plural: Ints
    member: Ints


class Merged(NamedTuple):
    """A table in which plurals of the same members are one entity, with one more mention each."""

    table: Table
    key: Plurals
    response: Plurals


@cached_per_table
def merged(table: Table) -> Merged:
    """Find the plurals of both sides, and merge those of a side that have the same members."""
    key = _plurals(table, "key", table.key_unit)
    response = _plurals(table, "response", table.res_unit)
    codes = key.number[table.cell_key] * max(response.entities, 1) + response.number[table.cell_res]
    cells, which = np.unique(codes, return_inverse=True)
    new = replace(
        table,
        key_unit=_first(key, table.key_unit),
        key_size=_sizes(key, table.key_size),
        res_unit=_first(response, table.res_unit),
        res_size=_sizes(response, table.res_size),
        cell_key=cells // max(response.entities, 1),
        cell_res=cells % max(response.entities, 1),
        count=np.bincount(which, table.count, len(cells)).astype(np.int64),
        rows=None,
    )
    return Merged(new, key, response)


def _first(plurals: Plurals, values: Ints) -> Ints:
    """Return the value of each new entity, which all entities merged into it share."""
    found = np.zeros(plurals.entities, dtype=np.int64)
    found[plurals.number] = values
    return found


def _sizes(plurals: Plurals, size: Ints) -> Ints:
    """Return the sizes of the new entities; a plural has its members as one more mention."""
    sizes = np.bincount(plurals.number, size, plurals.entities).astype(np.int64)
    sizes[plurals.entity] += 1
    return sizes


def _plurals(table: Table, side: SideName, unit: Ints) -> Plurals:
    stated = table.mentions.entity_attribute(side, "split_antecedents")
    same: dict[tuple[int, frozenset[int]], int] = {}
    number = np.arange(len(unit))
    names = table.mentions.entity_attribute(side, "name")
    if stated is not None and names is not None:
        for plural, members in _leaves(stated, names, unit).items():
            number[plural] = same.setdefault((int(unit[plural]), members), plural)
    stays = number == np.arange(len(unit))
    number = (np.cumsum(stays) - 1)[number]
    pairs = [(at, member) for at, (_, members) in enumerate(same) for member in sorted(members)]
    of_member, member_of = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    entity = number[np.fromiter(same.values(), dtype=np.int64, count=len(same))]
    return Plurals(number, int(np.count_nonzero(stays)), entity, of_member, member_of)


def unknown_members(corpus: Corpus) -> int:
    """Count the members of split antecedents that name no entity of their document."""
    return sum(members.count(None) for members in members_of(corpus).values())


def _leaves(stated: NDArray[Any], names: NDArray[Any], unit: Ints) -> dict[int, frozenset[int]]:
    """Return the members of each plural that are not plurals themselves."""
    members = {
        plural: known
        for plural, found in find_members(stated, names, unit).items()
        if (known := [at for at in found if at is not None])
    }
    return {plural: leaves for plural in members if (leaves := _expand(plural, members))}


def _expand(plural: int, members: dict[int, list[int]]) -> frozenset[int]:
    """Replace plurals by their members until none is left; cycles add nothing."""
    seen, left = {plural}, [plural]
    found = set()
    while left:
        for member in members[left.pop()]:
            if member in members and member not in seen:
                left.append(member)
            elif member not in members:
                found.add(member)
            seen.add(member)
    return frozenset(found)


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
    key_unit, key_member = _members_of(key_plurals, key_plural[first])
    res_unit, res_member = _members_of(response_plurals, response_plural[first])
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
    key_unit, key = _members_of(key_plural, np.arange(keys))
    res_unit, response = _members_of(response_plural, np.arange(responses))
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


def _members_of(plurals: Plurals, chosen: Ints) -> tuple[Ints, Ints]:
    """Return the members of some plurals in order, and the place of each member's plural."""
    low, high = (np.searchsorted(plurals.plural, chosen, side=side) for side in ("left", "right"))
    at, place = expand_ranges(low, high)
    return at, plurals.member[place]
