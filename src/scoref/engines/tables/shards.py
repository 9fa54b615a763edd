"""Ranges of documents that fit into memory, and the rows of both sides that belong to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from scoref.alignment.document_pairing import ABSENT, Pairing
from scoref.base import memory as sizes
from scoref.base.arrays import Ints, number_by_appearance
from scoref.base.progress import progress
from scoref.engines.tables.parquet import ParquetSide, Sides, Taken
from scoref.engines.tables.scan import Scan
from scoref.engines.tables.spill import MOST_PARTS, Parts
from scoref.engines.tables.values import Values, as_arrow, as_numbers
from scoref.exceptions import UsageError

ROW_BYTES = 400
"""Memory that a row takes while its shard is counted, with room to spare."""

NUMBERS_BYTES = 200
"""The same if ids are whole numbers, and no corpus is made."""

_ROWS = 1 << 19
"""Larger shards gain nothing, and leave the caches of a processor."""

_LINE, _NUMBER = "line of the file", "number of the document"


class Plan(NamedTuple):
    """All documents in one order, the key's and then those that only the response has.

    `response` is the place of each response document in it. `bounds` divide it into shards.
    """

    keys: int
    response: Ints
    bounds: list[int]

    @property
    def response_is_in_order(self) -> bool:
        """Whether the response has its documents in this order."""
        return bool((self.response[1:] > self.response[:-1]).all())


class Rows(NamedTuple):
    """Some rows of a side as Arrow has them, their lines in its file, and their documents.

    `numbers` are those that documents have in the file, as they appear here; `document` is the
    place of each row's among these.
    """

    table: Any
    line: Ints
    numbers: Ints
    document: Ints


def row_bytes(sides: Sides) -> int:
    """Return the memory that a row takes if no corpus is made."""
    texts = any(side.is_text(role) for side in sides for role in side.layout.roles)
    return ROW_BYTES if texts else NUMBERS_BYTES


def plan(key: Scan, response: Scan, pairing: Pairing, memory: int, row: int = ROW_BYTES) -> Plan:
    """Divide the documents of both sides into ranges that fit into memory, so much for a row."""
    extra = pairing.key_document == ABSENT
    place = pairing.key_document.copy()
    place[extra] = len(key.rows) + np.arange(np.count_nonzero(extra))
    rows = np.concatenate([key.rows, np.zeros(np.count_nonzero(extra), dtype=np.int64)])
    np.add.at(rows, place, response.rows)
    most = max(memory // row, 1)
    if int(rows.max(initial=0)) > most:
        at = int(np.argmax(rows))
        extras = [name for name, one in zip(response.names, extra, strict=True) if one]
        raise UsageError(
            f"document {[*key.names, *extras][at]} has {rows[at]:,} rows on both sides together,"
            f" more than fit into {sizes.format_size(memory)} of memory",
            f"--memory {sizes.round_up_size(int(rows[at]) * row)}",
        )
    is_sorted = key.is_contiguous and response.is_contiguous and bool((np.diff(place) > 0).all())
    # A side that is not must be divided in temporary files, of which there may not be too many.
    rows_each = _ROWS if is_sorted else max(_ROWS, 2 * int(rows.sum()) // MOST_PARTS)
    return Plan(len(key.rows), place, _bounds(rows, min(most, rows_each)))


def _bounds(rows: Ints, most: int) -> list[int]:
    """Divide documents into ranges of not much more than so many rows, or of one document."""
    total = np.cumsum(rows)
    bounds = [0]
    while bounds[-1] < len(rows) or len(bounds) == 1:
        before = int(total[bounds[-1] - 1]) if bounds[-1] else 0
        end = int(np.searchsorted(total, before + most, side="right"))
        bounds.append(max(end, bounds[-1] + 1))
    return bounds


def in_order(
    side: ParquetSide, rows: Ints, place: Ints, bounds: Sequence[int]
) -> Iterator[Rows | None]:
    """Yield the rows of each range of documents, which stand in this order in the file."""
    ends = np.concatenate([[0], np.cumsum(rows)])
    taken = Taken(side.batches(side.layout.roles), side.arrow)
    for low, high in pairwise(bounds):
        start, stop = (int(np.searchsorted(place, at)) for at in (low, high))
        first, end = int(ends[start]), int(ends[stop])
        table = taken.take(first, end)
        if table is None:
            yield None
            continue
        document = np.repeat(np.arange(stop - start), rows[start:stop])
        yield Rows(table, np.arange(first + 1, end + 1), np.arange(start, stop), document)


def divided(
    side: ParquetSide, scan: Scan, place: Ints, bounds: Sequence[int]
) -> Iterator[Rows | None]:
    """Yield the rows of each range of documents, wherever they stand in the file."""
    if len(bounds) - 1 > 2 * MOST_PARTS:
        needed = 2 * side.rows * ROW_BYTES // MOST_PARTS
        raise UsageError(
            f"{side.path} is not in the order of documents, and the memory allowed is not enough"
            f" to sort its {side.rows:,} rows",
            f"sort it, or --memory {sizes.round_up_size(needed)}",
        )
    parts = Parts(len(bounds) - 1)
    shard_of = np.searchsorted(bounds, place, side="right") - 1
    column, at = side.column("document"), 0
    try:
        with progress(f"dividing {side.path}", side.rows) as advance:
            for batch in side.batches(side.layout.roles):
                number = scan.numbers(Values.of(batch.column(column)))
                line = as_arrow(np.arange(at + 1, at + 1 + batch.num_rows))
                rows = _without_codes(side.arrow.Table.from_batches([batch]), side.arrow)
                rows = rows.append_column(_LINE, line)
                rows = rows.append_column(_NUMBER, as_arrow(number))
                parts.add(rows, shard_of[number])
                at += batch.num_rows
                advance(batch.num_rows)
        for one in range(len(bounds) - 1):
            table = parts.read(one)
            if table is None:
                yield None
                continue
            number = as_numbers(table.column(_NUMBER))
            document, first_row = number_by_appearance(number)
            yield Rows(table, as_numbers(table.column(_LINE)), number[first_row], document)
    finally:
        parts.close()


def _without_codes(table: Any, arrow: Any) -> Any:
    """Return texts as such: a file of few rows should not hold all texts that codes are for."""
    for at, one in enumerate(table.schema):
        if arrow.types.is_dictionary(one.type):
            table = table.set_column(at, one.name, table.column(at).cast(one.type.value_type))
    return table
