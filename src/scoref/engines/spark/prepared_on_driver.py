"""Files that only scoref's own readers can read: prepared on the driver, counted on Spark."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scoref.alignment.alignment import Alignment
from scoref.base.arrays import Ints
from scoref.counts.counts import Counts
from scoref.engines.assembly import assemble_prepared
from scoref.engines.spark.counts_matrix import collect_rows, from_matrix, read_matrix, to_matrix
from scoref.engines.spark.documents import ROWS_PER_SHARD
from scoref.exceptions import UsageError
from scoref.metrics import Metric, find_metrics, portable
from scoref.metrics.base import SAME_MENTIONS
from scoref.overlap.table import NOWHERE
from scoref.policy import Policy
from scoref.preparation.inputs import ReadOptions
from scoref.preparation.needs import needs_of
from scoref.preparation.pipeline import prepare
from scoref.result import Result

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]
    from pyspark.sql import SparkSession

_SCHEMA = "unit long, counts array<double>"


@dataclass(frozen=True, slots=True)
class _AlignmentTask:
    """Counts the aligned mentions of some units: what `mapInArrow` calls on executors."""

    metrics: tuple[str | Metric, ...]

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa  # noqa: PLC0415  # executors have it

        rows = collect_rows(batches)
        if rows is None:
            return
        unit, key, res = (rows.column(name).to_numpy() for name in ("unit", "key", "res"))
        units, unit = np.unique(unit, return_inverse=True)
        alignment = _alignment(tuple(map(str, units)), unit, _renumber(key), _renumber(res))
        values = to_matrix(Counts.of(alignment.table(), find_metrics(self.metrics)))
        kind = pa.list_(pa.float64())
        yield pa.record_batch({"unit": units, "counts": pa.array(values.tolist(), kind)})


def _alignment(units: tuple[str, ...], unit: Ints, key: Ints, res: Ints) -> Alignment:
    """Return an alignment without the rows of the corpora."""
    nowhere = np.full(len(unit), NOWHERE, dtype=np.int64)
    return Alignment(units, unit, key, res, key_row=nowhere, res_row=nowhere)


def _renumber(entity: Ints) -> Ints:
    """Number entities from 0 in the order of their numbers; NOWHERE stays."""
    distinct, number = np.unique(entity, return_inverse=True)
    return number - 1 if len(distinct) and distinct[0] == NOWHERE else number


def score_other_files(
    spark: SparkSession,
    key: str,
    response: str,
    metrics: Sequence[Metric],
    policy: Policy,
    *,
    options: ReadOptions,
) -> Result:
    """Prepare two files on the driver, and count them on Spark."""
    import pyarrow as pa  # noqa: PLC0415

    for metric in metrics:
        if needs := needs_of([metric]) - {SAME_MENTIONS}:
            raise UsageError(
                f"{metric.name} requires {', '.join(sorted(needs))}, which the Spark engine can"
                " only read from tables",
                "convert the files with `scoref convert`, or score without --engine",
            )
    prepared = prepare(key, response, policy, options)
    joined = prepared.alignment
    table = pa.table({"unit": joined.unit, "key": joined.key, "res": joined.res})
    shards = max(len(joined.unit) // ROWS_PER_SHARD + 1, spark.sparkContext.defaultParallelism)
    frame = spark.createDataFrame(table).repartition(shards, "unit")
    found = frame.mapInArrow(_AlignmentTask(tuple(portable(metrics))), _SCHEMA).toArrow()
    # Units without mentions are in no shard.
    nothing = np.zeros(0, dtype=np.int64)
    matrix = to_matrix(
        Counts.of(_alignment(joined.units, nothing, nothing, nothing).table(), metrics)
    )
    matrix[found.column("unit").to_numpy()] = read_matrix(found.column("counts"), metrics)
    return assemble_prepared(from_matrix(joined.units, metrics, matrix), prepared)
