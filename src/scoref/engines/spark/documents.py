"""Documents counted apart: hashed into shards, counted there, and made one result.

A shard has many documents, since starting on one costs more than counting most of them. All is
a pure function of the rows: a task that is lost, repeated or run twice changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from scoref.alignment.document_pairing import pair_documents
from scoref.alignment.where import parse_conditions
from scoref.base.arrays import Floats
from scoref.corpus import fingerprint
from scoref.corpus.corpus import Corpus
from scoref.corpus.document import UNKNOWN, Document
from scoref.counts.counts import Counts
from scoref.engines.assembly import assemble_result
from scoref.engines.spark.inputs import SIDE, Input
from scoref.engines.spark.shards import SCHEMA, SideOf, Work, columns_of
from scoref.exceptions import UsageError
from scoref.metrics import Metric, MetricLike, find_metrics
from scoref.policy import Policy
from scoref.preparation.duplicates_and_singletons import Repeats
from scoref.preparation.needs import needs_of, needs_under
from scoref.preparation.summary import PreparationSummary, SideSummary
from scoref.result import Result

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

ROWS_OF_A_SHARD = 250_000
_MOST_SHARDS = 100_000


def counted_documents(
    key: Input,
    response: Input,
    metrics: Sequence[MetricLike],
    policy: Policy,
    shards: int | None = None,
) -> DataFrame:
    """Return a DataFrame with a row for each document, as SCHEMA says; nothing is run yet."""
    from pyspark.sql import functions as f  # noqa: PLC0415  # a second to import

    _check(policy, key)
    shards = shards or _shards(key.frame, response.frame)
    sides = (_of(key, "key"), _of(response, "response"))
    work = Work(sides, policy, tuple(metrics), _needs(metrics, policy))
    both = key.frame.withColumn(SIDE, f.lit(0)).unionByName(
        response.frame.withColumn(SIDE, f.lit(1)), allowMissingColumns=True
    )
    return both.repartition(shards, _name_without_part()).mapInArrow(work, SCHEMA)


def _needs(metrics: Sequence[MetricLike], policy: Policy) -> frozenset[str]:
    """Return what metrics, matching and slices look at besides entities."""
    return needs_under(policy, needs_of(find_metrics(metrics)))


def _name_without_part() -> Column:
    """Return what paired documents have in common: `x_0` is `x` (see `pairing.py`)."""
    from pyspark.sql import functions as f  # noqa: PLC0415

    name = f.col("document").cast("string")
    without = f.expr("substring(cast(document as string), 1, length(document) - 2)")
    return f.when(name.endswith("_0"), without).otherwise(name)


def _of(side: Input, name: str) -> SideOf:
    return SideOf(name, side.roles, side.source, side.has_places, side.rows_are_lines)


def _shards(key: DataFrame, response: DataFrame) -> int:
    """Make shards of some hundred thousand mentions, and enough of them to keep all cores busy."""
    spark = key.sparkSession
    rows = key.count() + response.count()
    least = 2 * _cores(spark) if rows > ROWS_OF_A_SHARD // 10 else 1
    return min(max(rows // ROWS_OF_A_SHARD + 1, least), _MOST_SHARDS)


def _cores(spark: Any) -> int:
    try:
        return int(spark.sparkContext.defaultParallelism)
    except Exception:  # noqa: BLE001  # Spark Connect has no context, and says so in its own way
        return 8


def _check(policy: Policy, key: Input) -> None:
    """Refuse what cannot be told from the documents of a shard alone, or not from a table."""
    if policy.match == "mina" or (policy.match == "min" and "min_start" not in key.roles):
        raise UsageError(
            f"match:{policy.match} needs minimal spans, and the key has none",
            "give it the columns min_start and min_end",
        )
    if any(condition.field == "genre" for condition in parse_conditions(policy.where)):
        raise UsageError(
            "the Spark engine does not know genres, which are told from the names of all documents",
            "choose documents with a condition of Spark before scoring, or score without --engine",
        )
    if policy.unit not in ("document", "corpus"):
        raise UsageError(
            f"the Spark engine has no unit {policy.unit!r}, which is told by the tokens of a file",
            "--unit corpus puts all documents together",
        )


def as_structs(counts: DataFrame, metrics: Sequence[Metric]) -> DataFrame:
    """Return a row for each document of the key, and a struct of counts for each metric."""
    from pyspark.sql import functions as f  # noqa: PLC0415

    names = columns_of(metrics)
    columns = []
    for metric in metrics:
        at = [number for number, (name, _) in enumerate(names) if name == metric.name]
        fields = [f.col("counts")[number].alias(names[number][1]) for number in at]
        columns.append(f.struct(*fields).alias(metric.name))
    return counts.where("counts is not null").select("document", *columns)


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """What the shards said, a row for each document, as columns."""

    columns: dict[str, list[Any]]

    def order(self, side: str) -> list[int]:
        """Return the rows of the documents that a side has, in the order of its file."""
        file, block, row = (self.columns[f"{side}_{name}"] for name in ("file", "block", "row"))
        document = self.columns["document"]
        there = [at for at, one in enumerate(file) if one is not None]
        if there and row[there[0]] is None:
            return sorted(there, key=lambda at: document[at])
        return sorted(there, key=lambda at: (file[at], block[at], row[at]))

    def documents(self, side: str, source: str) -> Corpus:
        """Return a corpus of a side's documents, without their mentions."""
        names = [self.columns["document"][at] for at in self.order(side)]
        documents = tuple(Document(name, name, UNKNOWN, source) for name in names)
        return Corpus.without_mentions(documents, source)

    def total(self, name: str) -> int:
        """Add up a column."""
        return sum(self.columns[name])

    def side(self, name: str, given: Input) -> SideSummary:
        """Summarise a side."""
        summary = SideSummary(
            source=given.source,
            documents=len(self.order(name)),
            mentions=self.total(f"{name}_mentions"),
            entities=self.total(f"{name}_entities"),
            singletons=self.total(f"{name}_singletons"),
            unassigned=self.total(f"{name}_unassigned"),
        )
        summary.add_notes(given.notes)
        if times := self.total(f"{name}_duplicates"):
            summary.repeats = Repeats(times, self.first_repeated(name))
        return summary

    def first_repeated(self, name: str) -> str:
        """Say which repeated mention comes first."""
        told: list[str] = self.columns[f"{name}_repeated"]
        return next(told[at] for at in self.order(name) if told[at] is not None)


