"""Tables scored from Parquet files, piece by piece: faster, and in any memory.

Where there are documents, or all fits into memory, the counts are those of corpora that were read
at once, to the last bit. Of tables larger than memory without a column of documents, all is one
unit (the records of entity resolution), whose sums are the same but for rounding. The result has
counts and no alignment; of tables that fit into memory, that can be had later.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from os import PathLike

from scoref.alignment.alignment import Alignment
from scoref.base.memory import format_size, memory_limit
from scoref.engines.tables.documents import can_be_lean, score_documents
from scoref.engines.tables.parquet import ParquetSide, Sides
from scoref.engines.tables.records import score_records
from scoref.engines.tables.shards import row_bytes
from scoref.exceptions import UsageError
from scoref.metrics import Metric, MetricLike, find_metrics
from scoref.policy import Policy
from scoref.preparation.inputs import ReadOptions
from scoref.preparation.needs import needs_of
from scoref.preparation.pipeline import prepare
from scoref.preparation.regrouping import DOCUMENT
from scoref.result import Result

AT_ONCE_BYTES = 400
"""Memory that a row takes when a corpus is made of tables."""


def score_parquet(
    key: str | PathLike[str],
    response: str | PathLike[str],
    metrics: Iterable[MetricLike] | None,
    policy: Policy,
    *,
    memory: str | int | None = None,
    ceaf_time_limit: float | None = None,
) -> Result | None:
    """Score two Parquet tables in pieces if they do not fit into memory, or if that is faster.

    Else return None.
    """
    limit = memory_limit(memory)
    sides = Sides(ParquetSide(key), ParquetSide(response))
    in_pieces = ceaf_time_limit is None and policy.compat == "none"
    rows = sum(side.rows for side in sides)
    chosen = find_metrics(metrics)
    if in_pieces and _is_fast(sides, chosen, policy) and rows * row_bytes(sides) <= limit:
        return _score_fast(sides, chosen, policy, limit)
    if rows * AT_ONCE_BYTES <= limit:
        return None
    if not in_pieces:
        asked = "--ceaf-time-limit" if policy.compat == "none" else "--compat"
        raise UsageError(
            f"tables larger than {format_size(limit)} cannot be scored with {asked}",
            "raise --memory, or leave it out",
        )
    return score_tables(sides, metrics, policy, limit)


def _is_fast(sides: Sides, metrics: tuple[Metric, ...], policy: Policy) -> bool:
    """Whether tables that fit into memory can be scored without making a corpus of them."""
    alike = len({side.has_documents for side in sides}) == 1 and all(side.rows for side in sides)
    return alike and policy.unit == DOCUMENT and can_be_lean(sides, metrics, policy)


def _score_fast(sides: Sides, metrics: tuple[Metric, ...], policy: Policy, memory: int) -> Result:
    """Score tables that fit into memory, and say how mentions can be had later if need be."""
    for side in sides:
        side.check()
    result = score_documents(sides, metrics, policy, memory)
    if sum(side.rows for side in sides) * AT_ONCE_BYTES > memory:
        return result
    key, response = (side.path for side in sides)
    return replace(result, reread=partial(_prepare_again, key, response, policy, needs_of(metrics)))


def _prepare_again(key: str, response: str, policy: Policy, needs: frozenset[str]) -> Alignment:
    return prepare(key, response, policy, ReadOptions("parquet"), needs=needs).alignment


def score_tables(
    sides: Sides, metrics: Iterable[MetricLike] | None, policy: Policy, memory: int
) -> Result:
    """Score two tables in pieces that fit into memory, however small they are."""
    chosen = find_metrics(metrics)
    for side in sides:
        side.check()
    if policy.unit != DOCUMENT:
        raise UsageError(
            f"tables larger than {format_size(memory)} are scored by documents, not by --unit"
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
