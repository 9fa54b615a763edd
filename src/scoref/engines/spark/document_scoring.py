"""Documents counted in shards on executors, and one result of what all shards report.

If both tables are Parquet files clustered by document, each shard is a range of documents that an
executor reads itself. Otherwise executors divide the rows into buckets of documents, and Spark
moves the blocks of each bucket to one executor.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from scoref.base.arrays import Floats, Ints
from scoref.corpus import fingerprint
from scoref.corpus.corpus import Corpus
from scoref.corpus.document import UNKNOWN, Document
from scoref.counts.counts import Counts
from scoref.engines.local import assemble_result
from scoref.engines.spark import blocks, document_tasks
from scoref.engines.spark.block_sources import blocks_of
from scoref.engines.spark.blocks import decompress
from scoref.engines.spark.dataframes import SideFrame
from scoref.engines.spark.document_tasks import SIDE_TOTALS, SIDES, no_counts
from scoref.engines.spark.row_groups import plan_ranges
from scoref.engines.spark.session import cores, task_memory
from scoref.engines.tables.documents_in_shards import codes_suffice
from scoref.engines.tables.row_table import TablePair
from scoref.exceptions import FormatError, Problem, UsageError
from scoref.formats.table.parquet_files import arrow_module
from scoref.matching.document_pairing import pair_documents
from scoref.matching.duplicates_and_singletons import Repeats
from scoref.matching.summary import PreparationSummary, SideSummary
from scoref.matching.where import parse_conditions
from scoref.metrics import Metric, portable
from scoref.metrics.table import NOWHERE
from scoref.policy import Policy
from scoref.policy.capabilities import SPARK_DOCUMENTS, require
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
    divided = blocks_of((key, response), document_tasks.DivideDocuments(buckets))
    counted = document_tasks.BucketTask(task, packed)
    schema = document_tasks.REPORT if packed else document_tasks.COUNTED
    return blocks.shuffle(divided, buckets).mapInArrow(counted, schema)


def _task(
    key: SideFrame, response: SideFrame, metrics: Sequence[Metric], policy: Policy
) -> document_tasks.ShardTask:
    # Whether repeated mentions are an error is decided when all of them are known.
    lenient = replace(policy, duplicates="first")
    memory = task_memory(key.frame.sparkSession)
    sides = key.schema, response.schema
    return document_tasks.ShardTask(sides, lenient, tuple(portable(metrics)), memory)


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
    require(policy, SPARK_DOCUMENTS)


def as_structs(counts: DataFrame, metrics: Sequence[Metric]) -> DataFrame:
    """Return a row per document of the key, with a struct of counts per metric."""
    from pyspark.sql import functions as f  # noqa: PLC0415  # a second to import

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
) -> DataFrame | None:
    """Return a DataFrame of reports on ranges of documents; None if tables are not clustered."""
    if key.groups is None or response.groups is None:
        return None
    groups = key.groups, response.groups
    if not codes_suffice(TablePair(*(side.table(()) for side in groups)), metrics, policy):
        return None
    _check(policy, key)
    both = [group for side in groups for group in side.groups]
    rows = max(ROWS_PER_RANGE, 4 * max((group.rows for group in both), default=0))
    if sum(group.rows for group in both) <= rows:
        plan: Any = [(None, groups[0].groups, groups[1].groups)]
    elif (plan := plan_ranges(*groups, rows)) is None:
        return None
    task = document_tasks.RangeTask(_task(key, response, metrics, policy), groups)
    return blocks.for_each(key.frame.sparkSession, plan, task, document_tasks.REPORT)


def score_documents(
    key: SideFrame,
    response: SideFrame,
    metrics: Sequence[Metric],
    policy: Policy,
    buckets: int | None = None,
) -> Result:
    """Count all documents, and return one result of what the shards returned."""
    metrics = tuple(metrics)
    ranges = None if buckets else _count_ranges(key, response, metrics, policy)
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
    of_key, of_response = (reports.places[name][0] for name in document_tasks.SIDES)
    together = np.intersect1d(of_key, of_response)
    if len(together) != np.count_nonzero(pairing.key_document != NOWHERE):
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


@dataclass(frozen=True, slots=True, eq=False)
class ShardReports:
    """What the shards returned: a row per document, and the sums of each shard."""

    names: list[str]
    places: dict[str, tuple[Ints, Ints]]
    counts: Floats
    sums: list[dict[str, Any]]

    @classmethod
    def of(cls, frame: DataFrame, sides: Sequence[SideFrame], columns: int) -> ShardReports:
        """Run all shards, which return so many counts of a document; refuse invalid rows."""
        collected = frame.toArrow()
        sums = [json.loads(one) for one in collected.column("summary").to_pylist()]
        _refuse_problems(sums, sides)
        cells = [cell for chunk in collected.column("report").chunks for cell in chunk]
        tables = [decompress(cell.as_buffer()) for cell in cells]
        found = arrow_module().concat_tables([*tables, no_counts()]).combine_chunks()
        places = {}
        for name in SIDES:
            column = found.column(f"{name}_place")
            there = np.flatnonzero(column.is_valid().to_numpy())
            places[name] = there, column.drop_null().to_numpy()
        flat = found.column("counts").combine_chunks().flatten().to_numpy()
        counts = flat.reshape(-1, columns)
        return cls(found.column("document").to_pylist(), places, counts, sums)

    def order(self, side: SideFrame) -> Ints:
        """Return the rows of the documents that a side has, in the order of its file."""
        there, place = self.places[side.schema.name]
        if side.schema.has_places:
            return there[np.argsort(place, kind="stable")]
        return np.array(sorted(there.tolist(), key=self.names.__getitem__), dtype=np.int64)

    def documents(self, side: SideFrame) -> Corpus:
        """Return the documents of a side, without their mentions."""
        return named_documents((self.names[at] for at in self.order(side).tolist()), side)

    def counts_in(self, order: Ints, metrics: Sequence[Metric]) -> dict[str, Floats]:
        """Return the counts of the key's documents in this order."""
        at = np.searchsorted(self.places["key"][0], order)
        ends = np.cumsum([len(metric.columns) for metric in metrics])
        parts = np.split(self.counts[at], ends[:-1], axis=1)
        return {metric.name: part for metric, part in zip(metrics, parts, strict=True)}

    def total(self, name: str) -> int:
        """Sum a total over all shards."""
        return sum(int(sums[name]) for sums in self.sums)

    def summary(self, side: SideFrame) -> SideSummary:
        """Summarise a side."""
        schema = side.schema
        summary = SideSummary(schema.source, documents=len(self.places[schema.name][0]))
        of_side = [sums[schema.name] for sums in self.sums]
        for total in SIDE_TOTALS:
            setattr(summary, total, sum(sums[total] for sums in of_side))
        summary.add_notes(side.notes)
        repeats = [Repeats(*sums["repeats"]) for sums in of_side if sums["repeats"][0]]
        if repeats:
            first = min(repeats, key=lambda one: (one.line, one.first))
            times = sum(one.times for one in repeats)
            summary.repeats = Repeats(times, first.first, schema.line_of(first.line))
            summary.add_notes(schema.note_repeats())
        return summary


def _refuse_problems(sums: Sequence[dict[str, Any]], sides: Sequence[SideFrame]) -> None:
    """Refuse invalid rows, those of the key first."""
    for number, side in enumerate(sides):
        problems = [
            Problem(*fields)
            for one in sums
            if one.get("side") == number
            for fields in one["problems"]
        ]
        files = side.schema.files
        if damaged := [problem for problem in problems if files and not problem.line]:
            # As locally, nothing is read after the first: many shards may report the same file.
            raise FormatError([min(damaged, key=lambda one: files.index(one.path))])
        if problems:
            raise FormatError(side.schema.locate(problems), side.schema.source)


def named_documents(names: Iterable[str], side: SideFrame) -> Corpus:
    """Return documents without their mentions, to be paired."""
    source = side.schema.source
    documents = tuple(Document(name, name, UNKNOWN, source) for name in names)
    return Corpus.without_mentions(documents, source)
