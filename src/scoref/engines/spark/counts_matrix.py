"""The counts of all metrics as one matrix, and as one column of arrays in a DataFrame."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from scoref.base.arrays import Floats
from scoref.counts.counts import Counts
from scoref.metrics import Metric

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]


def to_matrix(counts: Counts) -> Floats:
    """Return the counts of all metrics side by side, a row per unit."""
    return np.concatenate([counts.rows[metric.name] for metric in counts.metrics], axis=1)


def from_matrix(units: Sequence[str], metrics: Sequence[Metric], matrix: Floats) -> Counts:
    """Return the counts that a matrix has."""
    ends = np.cumsum([len(metric.columns) for metric in metrics])
    parts = np.split(matrix, ends[:-1], axis=1)
    rows = {metric.name: part for metric, part in zip(metrics, parts, strict=True)}
    return Counts(tuple(units), tuple(metrics), rows)


def read_matrix(column: Any, metrics: Sequence[Metric]) -> Floats:
    """Return the matrix of an Arrow column of arrays, with zeros for nulls."""
    width = sum(len(metric.columns) for metric in metrics)
    exists = column.is_valid().to_numpy()
    matrix = np.zeros((len(exists), width))
    matrix[exists] = column.drop_null().combine_chunks().flatten().to_numpy().reshape(-1, width)
    return matrix


def collect_rows(batches: Iterator[pa.RecordBatch]) -> pa.Table | None:
    """Return all rows that an executor gets, or None if there are none."""
    import pyarrow as pa  # noqa: PLC0415  # executors have it

    collected = [batch for batch in batches if batch.num_rows]
    return pa.Table.from_batches(collected) if collected else None
