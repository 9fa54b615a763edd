"""Extended B³: mentions that are in several entities of a side.

Amigó et al. (2009). Two mentions that share sK key entities and sR response entities earn

    min(sK, sR) / sR  for precision          min(sK, sR) / sK  for recall

Precision averages this over all mentions that share a response entity with a mention (itself
included), then over the mentions of the response; recall likewise with the key. If each mention has
one entity on each side, these are precision and recall of B³. Mentions that only one side has earn
nothing and stay in the denominators.

Mentions with the same entities on both sides form a class, and classes are compared, not mentions.
A class with one entity on each side earns what its cell has, as in B³. Each other class is compared
with the classes in its cells, so the cost grows with the number of mentions as long as few mentions
of a cell are in several entities, each in others.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Bools, Floats, Ints, expand_ranges, first_of_run, pack, sum_by
from scoref.base.exact_sums import exact_sum_by
from scoref.corpus.spans import check_number_of_pairs
from scoref.exceptions import UsageError
from scoref.metrics.base import About, Metric
from scoref.metrics.bcubed import B_CUBED
from scoref.metrics.table import Table


class Memberships(NamedTuple):
    """Pairs of something that has entities, and an entity, sorted; each pair occurs once."""

    owner: Ints
    entity: Ints

    @classmethod
    def of(cls, owner: Ints, entity: Ints) -> Memberships:
        """Sort pairs."""
        order = np.lexsort((entity, owner))
        return cls(owner[order], entity[order])

    def of_owners(self, owners: Ints) -> Memberships:
        """Keep the pairs of some owners, and number these in their order."""
        number = np.full(int(max(self.owner.max(initial=-1), owners.max(initial=-1))) + 1, -1)
        number[owners] = np.arange(len(owners))
        kept = number[self.owner] >= 0
        return Memberships.of(number[self.owner[kept]], self.entity[kept])

    def sizes(self, owners: int) -> Ints:
        """Return how many entities each owner has."""
        return np.bincount(self.owner, minlength=owners)

    def number_sets(self, owners: int) -> Ints:
        """Give owners with the same entities the same number."""
        size = self.sizes(owners)
        first = np.cumsum(size) - size
        code = np.zeros(owners, dtype=np.int64)
        for place in range(int(size.max(initial=0))):
            more = np.flatnonzero(size > place)
            entity = np.zeros(owners, dtype=np.int64)
            entity[more] = self.entity[first[more] + place] + 1
            code = np.unique(pack(code, entity), return_inverse=True)[1]
        return code

    def mentions_reached(self, weight: Ints) -> Floats:
        """Return how many mentions share an entity with each owner, which has a weight of them."""
        size = self.sizes(len(weight))
        of_entity = sum_by(self.entity, weight[self.owner], 0)
        reached = np.zeros(len(weight))
        single = size[self.owner] == 1
        reached[self.owner[single]] = of_entity[self.entity[single]]
        one, other, _ = _sharing(self, Memberships.of(self.owner[~single], self.entity[~single]))
        first = first_of_run(pack(one, other))
        return reached + np.bincount(one[first], weight[other[first]], len(weight))


def _sharing(all_of: Memberships, some: Memberships) -> tuple[Ints, Ints, Ints]:
    """Return an owner of `some`, an owner that shares an entity with it, and the entity, sorted."""
    order = np.argsort(all_of.entity, kind="stable")
    low, high = (
        np.searchsorted(all_of.entity[order], some.entity, side=side) for side in ("left", "right")
    )
    check_number_of_pairs(int((high - low).sum()), len(all_of.owner))
    at, place = expand_ranges(low, high)
    one, other, shared = some.owner[at], all_of.owner[order[place]], some.entity[at]
    order = np.lexsort((shared, other, one))
    return one[order], other[order], shared[order]


def count(table: Table) -> Floats:
    """Count what mentions earn on average, and the mentions, of the key and of the response."""
    if table.rows is None:  # a histogram, which engines make of mentions in one entity
        return B_CUBED.count(table)
    unit = table.mentions.unit
    key, res = (Memberships.of(*table.mentions.memberships(side)) for side in ("key", "response"))
    if all((side.owner[1:] > side.owner[:-1]).all() for side in (key, res)):
        return B_CUBED.count(table)
    columns = []
    earned = _earned(key, res, len(unit))
    for side, values in zip((key, res), earned, strict=True):
        there = side.sizes(len(unit)) > 0
        columns += [
            exact_sum_by(unit, values, len(table.units)),
            sum_by(unit, there, len(table.units)),
        ]
    return np.column_stack(columns)


def _earned(key: Memberships, res: Memberships, rows: int) -> tuple[Floats, Floats]:
    """Return what each row earns for recall and for precision."""
    sets = key.number_sets(rows), res.number_sets(rows)
    _, first, of_row, times = np.unique(
        pack(*sets), return_index=True, return_inverse=True, return_counts=True
    )
    own = key.of_owners(first), res.of_owners(first)
    found = _shared(own[0], own[1], times)
    earned = []
    for side, of_set, shared in zip((key, res), sets, found, strict=True):
        _, one, number, weight = np.unique(
            of_set, return_index=True, return_inverse=True, return_counts=True
        )
        reached = side.of_owners(one).mentions_reached(weight)[number]
        earned.append(shared[of_row] / np.maximum(reached, 1))
    return earned[0], earned[1]


def _shared(key: Memberships, res: Memberships, times: Ints) -> tuple[Floats, Floats]:
    """Return the sums of min(sK, sR) / sK and of min(sK, sR) / sR over all mentions, by class."""
    classes = len(times)
    many = res.sizes(classes)
    end = np.cumsum(many)
    at, place = expand_ranges((end - many)[key.owner], end[key.owner])
    owner, of_key, of_res = key.owner[at], key.entity[at], res.entity[place]
    _, at, cell = np.unique(pack(of_key, of_res), return_index=True, return_inverse=True)
    key_of_cell = of_key[at]  # ascending
    in_cell = sum_by(cell, times[owner], 0)
    single: Bools = (key.sizes(classes) == 1) & (many == 1)
    alone = single[owner]
    sums = np.zeros((2, classes))
    sums[:, owner[alone]] = in_cell[cell[alone]]
    cells = Memberships.of(owner, cell)
    one, other, common = _sharing(cells, Memberships.of(owner[~alone], cell[~alone]))
    first = first_of_run(pack(one, other))
    pair = np.cumsum(first) - 1
    one, other = one[first], other[first]
    s_key = np.bincount(pair, first_of_run(pack(pair, key_of_cell[common])))
    s_res = np.bincount(pair) / s_key  # a pair shares sK times sR cells
    least = np.minimum(s_key, s_res) * times[other]
    for at_side, size in enumerate((s_key, s_res)):
        sums[at_side] += np.bincount(one, least / size, classes)
    return sums[0], sums[1]


def extended_bcubed(twinless: str = "none") -> Metric:
    """Return extended B³, which has no practices for mentions that only one side has."""
    if twinless != "none":
        raise UsageError(
            f"b3(extended) cannot be combined with twinless={twinless}",
            "choose one: a mention that only one side has earns nothing in b3(extended)",
        )
    return EXTENDED


EXTENDED = Metric(
    name="b3(extended)",
    count=count,
    by_sums=True,
    takes_several=True,
    about=About(
        title="Extended B³, for mentions in several entities",
        formula="P = mean over response mentions e of the mean over the mentions that share a"
        " response entity with e of min(sK, sR) / sR, where sK and sR are the entities that the two"
        " share in the key and in the response; R with the key and min(sK, sR) / sK",
        paper="Amigó et al. 2009; Bagga & Baldwin 1998",
        rewards="pairs of mentions that share as many entities as in the key",
        ignores="which entity is which; equal to B³ if each mention has one entity on each side",
    ),
)
