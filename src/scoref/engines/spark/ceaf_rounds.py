"""CEAF over all executors: `settle` of `metrics/assignment/solver.py` in rounds of two steps.

A cell that is worth at least as much as the best other cell of its key entity and the best other
cell of its response entity together is in some best alignment. By response entity, each cell learns
the best other cell there; by key entity, such cells are taken, and all cells of their key entities
dropped; by response entity again, those of their response entities. A few rounds settle nearly
everything. The driver aligns the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from scoref.base.arrays import Bools, Floats, Ints, first_of_run
from scoref.engines.spark.blocks import (
    SCHEMA,
    Collected,
    RowBlock,
    StepTask,
    divide_columns,
    persist,
    read_columns,
    shuffle,
    write_columns,
    write_totals,
)
from scoref.engines.spark.unit_tasks import (
    BINS,
    CELL_COLUMNS,
    CELLS,
    LONELY,
    Blocks,
)
from scoref.engines.tables.unit_histogram import WITHOUT_CEAF
from scoref.exceptions import UsageError
from scoref.metrics.assignment.solver import best_alignment
from scoref.metrics.ceaf import worth_of
from scoref.metrics.histogram import distinct_rows

if TYPE_CHECKING:
    from contextlib import ExitStack

    from pyspark.sql import DataFrame

FEW_CELLS = 1_000_000
"""The driver aligns up to so many cells, in less than a second."""

MOST_CELLS = 50_000_000
"""The driver refuses to align more cells than this after the last round."""

MOST_ROUNDS = 8

_WEIGHED = ("key", "res", "worth", "limit")
_CELLS, _TAKEN, _GONE, _LEFT = (
    *("cells with phi ", "taken with phi ", "settled responses with phi ", "left with phi "),
)
"""The kinds of blocks, and the name of a total, without the number of their similarity."""

_TAKEN_COLUMNS = ("worth", "times")
_NEVER = np.iinfo(np.int64).max


@dataclass(frozen=True, slots=True)
class CeafSteps:
    """The steps of a round, for several similarities at once; each has blocks of its own kind."""

    phis: tuple[int, ...]
    buckets: int

    def weigh(self) -> StepTask:
        """By response entity: turn cells into weighed cells for each similarity."""
        return StepTask(self._weigh, frozenset({CELLS}))

    def _weigh(self, bucket: int, blocks: Blocks) -> Iterator[RowBlock]:
        key, res, *sizes = read_columns(blocks[CELLS], CELL_COLUMNS).values()
        for phi in self.phis:
            worth = worth_of(sizes[0], sizes[1], sizes[2], phi)
            some = np.flatnonzero(worth > 0)
            yield from self._by_key(bucket, phi, key[some], res[some], worth[some])

    def _by_key(
        self, bucket: int, phi: int, key: Ints, res: Ints, worth: Floats
    ) -> Iterator[RowBlock]:
        is_best, other = _best_of_line(res, key, worth)
        limit = np.where(is_best, other.view(np.int64), _NEVER)
        columns = {"key": key, "res": res, "worth": worth.view(np.int64), "limit": limit}
        yield from write_totals({f"{_LEFT}{phi}": len(key)}, bucket)
        yield from divide_columns(columns, key, f"{_CELLS}{phi}", self.buckets)

    def take(self) -> StepTask:
        """By key entity: take cells that are certainly best, and drop all of their key entities."""
        return StepTask(self._take, frozenset(f"{_CELLS}{phi}" for phi in self.phis))

    def _take(self, bucket: int, blocks: Blocks) -> Iterator[RowBlock]:
        for phi in self.phis:
            key, res, worth, limit = read_columns(blocks[f"{_CELLS}{phi}"], _WEIGHED).values()
            is_best, other = _best_of_line(key, res, worth.view(np.float64))
            taken = np.flatnonzero(is_best & (limit != _NEVER))
            value = worth[taken].view(np.float64)
            others = other[taken], limit[taken].view(np.float64)
            # Exact, unlike a sum: a difference of floats is not rounded where it could matter.
            taken = taken[value - np.maximum(*others) >= np.minimum(*others)]
            bins = distinct_rows([worth[taken]])
            yield from write_columns(
                dict(zip(_TAKEN_COLUMNS, bins, strict=True)), bucket, f"{_TAKEN}{phi}"
            )
            kept = ~np.isin(key, key[taken])
            columns = {"key": key[kept], "res": res[kept], "worth": worth[kept]}
            yield from divide_columns(columns, res[kept], f"{_CELLS}{phi}", self.buckets)
            yield from divide_columns(
                {"res": res[taken]}, res[taken], f"{_GONE}{phi}", self.buckets
            )

    def drop(self) -> StepTask:
        """By response entity: drop those of taken cells, and find the best other cells again."""
        takes = [f"{kind}{phi}" for phi in self.phis for kind in (_CELLS, _GONE)]
        return StepTask(self._drop, frozenset(takes))

    def _drop(self, bucket: int, blocks: Blocks) -> Iterator[RowBlock]:
        for phi in self.phis:
            key, res, worth = read_columns(blocks[f"{_CELLS}{phi}"], _WEIGHED[:3]).values()
            gone = read_columns(blocks[f"{_GONE}{phi}"], ("res",))["res"]
            kept = ~np.isin(res, gone)
            weight = worth[kept].view(np.float64)
            yield from self._by_key(bucket, phi, key[kept], res[kept], weight)


def _best_of_line(line: Ints, other: Ints, worth: Floats) -> tuple[Bools, Floats]:
    """Mark the best cell of each line, and return the best other cell of each cell's line.

    Of cells of equal worth, the first by the other entity is the best, so that a task which is
    repeated takes the same cells. The second result is right for the best cells only.
    """
    order = np.lexsort((other, -worth, line))
    first = first_of_run(line[order])
    following = np.append(np.where(first[1:], 0.0, worth[order][1:]), 0.0)[: len(order)]
    is_best, next_best = np.empty(len(line), dtype=bool), np.empty(len(line))
    is_best[order], next_best[order] = first, following
    return is_best, next_best


def best_totals(
    cells: DataFrame, collected: Collected, steps: CeafSteps, cached: ExitStack
) -> dict[int, float]:
    """Return the total similarities of best one-to-one alignments, by the number of the similarity.

    `cells` has blocks of cells by response entity, and `collected` their number and lonely cells.
    """
    shared, key_size, res_size, times = collected.columns([LONELY], BINS[LONELY])
    totals = {phi: _exact(worth_of(shared, key_size, res_size, phi), times) for phi in steps.phis}
    if collected.total(CELLS) <= FEW_CELLS:
        columns = Collected.of(cells, [CELLS]).columns([CELLS], CELL_COLUMNS)
        key, res, *sizes = columns
        for phi in steps.phis:
            totals[phi] += _align(key, res, worth_of(sizes[0], sizes[1], sizes[2], phi))
        return {phi: float(total) for phi, total in totals.items()}
    return _in_rounds(cells, totals, steps, cached)


def _in_rounds(
    cells: DataFrame, totals: dict[int, Fraction], steps: CeafSteps, cached: ExitStack
) -> dict[int, float]:
    left = persist(cells.mapInArrow(steps.weigh(), SCHEMA), cached)
    before = many = _count_left(left, steps.phis, totals)
    for _ in range(MOST_ROUNDS):
        if many <= FEW_CELLS:
            break
        taken = shuffle(left.where(f"kind like '{_CELLS}%'"), steps.buckets)
        taken = shuffle(taken.mapInArrow(steps.take(), SCHEMA), steps.buckets)
        left = persist(taken.mapInArrow(steps.drop(), SCHEMA), cached)
        before, many = many, _count_left(left, steps.phis, totals)
        if many == before:
            break
    if many > MOST_CELLS:
        raise UsageError(
            f"CEAF leaves {many:,} pairs of entities to align, too many for one machine",
            WITHOUT_CEAF,
        )
    found = Collected.of(left, [f"{_CELLS}{phi}" for phi in steps.phis])
    for phi in steps.phis:
        key, res, worth = found.columns([f"{_CELLS}{phi}"], _WEIGHED[:3])
        totals[phi] += _align(key, res, worth.view(np.float64))
    return {phi: float(total) for phi, total in totals.items()}


def _count_left(left: DataFrame, phis: Sequence[int], totals: dict[int, Fraction]) -> int:
    """Run a round: add the worth of the cells that it took, and count those that are left."""
    collected = Collected.of(left, (f"{_TAKEN}{phi}" for phi in phis))
    for phi in phis:
        worth, times = collected.columns([f"{_TAKEN}{phi}"], _TAKEN_COLUMNS)
        totals[phi] += _exact(worth.view(np.float64), times)
    return max(collected.total(f"{_LEFT}{phi}") for phi in phis)


def _exact(worth: Floats, times: Ints) -> Fraction:
    """Add up exactly: few different values occur."""
    pairs = zip(worth.tolist(), times.tolist(), strict=True)
    return sum((Fraction(one) * many for one, many in pairs), Fraction(0))


def _align(key: Ints, res: Ints, worth: Floats) -> Fraction:
    """Align the rest on the driver, in an order that does not depend on Spark."""
    order = np.lexsort((res, key))
    key, res = (
        np.unique(ids[order], return_inverse=True)[1].astype(np.int64) for ids in (key, res)
    )
    chosen = worth[order][best_alignment(key, res, worth[order])]
    values, times = distinct_rows([chosen.view(np.int64)])
    return _exact(values.view(np.float64), times)
