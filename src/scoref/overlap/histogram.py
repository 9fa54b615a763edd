"""Histogram: a table of one unit in which alike entities, and alike cells, are one row.

Most measures are sums over key entities, response entities and cells, and what each of these
adds depends on a few numbers alone: for an entity its size and how many of its mentions the
other side has (kept); for a cell the mentions shared, and the size and kept of its two
entities. There are few different such rows, however large the unit: millions of cells become
thousands. So whoever cannot hold a table, because it stands in files or in a cluster, counts
how many times each row occurs, and a measure that is a sum counts the histogram as it counts a
table.

Rows are sorted and sums are rounded once: the same histogram gives the same bits, whoever made
it. CEAF is no sum, since it aligns single entities; who made the histogram says what the best
alignments are worth, and its other counts are sums again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Ints
from scoref.exceptions import UsageError
from scoref.overlap.table import Table, Times


class Entities(NamedTuple):
    """Different entities of a side, and how many `times` there is one."""

    size: Ints
    kept: Ints
    times: Ints


class Cells(NamedTuple):
    """Different cells, and how many `times` there is one."""

    shared: Ints
    key_size: Ints
    key_kept: Ints
    res_size: Ints
    res_kept: Ints
    times: Ints


class Histogram(NamedTuple):
    """The entities and cells of a unit, or of a part of it: parts are added with `add`."""

    keys: Entities
    responses: Entities
    cells: Cells

    def table(self, unit: str, best: Mapping[int, float] | None = None) -> Table:
        """Return what measures count; `best` is what CEAF's alignments are worth, by their phi."""
        ours, theirs, cells = self
        nothing = (np.zeros(len(side.size), dtype=np.int64) for side in (ours, theirs))
        return Table(
            units=(unit,),
            key_unit=next(nothing),
            key_size=ours.size,
            res_unit=next(nothing),
            res_size=theirs.size,
            cell_key=_find(ours, cells.key_size, cells.key_kept),
            cell_res=_find(theirs, cells.res_size, cells.res_kept),
            count=cells.shared,
            times=Times(ours.times, theirs.times, cells.times, dict(best or {})),
        )


def of_table(table: Table) -> Histogram:
    """Count the alike rows of a table as if it were all one unit."""
    key, res = table.cell_key, table.cell_res
    kept, found = table.key_kept, table.res_kept
    cells = (table.count, table.key_size[key], kept[key], table.res_size[res], found[res])
    return Histogram(
        Entities(*alike([table.key_size, kept])),
        Entities(*alike([table.res_size, found])),
        Cells(*alike(cells)),
    )


def add(parts: Iterable[Histogram]) -> Histogram:
    """Add histograms of different entities and cells of a unit."""
    keys, responses, cells = zip(*parts, strict=True)
    return Histogram(Entities(*_added(keys)), Entities(*_added(responses)), Cells(*_added(cells)))


def alike(columns: Sequence[Ints], times: Ints | None = None) -> list[Ints]:
    """Return the different rows of some columns, sorted, and last how many times each occurs.

    `times` says how many each given row stands for, if not one.
    """
    order = np.lexsort(columns[::-1])
    columns = [column[order] for column in columns]
    first = np.zeros(len(order), dtype=bool)
    first[:1] = True
    for column in columns:
        first[1:] |= column[1:] != column[:-1]
    at = np.flatnonzero(first)
    if times is None:
        times = np.diff(np.append(at, len(order)))
    elif len(at):
        times = np.add.reduceat(times[order], at)
    return [*(column[at] for column in columns), times]


def _added(parts: Sequence[tuple[Ints, ...]]) -> list[Ints]:
    *columns, times = (np.concatenate(column) for column in zip(*parts, strict=True))
    return alike(columns, times)


def _find(entities: Entities, size: Ints, kept: Ints) -> Ints:
    """Return the row of each cell's entity."""
    width = int(max(entities.kept.max(initial=0), kept.max(initial=0))) + 1
    known, asked = entities.size * width + entities.kept, size * width + kept
    at = np.searchsorted(known, asked)
    if len(asked) and not (len(known) and np.array_equal(np.append(known, -1)[at], asked)):
        raise UsageError("a histogram has cells of entities that it does not have")
    return at
