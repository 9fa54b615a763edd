"""A shard: whole documents of both sides, counted on an executor by the code of the table engine.

Its rows are row groups that the executor reads, or blocks that other tasks sent. A shard is a pure
function of its rows: a task that is lost, repeated or run twice changes nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from scoref.base.arrays import Ints
from scoref.corpus.fingerprint import Hashes
from scoref.engines.spark.blocks import (
    RowBlock,
    by_bucket,
    compress,
    divide,
    prepare_worker,
    received,
)
from scoref.engines.spark.row_groups import DocumentRange, RowGroup, RowGroups
from scoref.engines.spark.side_table import BlockTable, SideSchema
from scoref.engines.tables.document_index import DocumentIndex
from scoref.engines.tables.document_shards import ROW_BYTES, coded_row_bytes, divide_documents
from scoref.engines.tables.documents_in_shards import ShardCounter, codes_suffice, count_documents
from scoref.engines.tables.id_column import IdColumn
from scoref.engines.tables.row_table import RowTable, TablePair
from scoref.engines.tables.temporary_files import part_of
from scoref.exceptions import FormatError, UsageError
from scoref.formats.table.parquet_files import arrow_module
from scoref.matching.document_pairing import Pairing, find_key_documents, invert_pairing
from scoref.metrics import Metric, find_metrics
from scoref.metrics.table import NOWHERE
from scoref.policy import Policy

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]

SIDES = ("key", "response")
COUNTED = "document string, key_place long, response_place long, counts array<double>"
"""A row per document of either side: its place on each side, if it is there, and its counts."""

REPORT = "report binary, summary string"
"""A row per shard: the rows of COUNTED as a block, and the sums of the shard."""

SIDE_TOTALS = ("mentions", "entities", "singletons", "others", "unassigned")
_MEMORY = re.compile(r"--memory (\w+)")


@dataclass(frozen=True, slots=True)
class ShardTask:
    """What every shard needs: the sides, what is counted, and the memory of a task."""

    sides: tuple[SideSchema, SideSchema]
    policy: Policy
    metrics: tuple[str | Metric, ...]
    memory: int

    def count(self, key: RowTable, response: RowTable) -> tuple[pa.Table, str]:
        """Count a shard: its rows of COUNTED, and its sums as JSON."""
        prepare_worker()
        tables = TablePair(key, response)
        indexes = DocumentIndex.of(key), DocumentIndex.of(response)
        pairing = Pairing(_pair(*indexes), ())
        try:
            counter = count_documents(
                tables,
                indexes,
                pairing,
                find_metrics(self.metrics),
                self.policy,
                memory=self.memory,
            )
        except UsageError as error:
            if not _MEMORY.search(error.hint):
                raise
            hint = r"raise spark.executor.memory until each core of an executor has \1"
            raise UsageError(error.message, _MEMORY.sub(hint, error.hint)) from None
        return _counted(counter, pairing), json.dumps(_sums(counter))

    def report(self, key: RowTable, response: RowTable) -> pa.RecordBatch:
        """Count a shard, and return a row of REPORT; invalid rows are reported, not raised.

        So Spark does not repeat a task that would fail again, and the driver has the problems of
        all shards to begin with the first.
        """
        try:
            table, summary = self.count(key, response)
        except FormatError as error:
            problems = [astuple(one) for one in error.problems]
            of_key = {self.sides[0].source, *self.sides[0].files}
            side = 0 if error.problems[0].path in of_key else 1
            return _report(b"", json.dumps({"side": side, "problems": problems}))
        return _report(compress(table).to_pybytes(), summary)


def _report(report: bytes, summary: str) -> pa.RecordBatch:
    arrow = arrow_module()
    columns = {
        "report": arrow.array([report], arrow.binary()),
        "summary": arrow.array([summary], arrow.string()),
    }
    return arrow.record_batch(columns)


@dataclass(frozen=True, slots=True)
class RangeTask:
    """Reads a range of documents from the files of both sides."""

    task: ShardTask
    groups: tuple[RowGroups, RowGroups]

    def __call__(
        self, planned: tuple[DocumentRange | None, Sequence[RowGroup], Sequence[RowGroup]]
    ) -> Iterator[pa.RecordBatch]:
        """Count the range, in these row groups of both sides."""
        documents, *chosen = planned
        key, response = (
            groups.table(some, documents) for groups, some in zip(self.groups, chosen, strict=True)
        )
        yield self.task.report(key, response)


@dataclass(frozen=True, slots=True)
class DivideDocuments:
    """Divides the rows of a side into buckets of documents."""

    buckets: int

    def __call__(self, chunks: Iterable[pa.Table], side: SideSchema) -> Iterator[RowBlock]:
        """Yield blocks."""
        for rows in chunks:
            bucket = part_of(_document_hashes(rows).view(np.int64), self.buckets)
            yield from divide(rows, bucket, side.name, self.buckets)


def _document_hashes(rows: pa.Table) -> Hashes:
    """Hash what paired documents have in common: `x_0` is `x` (see `document_pairing.py`)."""
    column, arrow = rows.column("document"), arrow_module()
    if column.null_count:  # counting refuses such rows
        column = column.cast(arrow.string()).fill_null("")
    ids = IdColumn.of(column)
    if ids.texts is None:
        return ids.hashes()
    common = arrow_module(".compute").replace_substring_regex(ids.texts, "_0$", "")
    return IdColumn(np.arange(len(common)), common).hashes()[ids.numbers]


@dataclass(frozen=True, slots=True)
class BucketTask:
    """Counts buckets of blocks: what `mapInArrow` calls; `packed` as rows of REPORT."""

    task: ShardTask
    packed: bool

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Put the blocks of each bucket together, and count it."""
        for _, blocks in by_bucket(received(batches)):
            for key, response in self._tables([blocks[name] for name in SIDES]):
                if self.packed:
                    yield self.task.report(key, response)
                else:
                    yield from self.task.count(key, response)[0].combine_chunks().to_batches()

    def _tables(self, blocks: list[list[RowBlock]]) -> Iterator[list[RowTable]]:
        """Yield a bucket as tables; one that exceeds memory is divided by document again."""
        sides = self.task.sides
        nothing = TablePair(*(BlockTable(side, []) for side in sides))
        is_coded = codes_suffice(nothing, find_metrics(self.task.metrics), self.task.policy)
        row_bytes = coded_row_bytes(nothing) if is_coded else ROW_BYTES
        most = self.task.memory // row_bytes
        rows = sum(block.size for of_side in blocks for block in of_side)
        if rows <= most:
            yield [
                BlockTable(side, [block.read() for block in of_side])
                for side, of_side in zip(sides, blocks, strict=True)
            ]
            return
        places = [side.roles.index("document") for side in sides]
        hashes = [
            [_document_hashes(block.read([at])) for block in of_side]
            for at, of_side in zip(places, blocks, strict=True)
        ]
        distinct, times = np.unique(
            np.concatenate([one for of_side in hashes for one in of_side]), return_counts=True
        )
        for low, high in pairwise(divide_documents(times, most)):
            wanted = distinct[low:high]
            yield [
                BlockTable(
                    side,
                    (
                        block.read().filter(arrow_module().array(np.isin(found, wanted)))
                        for block, found in zip(of_side, of_blocks, strict=True)
                    ),
                )
                for side, of_side, of_blocks in zip(sides, blocks, hashes, strict=True)
            ]


