"""Histogram: a table of one unit in which equal entities, and equal cells, are one row.

Most metrics are sums over key entities, response entities and cells, and what each of these
adds depends on a few numbers: for an entity its size and how many of its mentions the other
side has (kept); for a cell the mentions shared, and the size and kept of its two entities.
There are few distinct rows, however large the unit: millions of cells become thousands. An
engine that cannot hold a table, because it is in files or on a cluster, counts how many times
each row occurs, and a metric that is a sum counts the histogram as it counts a table.

Rows are sorted and sums are rounded once: the same histogram gives the same bits on every
engine. CEAF is not a sum, because it aligns single entities. The engine that makes the histogram
solves the alignments and passes their totals; the other counts of CEAF are sums again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Floats, Ints
from scoref.base.exact_sums import exact_sum
from scoref.exceptions import UsageError
from scoref.metrics.table import Table


class EntityBins(NamedTuple):
    """The distinct entities of a side, and how many `times` each occurs."""

    size: Ints
    kept: Ints
    times: Ints


class CellBins(NamedTuple):
    """The distinct cells, and how many `times` each occurs."""

    shared: Ints
    key_size: Ints
    key_kept: Ints
    res_size: Ints
    res_kept: Ints
    times: Ints


@dataclass(frozen=True, eq=False, kw_only=True)
class HistogramTable(Table):
    """A table of one unit in which each row represents `times` equal entities or cells.

    `totals` are those of CEAF's best alignments by phi, which the rows cannot provide.
    """

    key_times: Ints
    res_times: Ints
    cell_times: Ints
    totals: Mapping[int, float] = field(default_factory=dict)

    @property
    def best(self) -> Mapping[int, float]:
        """The totals of CEAF's best alignments by phi."""
        return self.totals

    @property
    def key_kept(self) -> Ints:
        """How many mentions of each key entity the response has."""
        return self._kept(self.cell_key, self.key_times)

    @property
    def res_kept(self) -> Ints:
        """How many mentions of each response entity the key has."""
        return self._kept(self.cell_res, self.res_times)

    def sum_keys(self, values: NDArray[Any]) -> Floats:
        """Sum one value per key entity into the value of the unit."""
        return exact_sum((values * self.key_times)[:, None])

    def sum_responses(self, values: NDArray[Any]) -> Floats:
        """Sum one value per response entity into the value of the unit."""
        return exact_sum((values * self.res_times)[:, None])

    def sum_cells(self, values: NDArray[Any]) -> Floats:
        """Sum one value per cell into the value of the unit."""
        return exact_sum((values * self.cell_times)[:, None])

    def _kept(self, entity: Ints, times: Ints) -> Ints:
        """Sum the cells of each entity; equal entities share the sum of their cells equally."""
        kept = np.zeros(len(times), dtype=np.int64)
        np.add.at(kept, entity, self.count * self.cell_times)
        return kept // times


class Histogram(NamedTuple):
    """The entities and cells of a unit, or of a part of it; `add` adds parts."""

    keys: EntityBins
    responses: EntityBins
    cells: CellBins

    def table(self, unit: str, best: Mapping[int, float] | None = None) -> HistogramTable:
        """Return the table that metrics count; `best` has the totals of CEAF by phi."""
        keys, responses, cells = self
        return HistogramTable(
            units=(unit,),
            key_unit=np.zeros_like(keys.size),
            key_size=keys.size,
            res_unit=np.zeros_like(responses.size),
            res_size=responses.size,
            cell_key=_find(keys, cells.key_size, cells.key_kept),
            cell_res=_find(responses, cells.res_size, cells.res_kept),
            count=cells.shared,
            key_times=keys.times,
            res_times=responses.times,
            cell_times=cells.times,
            totals=dict(best or {}),
        )


def add(parts: Iterable[Histogram]) -> Histogram:
    """Add histograms of different entities and cells of a unit."""
    keys, responses, cells = zip(*parts, strict=True)
    return Histogram(EntityBins(*_sum(keys)), EntityBins(*_sum(responses)), CellBins(*_sum(cells)))


def distinct_rows(columns: Sequence[Ints], times: Ints | None = None) -> list[Ints]:
    """Return the distinct rows of some columns, sorted, and last how many times each occurs.

    `times` says how many rows each given row represents; the default is one.
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


def _sum(parts: Sequence[tuple[Ints, ...]]) -> list[Ints]:
    *columns, times = (np.concatenate(column) for column in zip(*parts, strict=True))
    return distinct_rows(columns, times)


def _find(entities: EntityBins, size: Ints, kept: Ints) -> Ints:
    """Return the row of each cell's entity."""
    width = int(max(entities.kept.max(initial=0), kept.max(initial=0))) + 1
    known, wanted = entities.size * width + entities.kept, size * width + kept
    at = np.searchsorted(known, wanted)
    if len(wanted) and not (len(known) and np.array_equal(np.append(known, -1)[at], wanted)):
        raise UsageError("the histogram has cells of entities that it does not have")
    return at
