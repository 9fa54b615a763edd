"""Documents counted in shards on executors, and one result of all shards.

If both tables are Parquet files clustered by document, each shard is a range of documents that an
executor reads itself. Otherwise executors divide the rows into buckets of documents, and Spark
moves the blocks of each bucket to one executor.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from scoref.alignment.document_pairing import ABSENT, pair_documents
from scoref.alignment.where import parse_conditions
from scoref.corpus import fingerprint
from scoref.counts.counts import Counts
from scoref.engines.assembly import assemble_result
from scoref.engines.spark import blocks, shards
from scoref.engines.spark import functions as f
from scoref.engines.spark.block_sources import blocks_of
from scoref.engines.spark.row_groups import plan_ranges
from scoref.engines.spark.session import cores, task_memory
from scoref.engines.spark.shard_reports import ShardReports
from scoref.engines.spark.side_frames import SideFrame
from scoref.engines.tables.documents import codes_suffice
from scoref.engines.tables.row_table import TablePair
from scoref.exceptions import UsageError
from scoref.metrics import Metric, portable
from scoref.policy import Policy
from scoref.preparation.summary import PreparationSummary
from scoref.result import Result

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

ROWS_PER_BUCKET = 1 << 20
ROWS_PER_RANGE = 4 << 20


def count_documents(
    key: SideFrame,
    response: SideFrame,
    metrics: Sequence[Metric],
    policy: Policy,
    buckets: int | None = None,
    *,
    packed: bool = False,
) -> DataFrame:
    """Return a DataFrame with a row per document, as in COUNTED; nothing is run yet.

    If `packed`, it has a row per shard, as in REPORT.
    """
    _check(policy, key)
    task = _task(key, response, metrics, policy)
    buckets = buckets or choose_buckets(key, response)
    divided = blocks_of((key, response), shards.DivideDocuments(buckets))
    counted = shards.BucketTask(task, packed)
    schema = shards.REPORT if packed else shards.COUNTED
    return blocks.shuffle(divided, buckets).mapInArrow(counted, schema)


def _task(
    key: SideFrame, response: SideFrame, metrics: Sequence[Metric], policy: Policy
) -> shards.ShardTask:
    # Whether repeated mentions are an error is decided when all of them are known.
    lenient = replace(policy, duplicates="first")
    memory = task_memory(key.frame.sparkSession)
    sides = key.schema, response.schema
    return shards.ShardTask(sides, lenient, tuple(portable(metrics)), memory)


def choose_buckets(key: SideFrame, response: SideFrame) -> int:
    """Return how many buckets have about a million rows each, and keep all cores busy."""
    rows = key.count_rows() + response.count_rows()
    least = 2 * cores(key.frame.sparkSession) if rows > ROWS_PER_BUCKET // 10 else 1
    return min(max(rows // ROWS_PER_BUCKET + 1, least), blocks.MOST_BUCKETS)


def _check(policy: Policy, key: SideFrame) -> None:
    """Refuse what requires more than the documents of a shard, or more than a table."""
    if policy.match == "mina" or (policy.match == "min" and not key.has("min_start")):
        raise UsageError(
            f"--match {policy.match} requires minimal spans, but the key has none",
            "add the columns min_start and min_end, and use --match min",
        )
    if any(condition.field == "genre" for condition in parse_conditions(policy.where)):
        raise UsageError(
            "genres are not available on Spark: they are detected from the names of all documents",
            "filter the documents in Spark before scoring, or score without --engine",
        )
    if policy.unit not in ("document", "corpus"):
        raise UsageError(
            f"--unit {policy.unit} is not available on Spark: it requires the tokens of a file",
            "--unit corpus puts all documents together",
        )


def as_structs(counts: DataFrame, metrics: Sequence[Metric]) -> DataFrame:
    """Return a row per document of the key, with a struct of counts per metric."""
    columns, at = [], 0
    for metric in metrics:
        fields = [f.col("counts")[at + n].alias(name) for n, name in enumerate(metric.columns)]
        columns.append(f.struct(*fields).alias(metric.name))
        at += len(metric.columns)
    return counts.where("counts is not null").select("document", *columns)


def _count_ranges(
    key: SideFrame,
    response: SideFrame,
    metrics: Sequence[Metric],
    policy: Policy,
    rows: int,
) -> DataFrame | None:
    """Return a DataFrame of reports on ranges of documents; None if tables are not clustered."""
    if key.groups is None or response.groups is None:
        return None
    groups = key.groups, response.groups
    if not codes_suffice(TablePair(*(side.table(()) for side in groups)), metrics, policy):
        return None
    _check(policy, key)
    both = [group for side in groups for group in side.groups]
    rows = max(rows, 4 * max((group.rows for group in both), default=0))
    if sum(group.rows for group in both) <= rows:
        plan: Any = [(None, groups[0].groups, groups[1].groups)]
    elif (plan := plan_ranges(*groups, rows)) is None:
        return None
    task = shards.RangeTask(_task(key, response, metrics, policy), groups, plan)
    numbers = key.frame.sparkSession.range(0, len(plan), 1, len(plan))
    return numbers.mapInArrow(task, shards.REPORT)


def score_documents(
    key: SideFrame,
    response: SideFrame,
    metrics: Sequence[Metric],
    policy: Policy,
    buckets: int | None = None,
    *,
    rows_per_range: int = ROWS_PER_RANGE,
) -> Result:
    """Count all documents, and return one result of what the shards returned."""
    metrics = tuple(metrics)
    ranges = None if buckets else _count_ranges(key, response, metrics, policy, rows_per_range)
    if ranges is not None:
        result = _assemble(key, response, metrics, policy, ranges)
        if result is not None:
            return result
    counted = count_documents(key, response, metrics, policy, buckets, packed=True)
    result = _assemble(key, response, metrics, policy, counted)
    assert result is not None  # noqa: S101  # paired documents are in the same bucket
    return result


def _assemble(
    key: SideFrame,
    response: SideFrame,
    metrics: tuple[Metric, ...],
    policy: Policy,
    counted: DataFrame,
) -> Result | None:
    """Return the result of all shards; None if paired documents were in different shards.

    That can happen to ranges of documents, since `x_0` is the name of part 0 of `x`.
    """
    columns = sum(len(metric.columns) for metric in metrics)
    reports = ShardReports.of(counted, (key, response), columns)
    documents = reports.documents(key)
    pairing = pair_documents(documents, reports.documents(response), policy)
    of_key, of_response = (reports.places[name][0] for name in shards.SIDES)
    together = np.intersect1d(of_key, of_response)
    if len(together) != np.count_nonzero(pairing.key_document != ABSENT):
        return None
    units = tuple(document.name for document in documents.documents)
    counts = Counts(units, metrics, reports.counts_in(reports.order(key), metrics))
    inferred = (note for sums in reports.sums for note in sums["inferred"])
    summary = PreparationSummary(
        key=reports.summary(key),
        response=reports.summary(response),
        pairing=pairing.notes,
        inferred=dict.fromkeys(inferred),
        has_matches=bool(reports.total("has_matches")),
        scored=reports.total("scored"),
    )
    total = fingerprint.digest(reports.total("fingerprint"))
    return assemble_result(counts, summary, policy, total)
