"""The table engine: Parquet tables scored in parts, faster than as corpora, and in any memory.

If tables have documents, or fit into memory, the counts are those of corpora in memory, to the
last bit. Tables without documents that are larger than memory are one unit (the records of
entity resolution), whose sums are the same except for rounding. The result has counts and no
alignment. If the tables fit into memory, `result.where` reads them again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from os import PathLike

from scoref.base.memory import format_size, memory_limit
from scoref.engines.tables.document_shards import coded_row_bytes
from scoref.engines.tables.documents_in_shards import codes_suffice, score_documents
from scoref.engines.tables.one_unit_on_disk import score_one_unit
from scoref.engines.tables.row_table import (
    CORPUS_ROW_BYTES,
    ParquetTable,
    TablePair,
    have_documents,
)
from scoref.matching.alignment import Alignment
from scoref.matching.inputs import ReadOptions
from scoref.matching.pipeline import prepare
from scoref.matching.requirements import Requirements
from scoref.metrics import Metric, MetricLike, find_metrics
from scoref.policy import Policy
from scoref.policy.capabilities import LARGE_TABLES, require, supports
from scoref.result import Result


def score_parquet(
    key: str | PathLike[str],
    response: str | PathLike[str],
    metrics: Iterable[MetricLike] | None,
    policy: Policy,
    *,
    memory: int | None = None,
) -> Result | None:
    """Score two Parquet tables in parts if that is faster, or if they do not fit into memory.

    Otherwise return None.
    """
    limit = memory_limit(memory)
    tables = TablePair(ParquetTable(key), ParquetTable(response))
    in_parts = supports(policy, LARGE_TABLES)
    chosen = find_metrics(metrics)
    if (
        in_parts
        and _is_faster(tables, chosen, policy)
        and tables.rows * coded_row_bytes(tables) <= limit
    ):
        return _score_fast(tables, chosen, policy, limit)
    if tables.rows * CORPUS_ROW_BYTES <= limit:
        return None
    return score_tables(tables, chosen, policy, limit)


def _is_faster(
    tables: TablePair[ParquetTable], metrics: tuple[Metric, ...], policy: Policy
) -> bool:
    """Whether tables that fit into memory can be scored without reading them as corpora."""
    alike = tables.key.has_documents == tables.response.has_documents
    has_rows = all(table.rows for table in tables)
    return alike and has_rows and codes_suffice(tables, metrics, policy)


def _score_fast(
    tables: TablePair[ParquetTable], metrics: tuple[Metric, ...], policy: Policy, memory: int
) -> Result:
    """Score tables that fit into memory; the result reads them again if mentions are required."""
    for table in tables:
        table.check_types()
    result = score_documents(tables, metrics, policy, memory)
    if tables.rows * CORPUS_ROW_BYTES > memory:
        return result
    key, response = (table.path for table in tables)
    requirements = Requirements.of(metrics, policy, ReadOptions("parquet"))
    return replace(result, reread=partial(_prepare_again, key, response, requirements))


def _prepare_again(key: str, response: str, requirements: Requirements) -> Alignment:
    return prepare(key, response, requirements).alignment


def score_tables(
    tables: TablePair[ParquetTable],
    metrics: Iterable[MetricLike] | None,
    policy: Policy,
    memory: int,
) -> Result:
    """Score two tables of any size in parts that fit into memory."""
    chosen = find_metrics(metrics)
    for table in tables:
        table.check_types()
    require(policy, LARGE_TABLES, f"tables larger than {format_size(memory)}")
    if have_documents(tables.key.has_documents, tables.response.has_documents):
        return score_documents(tables, chosen, policy, memory)
    return score_one_unit(tables, chosen, policy, memory)
