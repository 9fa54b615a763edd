"""Blocks: many rows in one value, so that Spark moves a few thousand values instead of rows.

A map task divides its rows into buckets with NumPy, and writes the rows of each bucket as one
compressed block of Arrow data. Spark moves the blocks of a bucket to one place, where a task puts
them together again, as columns of integers or as a `BlockTable`. The driver gets few and small
blocks: `Collected`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from scoref.base.arrays import Ints
from scoref.base.memory import allow_malloc_settings, keep_freed_memory
from scoref.engines.tables.id_column import to_arrow, to_numpy
from scoref.engines.tables.temporary_files import part_of, sort_by_part
from scoref.formats.table.parquet_files import arrow_module

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]
    from pyspark.sql import DataFrame, SparkSession

SCHEMA = "bucket int, kind string, size long, block binary"
"""A block: what is in it, and how many rows it has."""

TOTALS = "totals"
"""The kind of blocks with numbers that the driver adds up."""

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


def write_totals(totals: dict[str, int], bucket: int = 0) -> Iterator[RowBlock]:
    """Write numbers for the driver, which adds them up modulo 2**64."""
    arrays = {name: np.array([number % 2**64], np.uint64) for name, number in totals.items()}
    return write_columns({name: one.view(np.int64) for name, one in arrays.items()}, bucket, TOTALS)


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


@dataclass(frozen=True, slots=True)
class _ItemTask:
    """Works on the items with the numbers that it gets: what `mapInArrow` calls on executors."""

    items: Sequence[Any]
    work: Callable[[Any], Iterator[pa.RecordBatch]]

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield what the work on each item yields."""
        prepare_worker()
        for batch in batches:
            for number in batch.column(0).to_pylist():
                yield from self.work(self.items[number])


def for_each(
    spark: SparkSession,
    items: Sequence[Any],
    work: Callable[[Any], Iterator[pa.RecordBatch]],
    schema: Any,
) -> DataFrame:
    """Work on each item in a task of its own, which yields rows of the schema."""
    numbers = spark.range(0, len(items), 1, len(items))
    return numbers.mapInArrow(_ItemTask(items, work), schema)


def shuffle(frame: DataFrame, buckets: int) -> DataFrame:
    """Move the blocks of each bucket to a task of its own."""
    if hasattr(frame, "repartitionById"):  # since Spark 4.1
        return frame.repartitionById(buckets, "bucket")
    return frame.repartition(buckets, "bucket")


def persist(frame: DataFrame, stack: ExitStack) -> DataFrame:
    """Cache a DataFrame that is used again, in memory or on disk, until the stack is closed."""
    stack.callback(frame.persist().unpersist)
    return frame


@dataclass(frozen=True, slots=True, eq=False)
class Collected:
    """Blocks of some kinds, and the totals of all tasks."""

    blocks: tuple[RowBlock, ...]
    totals: dict[str, int]

    @classmethod
    def of(cls, frame: DataFrame, kinds: Iterable[str]) -> Collected:
        """Run what makes a DataFrame of blocks, and fetch those of some kinds, and totals."""
        wanted = ", ".join(f"'{kind}'" for kind in (*kinds, TOTALS))
        rows = frame.where(f"kind in ({wanted})").toArrow()
        blocks = tuple(received(rows.to_batches()))
        totals: dict[str, int] = {}
        for block in blocks:
            if block.kind == TOTALS:
                for name, (number,) in block.read().to_pydict().items():
                    totals[name] = totals.get(name, 0) + number
        return cls(blocks, totals)

    def total(self, name: str) -> int:
        """Return a total, or 0 if no task reported it."""
        return self.totals.get(name, 0)

    def columns(self, kinds: Sequence[str], names: Sequence[str]) -> list[Ints]:
        """Return the columns of all blocks of some kinds."""
        blocks = [block for block in self.blocks if block.kind in kinds]
        return list(read_columns(blocks, names).values())
