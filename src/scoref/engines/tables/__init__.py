"""Tables larger than memory: scored from Parquet files, piece by piece.

Where there are documents, the counts are those of scoring the tables at once, to the last bit.
Without a column of documents, all is one unit (the records of entity resolution), whose sums are
those of scoring at once but for rounding. The result has counts and no alignment.
"""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike

from scoref.engines.tables.documents import score_documents
from scoref.engines.tables.memory import allowed, shown
from scoref.engines.tables.parquet import ParquetSide, Sides
from scoref.engines.tables.records import score_records
from scoref.exceptions import UsageError
from scoref.grouping import DOCUMENT
from scoref.metrics import MetricLike, find_metrics
from scoref.policy import Policy
from scoref.result import Result

AT_ONCE_BYTES = 400
"""Memory that a row takes when tables are scored at once."""


def score_large(
    key: str | PathLike[str],
    response: str | PathLike[str],
    metrics: Iterable[MetricLike] | None,
    policy: Policy,
    *,
    memory: str | int | None = None,
    ceaf_time_limit: float | None = None,
) -> Result | None:
    """Score two Parquet tables if they do not fit into memory; else return None."""
    limit = allowed(memory)
    sides = Sides(ParquetSide(key), ParquetSide(response))
    if sum(side.rows for side in sides) * AT_ONCE_BYTES <= limit:
        return None
    if ceaf_time_limit is not None or policy.compat != "none":
        asked = "--ceaf-time-limit" if policy.compat == "none" else "--compat"
        raise UsageError(
            f"tables larger than {shown(limit)} cannot be scored with {asked}",
            "raise --memory, or leave it out",
        )
    return score_tables(sides, metrics, policy, limit)


def score_tables(
    sides: Sides, metrics: Iterable[MetricLike] | None, policy: Policy, memory: int
) -> Result:
    """Score two tables in pieces that fit into memory, however small they are."""
    chosen = find_metrics(metrics)
    for side in sides:
        side.check()
    if policy.unit != DOCUMENT:
        raise UsageError(
            f"tables larger than {shown(memory)} are scored by documents, not by --unit"
            f" {policy.unit}",
            "raise --memory, or leave the column of documents out for entities across documents",
        )
    if all(side.has_documents for side in sides):
        return score_documents(sides, chosen, policy, memory)
    if any(side.has_documents for side in sides):
        raise UsageError(
            "one table has a column of documents, but the other has none",
            "give both such a column, or neither",
        )
    return score_records(sides, chosen, policy, memory)
