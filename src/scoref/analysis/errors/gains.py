"""The gain of each single repair: what a metric gains if one error is repaired and no other.

As in `Errors.repairs`, span errors are repaired in the response as it is, and other errors in the
response with corrected spans.

A repair changes the entities of one error. All other entities count as before, except for the
best alignment of CEAF, which can change wherever entities are connected by shared mentions. So
each error has a table of its own with the entities that are connected to it, before and after its
repair. The tables of many errors are the units of one large table, which a metric counts at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from scoref.analysis.aligned_mentions import AlignedMentions
from scoref.analysis.blame import decomposes
from scoref.analysis.errors import kinds as k
from scoref.analysis.errors.collection import Errors
from scoref.base.arrays import Bools, Floats, Ints
from scoref.base.exact_sums import exact_sum
from scoref.counts.counts import Counts
from scoref.metrics import Metric
from scoref.metrics.assignment.solver import Edges, settle
from scoref.metrics.base import F1, count_units
from scoref.metrics.ceaf import phis_of, similarity
from scoref.metrics.table import NOWHERE, Table

NEW = -2
"""The response entity of mentions that form a new entity."""
_AT_ONCE = 1_000_000  # cells in memory
_SOLVER = 20
"""The time of a cell that CEAF leaves to a solver, in units of a cell that it settles itself."""


@dataclass(frozen=True, eq=False)
class SingleRepairs:
    """Repairs in terms of a table: mentions move to another entity, to a new one, or vanish.

    `count` mentions of key entity `key` leave response entity `leaves` and join `joins`; NOWHERE
    means that the mentions are not in the key, or not in the response before or after. Repairs of
    `spans` move nothing: the response mention that stays in its entity becomes the key mention.
    """

    key: Ints
    leaves: Ints
    joins: Ints
    count: Ints
    spans: bool

    def __len__(self) -> int:
        return len(self.key)

    def take(self, which: slice) -> SingleRepairs:
        """Return some of the repairs."""
        columns = {name: getattr(self, name)[which] for name in ("key", "leaves", "joins", "count")}
        return replace(self, **columns)


class ConnectedEntities:
    """The entities and cells of a table by what they are connected with, or by document."""

    def __init__(self, table: Table, metric: Metric) -> None:
        self.table = table
        local = decomposes(metric)
        by_document = table.key_unit, table.res_unit, len(table.units)
        self.of_key, self.of_res, groups = _components(table) if local else by_document
        cell_group = self.of_key[table.cell_key]
        self.keys, self.ress, self.cells = (
            _Grouped(group, groups) for group in (self.of_key, self.of_res, cell_group)
        )
        self._size = self.cells.size + self.keys.size + self.ress.size
        self._work = self._size + _SOLVER * np.bincount(
            cell_group[unsettled(table, metric)], minlength=groups
        )

    def groups_of(self, repairs: SingleRepairs) -> tuple[Ints, Ints]:
        """Return the groups that each repair touches: of its key, and of its response entities."""
        res = np.where(repairs.leaves != NOWHERE, repairs.leaves, np.maximum(repairs.joins, -1))
        of_key = np.append(self.of_key, NOWHERE)[repairs.key]
        of_res = np.append(self.of_res, NOWHERE)[res]
        of_res = np.where(of_res == of_key, NOWHERE, of_res)
        return of_key, of_res

    def work_of(self, repairs: SingleRepairs) -> Ints:
        """Return how long the table of each repair takes to count, in units of a cell."""
        return self._total(self._work, repairs)

    def batches(self, repairs: SingleRepairs, most: int) -> Iterator[slice]:
        """Yield slices of repairs with a million cells each, until `most` work is reached."""
        total = np.cumsum(self._total(self._size, repairs))
        within = int(np.searchsorted(np.cumsum(self.work_of(repairs)), most, side="right"))
        start = 0
        while start < within:
            base = total[start - 1] if start else 0
            end = int(np.searchsorted(total, base + _AT_ONCE, side="right"))
            end = min(max(end, start + 1), within)
            yield slice(start, end)
            start = end

    def _total(self, of_group: Ints, repairs: SingleRepairs) -> Ints:
        one, other = self.groups_of(repairs)
        total: Ints = np.append(of_group, 0)[one] + np.append(of_group, 0)[other]
        return total


def unsettled(table: Table, metric: Metric) -> Ints:
    """Return the cells that CEAF leaves to a solver: entities that share mentions with many."""
    found = np.zeros(len(table.count), dtype=bool)
    for phi in phis_of([metric]):
        worth = similarity(table, phi)
        _, left = settle(Edges.of(table.cell_key, table.cell_res, worth, np.arange(len(worth))))
        found[left.at] = True
    return np.flatnonzero(found)


class _Grouped:
    """Things sorted by group: where each group starts, and the place of each thing in its group."""

    def __init__(self, group: Ints, groups: int) -> None:
        self.order = np.argsort(group, kind="stable")
        self.size = np.bincount(group, minlength=groups)
        self.first = np.cumsum(self.size) - self.size
        self.place = np.empty(len(group), dtype=np.int64)
        self.place[self.order] = np.arange(len(group)) - self.first[group[self.order]]

    def copies(self, groups: Ints) -> tuple[Ints, Ints, Ints]:
        """Return the things of some groups, which of the groups each is from, and their starts."""
        size = self.size[groups]
        start = np.cumsum(size) - size
        of = np.repeat(np.arange(len(groups)), size)
        return self.order[np.arange(len(of)) - start[of] + self.first[groups][of]], of, start


def _components(table: Table) -> tuple[Ints, Ints, int]:
    """Group entities that are connected by shared mentions."""
    from scipy.sparse import coo_array  # noqa: PLC0415  # its import is slow
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415

    keys, total = len(table.key_size), len(table.key_size) + len(table.res_size)
    edges = (np.ones(len(table.count)), (table.cell_key, keys + table.cell_res))
    groups, found = connected_components(coo_array(edges, shape=(total, total)), directed=False)
    label: Ints = found.astype(np.int64)
    return label[:keys], label[keys:], int(groups)


def repair_tables(connected: ConnectedEntities, repairs: SingleRepairs) -> tuple[Table, Table]:
    """Return a table with one unit per repair, before and after the repairs."""
    table, errors = connected.table, np.arange(len(repairs))
    one, other = connected.groups_of(repairs)
    pair_error = np.concatenate([errors[one != NOWHERE], errors[other != NOWHERE]])
    pair_group = np.concatenate([one[one != NOWHERE], other[other != NOWHERE]])
    keys, key_pair, key_start = connected.keys.copies(pair_group)
    ress, res_pair, res_start = connected.ress.copies(pair_group)
    cells, cell_pair, _ = connected.cells.copies(pair_group)
    many = len(ress)  # each repair has one more response entity, which is empty before it
    cell_key = key_start[cell_pair] + connected.keys.place[table.cell_key[cells]]
    cell_res = res_start[cell_pair] + connected.ress.place[table.cell_res[cells]]
    res_size = np.append(table.res_size[ress], np.zeros(len(errors), dtype=np.int64))
    res_unit = np.append(pair_error[res_pair], errors)
    units = ("",) * len(errors)
    key_unit, key_size = pair_error[key_pair], table.key_size[keys]
    sides = (units, key_unit, key_size, res_unit)
    before = Table(*sides, res_size, cell_key, cell_res, table.count[cells])

    pair_of = np.full((2, len(errors)), NOWHERE, dtype=np.int64)
    pair_of[0, one != NOWHERE] = np.arange(int((one != NOWHERE).sum()))
    pair_of[1, other != NOWHERE] = np.arange(int((one != NOWHERE).sum()), len(pair_group))

    def copy_of(entity: Ints, group: Ints, place: Ints, start: Ints) -> Ints:
        """Return where the entity of each repair is in the table, or NOWHERE."""
        own = np.append(group, NOWHERE)[np.maximum(entity, NOWHERE)]
        pair = np.where(own == one, pair_of[0], pair_of[1])
        found: Ints = start[pair] + np.append(place, 0)[np.maximum(entity, NOWHERE)]
        return np.where(entity < 0, NOWHERE, found)

    key = copy_of(repairs.key, connected.of_key, connected.keys.place, key_start)
    leaves = copy_of(repairs.leaves, connected.of_res, connected.ress.place, res_start)
    joins = copy_of(repairs.joins, connected.of_res, connected.ress.place, res_start)
    joins = np.where(repairs.joins == NEW, many + errors, joins)
    in_key, stays = key != NOWHERE, leaves == joins
    after_size = res_size.copy()
    np.subtract.at(after_size, leaves[leaves != NOWHERE], repairs.count[leaves != NOWHERE])
    np.add.at(after_size, joins[joins != NOWHERE], repairs.count[joins != NOWHERE])
    moves = ~stays | repairs.spans
    left = in_key & (leaves != NOWHERE) & ~stays
    joined = in_key & (joins != NOWHERE) & moves
    parts = (
        (cell_key, cell_res, table.count[cells]),
        (key[left], leaves[left], -repairs.count[left]),
        (key[joined], joins[joined], repairs.count[joined]),
    )
    after = Table(*sides, after_size, *_summed(*map(np.concatenate, zip(*parts, strict=True))))
    return before, after


def _summed(cell_key: Ints, cell_res: Ints, count: Ints) -> tuple[Ints, Ints, Ints]:
    """Add up the counts of equal cells, in the order of a table, and drop empty cells."""
    width = int(cell_res.max(initial=0)) + 1
    codes, at = np.unique(cell_key * width + cell_res, return_inverse=True)
    total = np.bincount(at, count, len(codes)).astype(np.int64)
    codes, total = codes[total > 0], total[total > 0]
    return codes // width, codes % width, total


def without_empty(table: Table, *, drop: bool) -> Table:
    """Remove empty response entities, and those of one mention if the policy drops them."""
    kept = table.res_size > (1 if drop else 0)
    if kept.all():
        return table
    number = np.cumsum(kept) - 1
    cells = kept[table.cell_res]
    windows = table.windows and table.windows._replace(res=table.windows.res[kept])
    return Table(
        table.units,
        table.key_unit,
        table.key_size,
        table.res_unit[kept],
        table.res_size[kept],
        table.cell_key[cells],
        number[table.cell_res[cells]],
        table.count[cells],
        windows=windows,
    )


MOST_WORK = 40_000_000
"""The work that the tables of all repairs together may take, in units of a cell."""


def gains(errors: Errors, metric: Metric) -> Floats:
    """Return the gain in F1 of each single repair, or NaN where it takes too long to compute.

    The gain is NaN as well for metrics that count more than entities, such as mention types.
    """
    found = np.full(len(errors), np.nan)
    if errors.mode != k.STRICT or metric.needs or any(part.needs for part in metric.parts):
        return found
    is_span = errors.listing.kind == k.KINDS.index(k.SPAN)
    left = MOST_WORK
    for mentions, rows in ((errors.original, is_span), (errors.corrected, ~is_span)):
        if not rows.any():
            continue
        at = np.flatnonzero(rows)
        repairs = _single_repairs(errors, mentions, at)
        connected = ConnectedEntities(mentions.table.by_window, metric)
        for some in connected.batches(repairs, left):
            found[at[some]] = _gains(mentions, connected, repairs.take(some), metric)
        left -= int(connected.work_of(repairs).sum())
    return found


def _single_repairs(errors: Errors, mentions: AlignedMentions, at: Ints) -> SingleRepairs:
    """Return what the repair of each error does to the table."""
    listing, kinds = errors.listing, errors.listing.kind[at]
    first = listing.first_row[at]
    key, res = mentions.key[first], mentions.res[first]
    joins = np.full(len(at), NOWHERE, dtype=np.int64)

    def of(*names: str) -> Bools:
        return np.isin(kinds, [k.KINDS.index(name) for name in names])

    joins[of(k.CONFLATED, k.MISSING_ENTITY)] = NEW
    spans = of(k.SPAN)  # the response mention stays in its entity, which the key mention joins
    key = np.where(spans, np.append(mentions.key, NOWHERE)[listing.meant[first]], key)
    joins[spans] = res[spans]
    anchored = of(k.DIVIDED, k.MISSING_MENTION)
    target = errors.found.key_anchor
    lost = (target == NOWHERE) | (mentions.res[target] == NOWHERE)
    present = mentions.first_rows(mentions.key, mentions.res != NOWHERE, len(target))
    target = np.append(np.where(lost, present, target), NOWHERE)[key]
    joins[anchored] = np.where(target == NOWHERE, NEW, mentions.res[target])[anchored]
    return SingleRepairs(key, res, joins, np.diff(listing.first)[at], bool(spans.all()))


def _gains(
    mentions: AlignedMentions, connected: ConnectedEntities, repairs: SingleRepairs, metric: Metric
) -> Floats:
    """Count the tables of some repairs before and after, and score the corpus with each change."""
    drop = mentions.policy.singletons == "drop"
    tables = repair_tables(connected, repairs)
    before, after = (count_units(metric, without_empty(one, drop=drop)) for one in tables)
    base = without_empty(mentions.table, drop=drop)
    counts = Counts.of(base, [metric])
    rows, score = counts.statistic(metric, mentions.policy)
    total = exact_sum(rows)
    if mentions.policy.average == "micro":
        changed = score(total + (after - before))
    else:
        of_key, of_res = (np.append(u, 0) for u in (base.key_unit, mentions.table.res_unit))
        unit = np.where(repairs.key == NOWHERE, of_res[repairs.leaves], of_key[repairs.key])
        of_units = counts.rows[metric.name][unit] + (after - before)
        scores = metric.scores(of_units, mentions.policy.undefined)
        new = np.concatenate([np.nan_to_num(scores), ~np.isnan(scores)], axis=1)
        changed = score(total + new - rows[unit])
    gain: Floats = changed[:, F1] - score(total)[F1]
    return gain
