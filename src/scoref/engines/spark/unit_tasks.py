"""The steps of one unit on executors: join by mention, count by key and by response entity.

Each step has all rows of its mentions, or of its entities, and is done by functions of the table
engine. What it yields is divided by what the next step needs. The driver gets histograms of it, and
totals.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scoref.base.arrays import Ints, first_of_run
from scoref.corpus import fingerprint
from scoref.engines.spark.blocks import (
    Columns,
    RowBlock,
    StepTask,
    divide_columns,
    read_columns,
    write_columns,
    write_totals,
)
from scoref.engines.spark.integer_rows import CHECK, UnitIds
from scoref.engines.tables.id_column import refuse_collisions
from scoref.engines.tables.unit_histogram import SizedCells, count_keys, count_responses
from scoref.engines.tables.unit_records import Joined, Records, find_repeated, join_records
from scoref.metrics.histogram import distinct_rows

Blocks = Mapping[str, Sequence[RowBlock]]
SIDES = ("key", "response")
PAIRS, SUMMED, KEY_ALONE, RES_ALONE, SIZED = (
    *("pairs", "summed pairs", "key alone", "response alone", "sized cells"),
)
CELLS, LONELY = "cells", "lonely cells"
BINS = {
    "histogram of keys": ("size", "kept", "times"),
    "histogram of responses": ("size", "kept", "times"),
    "histogram of cells": ("shared", "key_size", "key_kept", "res_size", "res_kept", "times"),
    LONELY: ("shared", "key_size", "res_size", "times"),
}
"""The kinds of blocks that the driver adds up, and their columns."""

CELL_COLUMNS = ("key", "res", "shared", "key_size", "res_size")
_CHECKS = tuple(f"{role}{CHECK}" for role in ("mention", "entity"))
_ROW = ("mention", "entity")
_SAMPLE = 4096


@dataclass(frozen=True, slots=True)
class UnitSteps:
    """What the steps of one unit share: `unit` is the hash of its document."""

    ids: UnitIds
    unit: int
    buckets: int
    drops_singletons: bool
    has_ceaf: bool

    def in_order(self, *, is_careful: bool) -> list[StepTask]:
        """Return all steps, each with the kinds of blocks that it takes.

        If it `is_careful`, repeated mentions are dropped, and singletons if the policy says so.
        """
        join = StepTask(self._join, frozenset({*SIDES, *_CHECKS}))
        first = [join]
        if is_careful:
            first = [
                StepTask(self._find_first, frozenset({*SIDES, *_CHECKS})),
                StepTask(self._drop_repeated, frozenset(SIDES)),
            ]
            if self.drops_singletons:
                first += [StepTask(self._drop_singletons, frozenset(SIDES)), join]
        return [
            *first,
            StepTask(self._count_keys, frozenset({PAIRS, SUMMED, KEY_ALONE})),
            StepTask(self._count_responses, frozenset({SIZED, RES_ALONE})),
        ]

    def _find_first(self, _: int, blocks: Blocks) -> Iterator[RowBlock]:
        """By entity: give each row the place where its entity appears first."""
        _check_hashes(blocks)
        for side in SIDES:
            rows = read_columns(blocks[side], (*_ROW, "place"))
            ids, entity = np.unique(rows["entity"], return_inverse=True)
            first = np.full(len(ids), np.iinfo(np.int64).max)
            np.minimum.at(first, entity, rows["place"])
            rows["first"] = first[entity]
            yield from divide_columns(rows, rows["mention"], side, self.buckets)

    def _drop_repeated(self, bucket: int, blocks: Blocks) -> Iterator[RowBlock]:
        """By mention: of equal mentions, keep that of the entity that appears first."""
        sides = {}
        for side in SIDES:
            rows = read_columns(blocks[side], (*_ROW, "place", "first"))
            again = find_repeated(rows["mention"], rows.pop("first"), rows.pop("place"))
            rows["scored"] = np.ones(len(rows["mention"]), dtype=np.int64)
            rows["scored"][again] = 0
            yield from write_totals({f"{side} repeats": len(again)}, bucket)
            sides[side] = rows
        if not self.drops_singletons:
            yield from self._join_rows(bucket, sides)
            return
        for side, rows in sides.items():
            yield from divide_columns(rows, rows["entity"], side, self.buckets)

    def _drop_singletons(self, bucket: int, blocks: Blocks) -> Iterator[RowBlock]:
        """By entity: leave out mentions that are alone."""
        for side in SIDES:
            rows = read_columns(blocks[side], (*_ROW, "scored"))
            records, alone = _records(rows).without_singletons()
            rows["scored"] = records.scored
            yield from write_totals({f"{side} singletons": alone}, bucket)
            yield from divide_columns(rows, rows["mention"], side, self.buckets)

    def _join(self, bucket: int, blocks: Blocks) -> Iterator[RowBlock]:
        """By mention: join both sides; if one repeats a mention, say so and nothing else."""
        _check_hashes(blocks)
        names = (*_ROW, "scored") if self.drops_singletons else _ROW
        sides = {side: read_columns(blocks[side], names) for side in SIDES}
        yield from self._join_rows(bucket, sides)

    def _join_rows(self, bucket: int, sides: Mapping[str, Columns]) -> Iterator[RowBlock]:
        key, response = map(_records, sides.values())
        unit = np.array([self.unit], dtype=np.uint64)
        members = fingerprint.of_members(self.ids.member_hashes(key.mention), unit)
        joined = join_records(key, response, members.view(np.int64))
        if joined is None:
            for side, records in zip(SIDES, (key, response), strict=True):
                times = len(records.mention) - len(np.unique(records.mention))
                yield from write_totals({f"{side} repeats": times}, bucket)
        else:
            yield from self._divide_joined(joined)

    def _divide_joined(self, joined: Joined) -> Iterator[RowBlock]:
        key, res, members = joined.pairs
        is_summed = _has_large(key)
        pairs: Columns = {"key": key, "res": res, "members": members}
        if is_summed:
            pairs = _sum_rows({"key": key, "res": res}, {"members": members, "times": None})
        yield from divide_columns(pairs, pairs["key"], SUMMED if is_summed else PAIRS, self.buckets)
        for kind, names, columns in (
            (KEY_ALONE, ("key", "members", "scored"), joined.key_alone),
            (RES_ALONE, ("res", "scored"), joined.res_alone),
        ):
            alone: Columns = dict(zip(names, columns, strict=True))
            if _has_large(columns[0]):
                alone = _sum_rows({names[0]: columns[0]}, {name: alone[name] for name in names[1:]})
            yield from divide_columns(alone, alone[names[0]], kind, self.buckets)

    def _count_keys(self, bucket: int, blocks: Blocks) -> Iterator[RowBlock]:
        """By key entity: count entities, and sum their cells."""
        columns = read_columns([*blocks[PAIRS], *blocks[SUMMED]], ("key", "res", "members"))
        times = None
        if blocks[SUMMED]:
            single = np.ones(sum(block.size for block in blocks[PAIRS]), dtype=np.int64)
            summed = read_columns(blocks[SUMMED], ("times",))["times"]
            times = np.concatenate([single, summed])
        alone = read_columns(blocks[KEY_ALONE], ("key", "members", "scored"))
        found = count_keys(list(columns.values()), list(alone.values()), times)
        totals = {"key entities": found.entities, "fingerprint": found.hash_total}
        totals["key parts"] = found.largest
        yield from write_totals(totals, bucket)
        yield from _write_bins(bucket, "histogram of keys", found.histogram.keys)
        yield from divide_columns(found.cells._asdict(), found.cells.res, SIZED, self.buckets)

    def _count_responses(self, bucket: int, blocks: Blocks) -> Iterator[RowBlock]:
        """By response entity: count entities and cells, and leave what CEAF aligns."""
        cells = SizedCells(**read_columns(blocks[SIZED], SizedCells._fields))
        alone = read_columns(blocks[RES_ALONE], ("res", "scored"))
        found = count_responses(cells, list(alone.values()))
        yield from _write_bins(bucket, "histogram of responses", found.histogram.responses)
        yield from _write_bins(bucket, "histogram of cells", found.histogram.cells)
        totals = {"response entities": found.entities, "response parts": found.largest}
        if self.has_ceaf:
            columns = (cells.key, cells.res, cells.shared, cells.key_size, found.res_size)
            lonely = [column[found.lonely] for column in columns[2:]]
            yield from _write_bins(bucket, LONELY, distinct_rows(lonely))
            left = [column[~found.lonely] for column in columns]
            totals[CELLS] = len(left[0])
            yield from write_columns(dict(zip(CELL_COLUMNS, left, strict=True)), bucket, CELLS)
        yield from write_totals(totals, bucket)


def _records(rows: Columns) -> Records:
    """Return rows as records; their lines are not required any more."""
    size = len(rows["mention"])
    scored = rows["scored"] if "scored" in rows else np.ones(size, dtype=np.int64)
    return Records(rows["mention"], rows["entity"], np.zeros(size, dtype=np.int64), scored)


def _check_hashes(blocks: Blocks) -> None:
    """Refuse to go on if two texts have the same hash, as the table engine does."""
    for kind in _CHECKS:
        hashes = read_columns(blocks[kind], ("first", "second"))
        refuse_collisions(kind.removesuffix(CHECK), **hashes)


def _has_large(entity: Ints) -> bool:
    """Whether few entities have many of some rows, so that it is worth while to sum these."""
    sample = entity[:: len(entity) // _SAMPLE + 1]
    return 2 * len(np.unique(sample)) < len(sample)


def _sum_rows(by: Columns, values: Mapping[str, Ints | None]) -> Columns:
    """Sum values of equal rows, modulo 2**64; None counts rows."""
    columns = list(by.values())
    order = np.lexsort(columns[::-1])
    first = np.logical_or.reduce([first_of_run(column[order]) for column in columns])
    starts = np.flatnonzero(first)
    found = {name: column[order][starts] for name, column in by.items()}
    for name, column in values.items():
        if column is None:
            found[name] = np.diff(starts, append=len(order))
        elif len(starts):
            found[name] = np.add.reduceat(column[order], starts)
        else:
            found[name] = column
    return found


def _write_bins(bucket: int, kind: str, bins: Sequence[Ints]) -> Iterator[RowBlock]:
    return write_columns(dict(zip(BINS[kind], bins, strict=True)), bucket, kind)
