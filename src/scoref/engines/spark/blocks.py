"""Blocks: many rows in one value, so that Spark moves a few thousand values instead of rows.

A map task divides its rows into buckets with NumPy, and writes the rows of each bucket as one
compressed block of Arrow data. Spark moves the blocks of a bucket to one place, where a task puts
them together again, as columns of integers or as a `BlockTable`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from scoref.base.arrays import Ints
from scoref.base.memory import allow_malloc_settings, keep_freed_memory
from scoref.corpus.attributes import concatenate_columns
from scoref.corpus.corpus import Corpus
from scoref.engines.spark.side_schema import PLACE, SideSchema
from scoref.engines.tables.id_column import to_arrow, to_numpy
from scoref.engines.tables.row_table import BATCH_ROWS, RowTable
from scoref.engines.tables.spill import part_of, sort_by_part
from scoref.exceptions import Problem
from scoref.formats.table.layout import NUMBERS, TableLayout
from scoref.formats.table.parquet_files import ArrowSource, arrow_module

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]
    from pyspark.sql import DataFrame

SCHEMA = "bucket int, kind string, size long, block binary"
"""A block: what is in it, and how many rows it has."""

MOST_BUCKETS = 2000
_LARGEST = 8_000_000
"""Bytes of a block before compression. Spark and Arrow put many blocks into a batch of 2 GB."""

_SENT = 64
"""Blocks in a batch that is sent to Spark."""


class RowBlock(NamedTuple):
    """Some rows of a bucket, written."""

    bucket: int
    kind: str
    size: int
    data: Any

    def read(self, columns: Sequence[int] | None = None) -> pa.Table:
        """Return the rows, or some of their columns by position."""
        return decompress(self.data, columns)


Columns = Mapping[str, Ints]
"""Columns of integers, by name."""


def read_columns(blocks: Sequence[RowBlock], names: Sequence[str]) -> dict[str, Ints]:
    """Put blocks of columns together; the columns are empty if there are no blocks."""
    tables = [block.read() for block in blocks]
    nothing = np.zeros(0, dtype=np.int64)
    return {
        name: np.concatenate([nothing, *(to_numpy(table.column(name)) for table in tables)])
        for name in names
    }


def prepare_worker() -> None:
    """Let the Python process of an executor keep memory for its next blocks, as a command does."""
    allow_malloc_settings()
    keep_freed_memory()


def divide(rows: pa.Table, bucket: Ints, kind: str, buckets: int) -> Iterator[RowBlock]:
    """Divide rows into buckets; rows of a bucket stay in their order."""
    if buckets > 1:
        rows = rows.combine_chunks().take(to_arrow(sort_by_part(bucket)))
    ends = np.cumsum(np.bincount(bucket, minlength=buckets))
    for number, (at, end) in enumerate(pairwise([0, *ends.tolist()])):
        if end > at:
            yield from write_blocks(rows.slice(at, end - at), number, kind)


def divide_columns(columns: Columns, ids: Ints, kind: str, buckets: int) -> Iterator[RowBlock]:
    """Divide columns of integers into buckets by ids."""
    return divide(_to_table(columns), part_of(ids, buckets), kind, buckets)


def write_columns(columns: Columns, bucket: int, kind: str) -> Iterator[RowBlock]:
    """Write columns of integers as blocks of one bucket."""
    return write_blocks(_to_table(columns), bucket, kind)


def _to_table(columns: Columns) -> pa.Table:
    return arrow_module().table({name: to_arrow(column) for name, column in columns.items()})


def write_blocks(rows: pa.Table, bucket: int, kind: str) -> Iterator[RowBlock]:
    """Write rows as one block, or as several if they are too large for one."""
    parts = -(-max(rows.nbytes, 1) // _LARGEST)
    each = -(-rows.num_rows // parts) or 1
    for at in range(0, max(rows.num_rows, 1), each):
        some = rows.slice(at, each)
        yield RowBlock(bucket, kind, some.num_rows, compress(some))


def compress(rows: pa.Table) -> pa.Buffer:
    """Write rows as a stream of Arrow."""
    ipc, sink = arrow_module(".ipc"), arrow_module().BufferOutputStream()
    options = ipc.IpcWriteOptions(compression="lz4")
    with ipc.new_stream(sink, rows.schema, options=options) as writer:
        writer.write_table(rows)
    return sink.getvalue()


def decompress(data: pa.Buffer, columns: Sequence[int] | None = None) -> pa.Table:
    """Read the rows of a stream of Arrow, or some of their columns by position."""
    ipc = arrow_module(".ipc")
    options = ipc.IpcReadOptions(included_fields=list(columns) if columns else None)
    return ipc.open_stream(data, options=options).read_all()


def send(blocks: Iterable[RowBlock]) -> Iterator[pa.RecordBatch]:
    """Yield blocks as rows of SCHEMA, some at a time."""
    waiting: list[RowBlock] = []
    for block in blocks:
        waiting.append(block)
        if len(waiting) == _SENT or sum(len(one.data) for one in waiting) > _LARGEST:
            yield _to_batch(waiting)
            waiting = []
    if waiting:
        yield _to_batch(waiting)


def _to_batch(blocks: Sequence[RowBlock]) -> pa.RecordBatch:
    arrow = arrow_module()
    types = (arrow.int32(), arrow.string(), arrow.int64(), arrow.binary())
    columns = zip(*(one._replace(data=one.data.to_pybytes()) for one in blocks), strict=True)
    arrays = [arrow.array(list(one), kind) for one, kind in zip(columns, types, strict=True)]
    return arrow.record_batch(arrays, names=["bucket", "kind", "size", "block"])


def received(batches: Iterable[pa.RecordBatch]) -> Iterator[RowBlock]:
    """Read rows of SCHEMA; the data of a block is not copied."""
    for batch in batches:
        bucket, kind, size = (batch.column(at).to_pylist() for at in range(3))
        data = (cell.as_buffer() for cell in batch.column(3))
        yield from map(RowBlock, bucket, kind, size, data)


def by_bucket(blocks: Iterable[RowBlock]) -> Iterator[tuple[int, dict[str, list[RowBlock]]]]:
    """Group the blocks of a task by bucket and kind: a task has one bucket if Spark allows it."""
    found: dict[int, dict[str, list[RowBlock]]] = defaultdict(lambda: defaultdict(list))
    for block in blocks:
        found[block.bucket][block.kind].append(block)
    while found:
        yield found.popitem()


@dataclass(frozen=True, slots=True)
class StepTask:
    """A step of work on the blocks of each bucket: what `mapInArrow` calls on executors.

    `step` gets the number of a bucket and its blocks of the kinds that it `takes`, and yields
    blocks. All other blocks are passed on.
    """

    step: Callable[[int, Mapping[str, Sequence[RowBlock]]], Iterator[RowBlock]]
    takes: frozenset[str]

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Run the step for each bucket."""
        prepare_worker()
        for bucket, kinds in by_bucket(received(batches)):
            others = (one for kind in kinds.keys() - self.takes for one in kinds[kind])
            yield from send(chain(others, self.step(bucket, kinds)))


