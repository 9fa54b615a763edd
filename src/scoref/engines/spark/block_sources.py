"""Where blocks come from: rows that Spark reads, or row groups that executors read themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from scoref.base.arrays import Ints, first_of_run
from scoref.engines.spark.blocks import SCHEMA, RowBlock, for_each, prepare_worker, send
from scoref.engines.spark.row_groups import RowGroup, RowGroups
from scoref.engines.spark.side_table import FILE, FILE_BITS, PLACE, BlockTable, SideSchema
from scoref.engines.spark.table_files import path_of
from scoref.engines.tables.id_column import to_arrow, to_numpy
from scoref.formats.table.parquet_files import arrow_module

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]
    from pyspark.sql import DataFrame

    from scoref.engines.spark.dataframes import SideFrame

Divide = Callable[["Iterable[pa.Table]", SideSchema], Iterator[RowBlock]]
"""Divides rows of a side, which come some at a time, into blocks."""

_CHUNK_ROWS = 1 << 20
_ROWS_PER_READ = 2 << 20


def blocks_of(sides: Sequence[SideFrame], divide: Divide) -> DataFrame:
    """Return the rows of both sides as blocks; nothing is run yet."""
    groups = [side.groups for side in sides if side.groups is not None]
    if len(groups) == len(sides):
        chunks = [(source, some) for source in groups for some in source.chunks(_ROWS_PER_READ)]
        spark = sides[0].frame.sparkSession
        return for_each(spark, chunks, partial(_divide_groups, divide), SCHEMA)
    key, response = (
        side.frame.mapInArrow(_FrameTask(side.schema, side.uris, divide), SCHEMA) for side in sides
    )
    return key.union(response)


def _divide_groups(
    divide: Divide, chunk: tuple[RowGroups, Sequence[RowGroup]]
) -> Iterator[pa.RecordBatch]:
    """Read a chunk of row groups, and yield its blocks."""
    source, groups = chunk
    return send(divide(_read_groups(source, groups), source.schema))


def _read_groups(source: RowGroups, groups: Sequence[RowGroup]) -> Iterator[pa.Table]:
    """Yield the rows of row groups, with columns named by role and their places."""
    side, table = source.schema, source.table(groups)
    at = 0
    for found in _in_chunks(table.batches(side.roles)):
        end = at + found.num_rows
        columns = {
            role: found.column(table.column(role)).cast(side.types[role]) for role in side.roles
        }
        yield arrow_module().table({**columns, PLACE: to_arrow(table.lines(at, end))})
        at = end


def _in_chunks(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    """Put batches together to tables of about a million rows."""
    waiting: list[pa.RecordBatch] = []
    for batch in batches:
        waiting.append(batch)
        if sum(one.num_rows for one in waiting) >= _CHUNK_ROWS:
            yield arrow_module().Table.from_batches(waiting)
            waiting = []
    if waiting:
        yield arrow_module().Table.from_batches(waiting)


@dataclass(frozen=True, slots=True)
class _FrameTask:
    """Divides what Spark reads of a side from files with these URIs: what `mapInArrow` calls."""

    side: SideSchema
    uris: tuple[str, ...]
    divide: Divide

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield blocks."""
        prepare_worker()
        yield from send(self.divide(map(self._normal, _in_chunks(batches)), self.side))

    def _normal(self, rows: pa.Table) -> pa.Table:
        """Return the columns of all roles, with the types and places of the side."""
        place = self._places(rows)
        columns = {role: rows.column(role).cast(self.side.types[role]) for role in self.side.roles}
        if self.side.files:
            self._check_texts(arrow_module().table(columns), place >> FILE_BITS)
        if self.side.has_places:
            columns[PLACE] = to_arrow(place)
        return arrow_module().table(columns)

    def _check_texts(self, rows: pa.Table, file: Ints) -> None:
        """Refuse damaged texts in files, as the local engine does; a DataFrame has any texts."""
        source = BlockTable(self.side, [])
        numbers = set(file[first_of_run(file)].tolist())
        for number in numbers:
            of_file = rows if len(numbers) == 1 else rows.filter(file == number)
            with source.reading(shown := self.side.files[number]):
                source.check_rows(of_file, shown)

    def _places(self, rows: pa.Table) -> Ints:
        if not self.side.has_places:
            return np.zeros(rows.num_rows, dtype=np.int64)
        place = to_numpy(rows.column(PLACE).fill_null(0))
        if FILE not in rows.column_names:
            return place
        files = rows.column(FILE).dictionary_encode().combine_chunks()
        numbers = {path_of(uri): number for number, uri in enumerate(self.uris)}
        number = np.array([numbers[path_of(uri)] for uri in files.dictionary.to_pylist()])
        found: Ints = (number[to_numpy(files.indices)] << FILE_BITS) + place
        return found
