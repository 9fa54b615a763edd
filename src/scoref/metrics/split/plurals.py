"""Plurals: entities with a split antecedent, and the entities that this is made of.

"They" may stand for Ann and Bob, who are entities of their own. Paun et al. (2022) give such an
entity one more mention, the set of its members; a member that is a plural itself is replaced by
its own members. Of one side, plurals of the same set are one entity.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Ints
from scoref.corpus.corpus import Corpus
from scoref.overlap.table import Side, Table, cached_per_table


class Plurals(NamedTuple):
    """The plurals of a side, and what becomes of its entities.

    `number` is the new number of each entity of the table, `entities` how many there are then,
    and `entity` the new number of each plural. `plural` and `member` are pairs: a plural, and the
    number in the table of an entity that it is made of.
    """

    number: Ints
    entities: int
    entity: Ints
    plural: Ints
    member: Ints


class Merged(NamedTuple):
    """A table in which plurals of the same set are one, with one more mention each."""

    table: Table
    key: Plurals
    response: Plurals


@cached_per_table
def merged(table: Table) -> Merged:
    """Look the plurals of both sides up, and merge those of a side that are the same."""
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
    """Return of each new entity what all that were merged into it have."""
    found = np.zeros(plurals.entities, dtype=np.int64)
    found[plurals.number] = values
    return found


def _sizes(plurals: Plurals, size: Ints) -> Ints:
    """Return the sizes of the new entities; the set of its members is a mention of a plural."""
    sizes = np.bincount(plurals.number, size, plurals.entities).astype(np.int64)
    sizes[plurals.entity] += 1
    return sizes


def _plurals(table: Table, side: Side, unit: Ints) -> Plurals:
    told = table.mentions.entity_attribute(side, "split_antecedents")
    same: dict[tuple[int, frozenset[int]], int] = {}
    number = np.arange(len(unit))
    names = table.mentions.entity_attribute(side, "name")
    if told is not None and names is not None:
        for plural, members in _leaves(told, names, unit).items():
            number[plural] = same.setdefault((int(unit[plural]), members), plural)
    stays = number == np.arange(len(unit))
    number = (np.cumsum(stays) - 1)[number]
    pairs = [(at, member) for at, (_, members) in enumerate(same) for member in sorted(members)]
    of_member, member_of = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    entity = number[np.fromiter(same.values(), dtype=np.int64, count=len(same))]
    return Plurals(number, int(np.count_nonzero(stays)), entity, of_member, member_of)


def unknown_members(corpus: Corpus) -> int:
    """Count the members of split antecedents that no entity of their document has for a name."""
    told = corpus.entity_attributes.get("split_antecedents")
    if told is None:
        return 0
    unit = np.zeros(corpus.entity_count, dtype=np.int64)
    unit[corpus.entity] = corpus.document
    names = np.array([str(name) for name in corpus.entity_names], dtype=np.str_)
    return sum(members.count(None) for members in _members(told, names, unit).values())


def _members(told: NDArray[Any], names: NDArray[Any], unit: Ints) -> dict[int, list[int | None]]:
    """Return the entities that plurals name as their members, or None for those that are none."""
    known = {
        (document, name): at
        for at, (document, name) in enumerate(zip(unit.tolist(), names.tolist(), strict=True))
    }

    def find(document: int, name: str) -> int | None:
        # CorefUD may name a relation behind a colon.
        return known.get((document, name), known.get((document, name.partition(":")[0])))

    return {
        plural: [find(int(unit[plural]), name) for name in str(told[plural]).split(",")]
        for plural in np.flatnonzero(told != "").tolist()
    }


def _leaves(told: NDArray[Any], names: NDArray[Any], unit: Ints) -> dict[int, frozenset[int]]:
    """Return the entities that each plural is made of; a plural is never among them."""
    members = {
        plural: [at for at in found if at is not None]
        for plural, found in _members(told, names, unit).items()
    }
    members = {plural: found for plural, found in members.items() if found}
    leaves = {plural: _expand(plural, members) for plural in members}
    return {plural: found for plural, found in leaves.items() if found}


def _expand(plural: int, members: dict[int, list[int]]) -> frozenset[int]:
    """Replace plurals by their members until none is left; what leads to itself adds nothing."""
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