def shuffle(frame: DataFrame, buckets: int) -> DataFrame:
    """Move the blocks of each bucket to a task of its own."""
    if hasattr(frame, "repartitionById"):  # since Spark 4.1
        return frame.repartitionById(buckets, "bucket")
    return frame.repartition(buckets, "bucket")


class BlockTable(RowTable):
    """Rows of a side, in the order of their places or of their ids."""

    def __init__(self, side: SideSchema, tables: Iterable[pa.Table]) -> None:
        ArrowSource.__init__(self, side.source, side.size)
        self._side = side
        at = {role: number for number, role in enumerate(side.roles)}
        self.layout = TableLayout(side.roles, at)
        self.schema = self.arrow.schema(list(side.types.items()))
        self._rows = self._in_order([*tables, _nothing(side)])
        self.rows = self._rows.num_rows
        zeros = np.zeros(self.rows, dtype=np.int64)
        self._places = to_numpy(self._rows.column(PLACE)) if side.has_places else zeros

    def _in_order(self, tables: list[pa.Table]) -> pa.Table:
        rows = self.arrow.concat_tables(tables)
        if not self._side.has_places:
            return _sort_by_ids(rows, self._side)
        place = to_numpy(rows.column(PLACE))
        if (place[1:] > place[:-1]).all():
            return rows
        return rows.take(to_arrow(np.argsort(place, kind="stable")))

    def batches(self, roles: Collection[str]) -> Iterator[Any]:
        """Yield all rows, with some of their columns."""
        yield from self._rows.select(list(roles)).to_batches(BATCH_ROWS)

    def lines(self, first: int, end: int) -> Ints:
        """Return the places of some rows."""
        return self._places[first:end]

    def locate(self, problems: Iterable[Problem]) -> list[Problem]:
        """Leave places as they are: the driver puts problems in order."""
        return list(problems)

    def complete(self, corpus: Corpus) -> Corpus:
        """Add the attributes that the table has in other buckets, with empty values."""
        roles = self._side.roles
        of_entities = {role.removeprefix("entity_") for role in roles if role.startswith("entity_")}
        of_mentions = {role for role in roles if role in {"type", "role", "style", "head_text"}}

        def fill(columns: Any, names: set[str], size: int) -> dict[str, Any]:
            nothing = {name: np.full(size, "") for name in names if name not in columns}
            return concatenate_columns([({**columns, **nothing}, size)])

        return replace(
            corpus,
            attributes=fill(corpus.attributes, of_mentions, len(corpus)),
            entity_attributes=fill(corpus.entity_attributes, of_entities, corpus.entity_count),
        )


def _nothing(side: SideSchema) -> pa.Table:
    fields = dict(side.types)
    if side.has_places:
        fields[PLACE] = arrow_module().int64()
    return arrow_module().schema(list(fields.items())).empty_table()


def _sort_by_ids(rows: pa.Table, side: SideSchema) -> pa.Table:
    """Sort rows without places; ids that are numbers are sorted as texts, as on other engines."""
    by = {name: rows.column(name) for name in side.order}
    for name in by.keys() - NUMBERS:
        by[name] = by[name].cast(arrow_module().string())
    keys = [(name, "ascending") for name in by]
    order = arrow_module(".compute").sort_indices(arrow_module().table(by), sort_keys=keys)
    return rows.take(order)
