"""Plurals: entities with a split antecedent, and the entities that the antecedent consists of.

"They" may refer to Ann and Bob, who are entities of their own. Paun et al. (2022) give such an
entity one more mention, the set of its members. A member that is a plural itself is replaced by
its own members. Plurals of one side that have the same members are one entity.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Ints
from scoref.corpus.corpus import Corpus
from scoref.metrics.table import Side, Table
from scoref.metrics.table_cache import cached_per_table


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


def _plurals(table: Table, side: Side, unit: Ints) -> Plurals:
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
    stated = corpus.entity_attributes.get("split_antecedents")
    if stated is None:
        return 0
    unit = np.zeros(corpus.entity_count, dtype=np.int64)
    unit[corpus.entity] = corpus.document
    names = np.array([str(name) for name in corpus.entity_names], dtype=np.str_)
    return sum(members.count(None) for members in _members(stated, names, unit).values())


def _members(stated: NDArray[Any], names: NDArray[Any], unit: Ints) -> dict[int, list[int | None]]:
    """Return the members that plurals name, or None for a name without an entity."""
    known = {
        (document, name): at
        for at, (document, name) in enumerate(zip(unit.tolist(), names.tolist(), strict=True))
    }

    def find(document: int, name: str) -> int | None:
        # CorefUD may add a relation after a colon.
        return known.get((document, name), known.get((document, name.partition(":")[0])))

    return {
        plural: [find(int(unit[plural]), name) for name in str(stated[plural]).split(",")]
        for plural in np.flatnonzero(stated != "").tolist()
    }


def _leaves(stated: NDArray[Any], names: NDArray[Any], unit: Ints) -> dict[int, frozenset[int]]:
    """Return the members of each plural that are not plurals themselves."""
    members = {
        plural: known
        for plural, found in _members(stated, names, unit).items()
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
