"""Files that only our own readers know: read and joined on the driver, counted on Spark."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scoref.alignment.alignment import Alignment
from scoref.base.arrays import Ints
from scoref.counts.counts import Counts
from scoref.engines.assembly import assemble_prepared
from scoref.exceptions import UsageError
from scoref.metrics import Metric, MetricLike, find_metrics
from scoref.metrics.needs import SAME_MENTIONS
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
class _Count:
    """Counts the joined mentions of some units on an executor."""

    metrics: tuple[MetricLike, ...]

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa  # noqa: PLC0415  # executors have it

        given = list(batches)
        if not sum(batch.num_rows for batch in given):
            return
        rows = pa.Table.from_batches(given)
        of, key, res = (rows.column(name).to_numpy() for name in ("unit", "key", "res"))
        units, unit = np.unique(of, return_inverse=True)
        nowhere = np.full(len(unit), NOWHERE, dtype=np.int64)
        alignment = Alignment(
            units=tuple(map(str, units)),
            unit=unit,
            key=_renumbered(key),
            res=_renumbered(res),
            key_row=nowhere,
            res_row=nowhere,
        )
        metrics = find_metrics(self.metrics)
        counts = Counts.of(alignment.table(), metrics)
        values = np.concatenate([counts.rows[metric.name] for metric in metrics], axis=1)
        kind = pa.list_(pa.float64())
        yield pa.record_batch({"unit": units, "counts": pa.array(values.tolist(), kind)})


def _renumbered(entity: Ints) -> Ints:
    """Number entities from 0 in the order of their numbers; who is nowhere stays there."""
    distinct, number = np.unique(entity, return_inverse=True)
    return number - 1 if len(distinct) and distinct[0] == NOWHERE else number


def score_read(
    spark: SparkSession,
    key: str,
    response: str,
    metrics: Sequence[MetricLike],
    policy: Policy,
    *,
    options: ReadOptions,
) -> Result:
    """Read and join two files here, and count on Spark."""
    import pyarrow as pa  # noqa: PLC0415

    chosen = find_metrics(metrics)
    _check(chosen)
    prepared = prepare(key, response, policy, options)
    joined = prepared.alignment
    table = pa.table({"unit": joined.unit, "key": joined.key, "res": joined.res})
    shards = max(len(joined.unit) // 250_000 + 1, spark.sparkContext.defaultParallelism)
    frame = spark.createDataFrame(table).repartition(shards, "unit")
    found = frame.mapInArrow(_Count(tuple(metrics)), _SCHEMA).toArrow()
    return assemble_prepared(_together(found, joined.units, chosen), prepared)


def _check(metrics: Sequence[Metric]) -> None:
    for metric in metrics:
        if needs := needs_of([metric]) - {SAME_MENTIONS}:
            raise UsageError(
                f"{metric.name} needs {', '.join(sorted(needs))}, which the Spark engine has from"
                " tables alone",
                "`scoref convert` makes a Parquet table of any file; or score without --engine",
            )


def _together(found: pa.Table, units: tuple[str, ...], metrics: Sequence[Metric]) -> Counts:
    """Put the counts of all units in order; a unit without mentions has none of its own."""
    none = np.zeros(0, dtype=np.int64)
    empty = Alignment(units, none, none, none, none, none)
    nothing = Counts.of(empty.table(), metrics)
    rows = np.concatenate([nothing.rows[metric.name] for metric in metrics], axis=1)
    if found.num_rows:
        values = np.array(found.column("counts").to_pylist(), dtype=np.float64)
        rows[found.column("unit").to_numpy()] = values
    ends = np.cumsum([len(metric.columns) for metric in metrics])
    parts = np.split(rows, ends[:-1], axis=1)
    return Counts(units, tuple(metrics), {m.name: p for m, p in zip(metrics, parts, strict=True)})
