"""Shards: ranges of documents that fit into memory, and the rows of both tables in each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from scoref.base import memory as sizes
from scoref.base.arrays import Ints, number_by_appearance
from scoref.base.progress import progress
from scoref.engines.tables.document_index import DocumentIndex
from scoref.engines.tables.id_column import IdColumn, to_arrow, to_numpy
from scoref.engines.tables.row_table import RowTable, TablePair
from scoref.engines.tables.temporary_files import MOST_PARTS, SpilledTable
from scoref.exceptions import UsageError
from scoref.matching.document_pairing import Pairing
from scoref.metrics.table import NOWHERE

ROW_BYTES = 400
"""Memory that a row takes while its shard is counted, with room to spare."""

CODED_ROW_BYTES = 200
"""The same if ids are integers, and mentions are codes (see `corpus_parts.coded_parts`)."""

_ROWS = 1 << 19
"""Larger shards are not faster, since they leave the caches of a processor."""

_LINE, _NUMBER = "line of the file", "number of the document"


class ShardPlan(NamedTuple):
    """All documents in one order: the key's, then those that only the response has.

    `response` is the place of each response document in this order. `bounds` divide it into shards.
    """

    keys: int
    response: Ints
    bounds: list[int]


class ShardRows(NamedTuple):
    """The rows of one table in a shard, their lines in its file, and their documents.

    `numbers` are those of the documents in the index of the table, as they appear here;
    `document` is the position of each row's document in `numbers`.
    """

    table: Any
    line: Ints
    numbers: Ints
    document: Ints


def coded_row_bytes(tables: TablePair[Any]) -> int:
    """Return the memory that a row takes if mentions are codes."""
    texts = any(table.is_text(role) for table in tables for role in table.layout.roles)
    return ROW_BYTES if texts else CODED_ROW_BYTES


def plan_shards(
    key: DocumentIndex, response: DocumentIndex, pairing: Pairing, memory: int, row_bytes: int
) -> ShardPlan:
    """Divide the documents of both sides into ranges that fit into memory."""
    extra = pairing.key_document == NOWHERE
    place = pairing.key_document.copy()
    place[extra] = len(key.rows) + np.arange(np.count_nonzero(extra))
    rows = np.concatenate([key.rows, np.zeros(np.count_nonzero(extra), dtype=np.int64)])
    np.add.at(rows, place, response.rows)
    most = max(memory // row_bytes, 1)
    if int(rows.max(initial=0)) > most:
        at = int(np.argmax(rows))
        extras = [name for name, one in zip(response.names, extra, strict=True) if one]
        raise UsageError(
            f"document {[*key.names, *extras][at]} has {rows[at]:,} rows on both sides together,"
            f" more than fit into {sizes.format_size(memory)} of memory",
            f"--memory {sizes.round_up_size(int(rows[at]) * row_bytes)}",
        )
    is_sorted = key.is_contiguous and _is_in_order(response, place)
    # Other tables are divided into temporary files, and a process may not open too many.
    rows_each = _ROWS if is_sorted else max(_ROWS, 2 * int(rows.sum()) // MOST_PARTS)
    return ShardPlan(len(key.rows), place, divide_documents(rows, min(most, rows_each)))


def _is_in_order(index: DocumentIndex, place: Ints) -> bool:
    return index.is_contiguous and bool((place[1:] > place[:-1]).all())


def divide_documents(rows: Ints, most: int) -> list[int]:
    """Divide documents into ranges of at most so many rows, or of one document."""
    total = np.cumsum(rows)
    bounds = [0]
    while bounds[-1] < len(rows) or len(bounds) == 1:
        before = int(total[bounds[-1] - 1]) if bounds[-1] else 0
        end = int(np.searchsorted(total, before + most, side="right"))
        bounds.append(max(end, bounds[-1] + 1))
    return bounds


def read_shards(
    table: RowTable, index: DocumentIndex, place: Ints, bounds: Sequence[int]
) -> Iterator[ShardRows | None]:
    """Yield the rows of each shard, or None if the table has none in it.

    `place` is that of each document of the index in the order that `bounds` divide.
    """
    if _is_in_order(index, place):
        return _read_in_order(table, index.rows, place, bounds)
    return _read_divided(table, index, place, bounds)


def _read_in_order(
    table: RowTable, rows: Ints, place: Ints, bounds: Sequence[int]
) -> Iterator[ShardRows | None]:
    ends = np.concatenate([[0], np.cumsum(rows)])
    slicer = _BatchSlicer(table.batches(table.layout.roles), table.arrow)
    for low, high in pairwise(bounds):
        start, stop = (int(np.searchsorted(place, at)) for at in (low, high))
        first, end = int(ends[start]), int(ends[stop])
        found = slicer.take(first, end)
        if found is None:
            yield None
            continue
        document = np.repeat(np.arange(stop - start), rows[start:stop])
        yield ShardRows(found, table.lines(first, end), np.arange(start, stop), document)


class _BatchSlicer:
    """Takes ranges of rows from a stream of batches; each range begins after the one before."""

    def __init__(self, batches: Iterator[Any], arrow: Any) -> None:
        self._batches, self._arrow = batches, arrow
        self._held: list[Any] = []
        self._at = 0

    def take(self, first: int, end: int) -> Any:
        """Return the rows from `first` to before `end`, or None if there are none."""
        taken = []
        while self._at < end:
            batch = self._held.pop() if self._held else next(self._batches)
            stop = self._at + batch.num_rows
            if stop > end:
                self._held.append(batch.slice(end - self._at))
                batch = batch.slice(0, end - self._at)
            if self._at + batch.num_rows > first:
                taken.append(batch.slice(max(0, first - self._at)))
            self._at += batch.num_rows
        return self._arrow.Table.from_batches(taken) if taken else None


def _read_divided(
    table: RowTable, index: DocumentIndex, place: Ints, bounds: Sequence[int]
) -> Iterator[ShardRows | None]:
    """Divide the rows into a temporary file per shard first."""
    if len(bounds) - 1 > 2 * MOST_PARTS:
        needed = 2 * table.rows * ROW_BYTES // MOST_PARTS
        raise UsageError(
            f"{table.path} is not in the order of documents, and the memory allowed is not enough"
            f" to sort its {table.rows:,} rows",
            f"sort it, or --memory {sizes.round_up_size(needed)}",
        )
    shards = SpilledTable(len(bounds) - 1)
    shard_of = np.searchsorted(bounds, place, side="right") - 1
    column, at = table.column("document"), 0
    try:
        with progress(f"dividing {table.path}", table.rows) as advance:
            for batch in table.batches(table.layout.roles):
                number = index.find(IdColumn.of(batch.column(column)))
                line = to_arrow(table.lines(at, at + batch.num_rows))
                rows = _without_codes(table.arrow.Table.from_batches([batch]), table.arrow)
                rows = rows.append_column(_LINE, line)
                rows = rows.append_column(_NUMBER, to_arrow(number))
                shards.add(rows, shard_of[number])
                at += batch.num_rows
                advance(batch.num_rows)
        for shard in range(len(bounds) - 1):
            found = shards.read(shard)
            if found is None:
                yield None
                continue
            number = to_numpy(found.column(_NUMBER))
            document, first_row = number_by_appearance(number)
            yield ShardRows(found, to_numpy(found.column(_LINE)), number[first_row], document)
    finally:
        shards.close()


def _without_codes(table: Any, arrow: Any) -> Any:
    """Decode texts, so that a small file does not hold the dictionary of the whole table."""
    for at, one in enumerate(table.schema):
        if arrow.types.is_dictionary(one.type):
            table = table.set_column(at, one.name, table.column(at).cast(one.type.value_type))
    return table
