"""Scoring on Apache Spark, for corpora that stand in a cluster or outgrow one machine.

`count` takes the DataFrames of two sides and returns a DataFrame of counts, for use inside a
job; `score` returns an ordinary result. Both count with the very functions that score files,
on whole documents, so a result equals the local one to the last bit. `pip install
'scoref[spark]'` installs PySpark; it needs Java 17 or 21.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from scoref.engines.spark.corpora import score_read
from scoref.engines.spark.documents import as_structs, counted_documents, score_documents
from scoref.engines.spark.failures import told_plainly
from scoref.engines.spark.inputs import (
    Input,
    alike,
    of_frame,
    read_table,
    table_format,
    with_what_is_told,
)
from scoref.engines.spark.session import send_package, session
from scoref.engines.spark.wholes import is_whole, score_whole, set_partitions
from scoref.exceptions import UsageError
from scoref.metrics import DEFAULT, MetricLike, find_metrics
from scoref.metrics.needs import SAME_MENTIONS
from scoref.policy import Policy
from scoref.preparation.inputs import ReadOptions
from scoref.preparation.needs import needs_of, needs_under
from scoref.preparation.pipeline import refuse_special_counting
from scoref.preparation.same_text import AUTO, Checks
from scoref.result import Result

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["count", "score", "session"]


def count(
    key: DataFrame,
    response: DataFrame,
    metrics: Iterable[MetricLike] | None = None,
    policy: Policy | None = None,
    *,
    order: str | None = None,
    shards: int | None = None,
) -> DataFrame:
    """Count each document of the key: a row with its name and a struct of counts per metric.

    Columns are known by the names that tables have: `document`, `start`, `end`, `entity`, or
    `mention` for spans. Nothing runs until the DataFrame is used. `order` names a column that
    says the order of mentions; without it they are taken in the order of their spans. `shards`
    is the number of groups of documents that are counted apart; by default it is told from
    the number of rows, which are counted first.
    """
    policy = _possible(policy)
    names = _listed(metrics)
    chosen = find_metrics(names)
    send_package(key.sparkSession)
    ours, theirs = _frames(key, response, names, policy, order)
    if is_whole(ours, policy):
        raise UsageError(
            "without documents there is one unit, whose counts are no DataFrame",
            "scoref.spark.score scores it",
        )
    return as_structs(counted_documents(ours, theirs, names, policy, shards), chosen)


def score(
    key: DataFrame,
    response: DataFrame,
    metrics: Iterable[MetricLike] | None = None,
    policy: Policy | None = None,
    *,
    order: str | None = None,
    shards: int | None = None,
) -> Result:
    """Score two DataFrames, by document or, if they have no documents, as one unit."""
    policy = _possible(policy)
    names = _listed(metrics)
    with told_plainly():
        send_package(key.sparkSession)
        ours, theirs = _frames(key, response, names, policy, order)
        return _score(ours, theirs, names, policy, shards)


def score_files(
    spark: SparkSession,
    key: str,
    response: str,
    metrics: Iterable[MetricLike] | None = None,
    policy: Policy | None = None,
    *,
    format: str | None = None,  # noqa: A002  # what the command line calls it
    encoding: str | None = None,
    check_words: Checks = AUTO,
) -> Result:
    """Score two files: tables are read by Spark, other formats by the driver."""
    policy = _possible(policy)
    names = _listed(metrics)
    kinds = [table_format(path, format) for path in (key, response)]
    with told_plainly():
        if None in kinds:
            options = ReadOptions(format, encoding, check_words)
            return score_read(spark, key, response, names, policy, options=options)
        every = _needs_all(names, policy)
        sides = [
            read_table(spark, path, kind or "", every)
            for path, kind in zip((key, response), kinds, strict=True)
        ]
        ours, theirs = map(with_what_is_told, alike(*sides))
        if is_whole(ours, policy):
            set_partitions(spark, ours, theirs)
        result = _score(ours, theirs, names, policy, None)
    if check_words in ("always", "note"):
        note = "words are not compared: one of the sides has none"
        return replace(result, notes=(*result.notes, note))
    return result


def _score(
    key: Input, response: Input, metrics: list[MetricLike], policy: Policy, shards: int | None
) -> Result:
    if is_whole(key, policy):
        return score_whole(key, response, metrics, policy)
    return score_documents(key, response, metrics, policy, shards)


def _frames(
    key: DataFrame,
    response: DataFrame,
    metrics: list[MetricLike],
    policy: Policy,
    order: str | None,
) -> tuple[Input, Input]:
    every = _needs_all(metrics, policy)
    sides = alike(of_frame(key, "key", order, every), of_frame(response, "response", order, every))
    ours, theirs = map(with_what_is_told, sides)
    return ours, theirs


def _needs_all(metrics: list[MetricLike], policy: Policy) -> bool:
    """Whether more is looked at than documents, mentions and entities."""
    needs = needs_under(policy, needs_of(find_metrics(metrics))) - {SAME_MENTIONS}
    return bool(needs) or policy.match != "exact"


def _possible(policy: Policy | None) -> Policy:
    policy = policy or Policy()
    refuse_special_counting(policy, "the Spark engine")
    return policy


def _listed(metrics: Iterable[MetricLike] | None) -> list[MetricLike]:
    if metrics is None:
        return list(DEFAULT)
    return [metrics] if isinstance(metrics, str) else list(metrics)