def score_documents(
    key: Input,
    response: Input,
    metrics: Sequence[MetricLike],
    policy: Policy,
    shards: int | None = None,
) -> Result:
    """Count all documents, and put together what the shards said."""
    chosen = find_metrics(metrics)
    # Whether repeated mentions are an error is decided when all of them are known.
    lenient = replace(policy, duplicates="first")
    frame = counted_documents(key, response, metrics, lenient, shards)
    table = frame.toArrow()
    found = _Found(table.drop_columns(["counts"]).to_pydict())
    ours, theirs = found.documents("key", key.source), found.documents("response", response.source)
    pairing = pair_documents(ours, theirs, policy)
    order = found.order("key")
    ends = np.cumsum([len(metric.columns) for metric in chosen])
    rows = _matrix(table.column("counts"), int(ends[-1]))[order]
    parts = np.split(rows, ends[:-1], axis=1)
    counts = Counts(
        tuple(d.name for d in ours.documents),
        chosen,
        {metric.name: part for metric, part in zip(chosen, parts, strict=True)},
    )
    inferred = (note for notes in found.columns["notes"] for note in notes or ())
    summary = PreparationSummary(
        key=found.side("key", key),
        response=found.side("response", response),
        pairing=pairing.notes,
        inferred=dict.fromkeys(inferred),
        has_matches=bool(found.total("shared")),
        scored=found.total("aligned"),
    )
    total = fingerprint.digest(found.total("fingerprint"))
    return assemble_result(counts, summary, policy, total)


def _matrix(counts: Any, width: int) -> Floats:
    """Return a row of counts for each document, of zeros where there are none."""
    there = counts.is_valid().to_numpy()
    matrix = np.zeros((len(there), width))
    matrix[there] = counts.drop_null().combine_chunks().flatten().to_numpy().reshape(-1, width)
    return matrix