def _pair(key: DocumentIndex, response: DocumentIndex) -> Ints:
    """Return the key document of each response document; the driver says what is missing."""
    if key.names == response.names:
        return np.arange(len(key))
    return find_key_documents(key.without_mentions(), response.without_mentions())


def _counted(counter: ShardCounter, pairing: Pairing) -> pa.Table:
    """Return the rows of COUNTED."""
    arrow = arrow_module()
    key, response = counter.indexes
    extra = np.flatnonzero(pairing.key_document == NOWHERE)
    of_key = np.append(np.arange(len(key)), np.full(len(extra), NOWHERE))
    of_response = np.append(invert_pairing(pairing.key_document, len(key)), extra)
    matrix = np.concatenate(list(counter.counts.values()), axis=1)
    size = arrow.list_(arrow.float64(), matrix.shape[1])
    counts = arrow.FixedSizeListArray.from_arrays(matrix.ravel(), type=size)
    counts = counts.cast(arrow.list_(arrow.float64()))
    nulls = arrow.nulls(len(extra), counts.type)
    names = [*key.names, *(response.names[at] for at in extra.tolist())]
    return arrow.table(
        {
            "document": arrow.array(names, arrow.string()),
            "key_place": _places(key.line, of_key),
            "response_place": _places(response.line, of_response),
            "counts": arrow.concat_arrays([counts, nulls]),
        }
    )


def no_counts() -> pa.Table:
    """Return rows of COUNTED of no documents."""
    arrow = arrow_module()
    fields = {
        "document": arrow.string(),
        "key_place": arrow.int64(),
        "response_place": arrow.int64(),
        "counts": arrow.list_(arrow.float64()),
    }
    return arrow.schema(list(fields.items())).empty_table()


def _places(line: Ints, at: Ints) -> Any:
    """Return the places of documents, null for those that are absent."""
    return arrow_module().array(np.append(line, 0)[at], mask=at == NOWHERE)


def _sums(counter: ShardCounter) -> dict[str, Any]:
    summary = counter.summary
    found: dict[str, Any] = {
        "has_matches": summary.has_matches,
        "scored": summary.scored,
        "fingerprint": counter.hash_total,
        "inferred": list(summary.inferred),
    }
    for name, side in zip(SIDES, (summary.key, summary.response), strict=True):
        found[name] = {total: getattr(side, total) for total in SIDE_TOTALS}
        found[name]["repeats"] = list(side.repeats)
    return found
