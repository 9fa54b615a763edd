"""Documents counted in shards on executors, and one result of all shards.

A shard has many documents, since starting a shard takes longer than counting most documents. It
is a pure function of its rows: a task that is lost, repeated or run twice changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from scoref.alignment.document_pairing import pair_documents
from scoref.alignment.where import parse_conditions
from scoref.corpus import fingerprint
from scoref.corpus.corpus import Corpus
from scoref.corpus.document import UNKNOWN, Document
from scoref.counts.counts import Counts
from scoref.engines.assembly import assemble_result
from scoref.engines.spark import functions as f
from scoref.engines.spark.shards import SCHEMA, SIDE, SIDE_TOTALS, TOTALS, ShardTask
from scoref.engines.spark.side_frames import SideFrame
from scoref.exceptions import UsageError
from scoref.metrics import Metric, portable
from scoref.policy import Policy
from scoref.preparation.duplicates_and_singletons import Repeats
from scoref.preparation.needs import needs_of, needs_under
from scoref.preparation.summary import PreparationSummary, SideSummary
from scoref.result import Result

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]
    from pyspark.sql import Column, DataFrame

ROWS_PER_SHARD = 250_000
_MOST_SHARDS = 100_000


def count_documents(
    key: SideFrame,
    response: SideFrame,
    metrics: Sequence[Metric],
    policy: Policy,
    shards: int | None = None,
) -> DataFrame:
    """Return a DataFrame with a row per document, as in SCHEMA; nothing is run yet."""
    _check(policy, key)
    shards = shards or _choose_shards(key.frame, response.frame)
    needs = needs_under(policy, needs_of(metrics))
    task = ShardTask((key.schema, response.schema), policy, tuple(portable(metrics)), needs)
    both = key.frame.withColumn(SIDE, f.lit(0)).unionByName(
        response.frame.withColumn(SIDE, f.lit(1)), allowMissingColumns=True
    )
    return both.repartition(shards, _name_without_part()).mapInArrow(task, SCHEMA)


def _name_without_part() -> Column:
    """Return what paired documents have in common: `x_0` is `x` (see `document_pairing.py`)."""
    name = f.col("document").cast("string")
    without = f.expr("substring(cast(document as string), 1, length(document) - 2)")
    common: Column = f.when(name.endswith("_0"), without).otherwise(name)
    return common


def _choose_shards(key: DataFrame, response: DataFrame) -> int:
    """Return how many shards have some hundred thousand mentions each, and keep all cores busy."""
    rows = key.count() + response.count()
    least = 2 * _cores(key.sparkSession) if rows > ROWS_PER_SHARD // 10 else 1
    return min(max(rows // ROWS_PER_SHARD + 1, least), _MOST_SHARDS)


def _cores(spark: Any) -> int:
    try:
        return int(spark.sparkContext.defaultParallelism)
    except Exception:  # noqa: BLE001  # Spark Connect has no context, and errors of its own
        return 8


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


@dataclass(frozen=True, slots=True, eq=False)
class _ShardReports:
    """What the shards returned: columns with a row per document, and totals."""

    columns: dict[str, list[Any]]
    totals: dict[str, int]

    @classmethod
    def of(cls, table: pa.Table) -> _ShardReports:
        columns = table.drop_columns(["counts"]).to_pydict()
        found = [totals for totals in columns["totals"] if totals is not None]
        sums = np.array(found, dtype=np.int64).reshape(-1, len(TOTALS)).sum(axis=0)
        return cls(columns, dict(zip(TOTALS, sums.tolist(), strict=True)))

    def order(self, side: str) -> list[int]:
        """Return the rows of the documents that a side has, in the order of its file."""
        file, block, row = (self.columns[f"{side}_{name}"] for name in ("file", "block", "row"))
        document = self.columns["document"]
        there = [at for at, one in enumerate(file) if one is not None]
        if there and row[there[0]] is None:
            return sorted(there, key=lambda at: document[at])
        return sorted(there, key=lambda at: (file[at], block[at], row[at]))

    def documents(self, side: SideFrame) -> Corpus:
        """Return the documents of a side, without their mentions."""
        names = self.columns["document"]
        return named_documents((names[at] for at in self.order(side.schema.name)), side)

    def summary(self, side: SideFrame) -> SideSummary:
        """Summarise a side."""
        name, order = side.schema.name, self.order(side.schema.name)
        summary = SideSummary(side.schema.source, documents=len(order))
        for total in SIDE_TOTALS:
            setattr(summary, total, self.totals[f"{name}_{total}"])
        if side.is_read:
            summary.unassigned = 0
        summary.add_notes(side.notes)
        if times := self.totals[f"{name}_duplicates"]:
            text, line = self.columns[f"{name}_repeated"], self.columns[f"{name}_line"]
            first = next(at for at in order if text[at] is not None)
            summary.repeats = Repeats(times, text[first], line[first])
            summary.add_notes(side.schema.note_repeats())
        return summary


def named_documents(names: Iterable[str], side: SideFrame) -> Corpus:
    """Return documents without their mentions, to be paired."""
    source = side.schema.source
    documents = tuple(Document(name, name, UNKNOWN, source) for name in names)
    return Corpus.without_mentions(documents, source)


def _read_counts(
    column: Any, units: tuple[str, ...], order: list[int], metrics: Sequence[Metric]
) -> Counts:
    """Return the counts of units, whose rows in an Arrow column of arrays are in this order."""
    ends = np.cumsum([len(metric.columns) for metric in metrics])
    exists = column.is_valid().to_numpy()
    matrix = np.zeros((len(exists), ends[-1]))
    matrix[exists] = column.drop_null().combine_chunks().flatten().to_numpy().reshape(-1, ends[-1])
    parts = np.split(matrix[order], ends[:-1], axis=1)
    rows = {metric.name: part for metric, part in zip(metrics, parts, strict=True)}
    return Counts(units, tuple(metrics), rows)


def score_documents(
    key: SideFrame,
    response: SideFrame,
    metrics: Sequence[Metric],
    policy: Policy,
    shards: int | None = None,
) -> Result:
    """Count all documents, and return one result of what the shards returned."""
    # Whether repeated mentions are an error is decided when all of them are known.
    lenient = replace(policy, duplicates="first")
    table = count_documents(key, response, metrics, lenient, shards).toArrow()
    reports = _ShardReports.of(table)
    documents = reports.documents(key)
    pairing = pair_documents(documents, reports.documents(response), policy)
    units = tuple(document.name for document in documents.documents)
    counts = _read_counts(table.column("counts"), units, reports.order("key"), metrics)
    inferred = (note for notes in reports.columns["inferred"] for note in notes or ())
    summary = PreparationSummary(
        key=reports.summary(key),
        response=reports.summary(response),
        pairing=pairing.notes,
        inferred=dict.fromkeys(inferred),
        has_matches=bool(reports.totals["has_matches"]),
        scored=reports.totals["scored"],
    )
    total = fingerprint.digest(reports.totals["fingerprint"])
    return assemble_result(counts, summary, policy, total)
