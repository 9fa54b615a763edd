"""Scoring on Apache Spark, for corpora in a cluster or larger than one machine.

`count` takes the DataFrames of two sides and returns a DataFrame of counts, for use inside a job.
`score` returns an ordinary result. Both count whole documents with the functions that score
files, so a result equals the local one to the last bit. `pip install 'scoref[spark]'` installs
PySpark, which requires Java 17 or 21.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Unpack

from scoref.engines.local import score_local
from scoref.engines.spark.dataframes import (
    SideFrame,
    harmonize,
    read_parquet,
    side_of_frame,
)
from scoref.engines.spark.document_scoring import as_structs, count_documents, score_documents
from scoref.engines.spark.failures import translated_errors
from scoref.engines.spark.session import send_package, session
from scoref.engines.spark.table_files import is_parquet
from scoref.engines.spark.unit_scoring import is_one_unit, score_one_unit
from scoref.exceptions import UsageError
from scoref.matching.inputs import ReadOptions
from scoref.matching.requirements import Requirements
from scoref.matching.same_text import AUTO, NOT_COMPARED, Checks
from scoref.metrics import Metric, MetricLike, find_metrics
from scoref.metrics.needs import SAME_MENTIONS
from scoref.policy import Policy, PolicyLike, PolicyOptions
from scoref.policy.capabilities import SPARK, require
from scoref.result import Result

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["count", "score", "session"]


def count(
    key: DataFrame,
    response: DataFrame,
    metrics: Iterable[MetricLike] | None = None,
    policy: PolicyLike | None = None,
    *,
    order: str | None = None,
    shards: int | None = None,
    **choices: Unpack[PolicyOptions],
) -> DataFrame:
    """Return a row per document of the key: its name, and a struct of counts per metric.

    Nothing runs until the DataFrame is used.

    * `key`, `response`: DataFrames with the columns of tables: `document`, `start`, `end` and
      `entity`, or `mention` for spans.
    * `metrics`: Names such as `"b3"` or `"blanc(alpha=0.2)"`, `Metric` objects, or functions from a
      `Table` to counts of shape (units, 4). By default, those of `scoref score`.
    * `policy`: A `Policy`, or a dict of its fields.
    * `order`: A column with the order of mentions; without it, they are taken in the order of their
      spans.
    * `shards`: The number of groups of documents that are counted separately; by default it depends
      on the number of rows, which are counted first.
    * `choices`: Fields of the policy as keywords, such as `singletons="drop"`.
    """
    policy = _checked(Policy.of(policy, **choices))
    chosen = find_metrics(metrics)
    send_package(key.sparkSession)
    sides = _sides_of_frames(key, response, chosen, policy, order)
    if is_one_unit(sides[0], policy):
        raise UsageError(
            "without a `document` column there are no per-document counts",
            "use scoref.spark.score",
        )
    return as_structs(count_documents(*sides, chosen, policy, shards), chosen)


def score(
    key: DataFrame,
    response: DataFrame,
    metrics: Iterable[MetricLike] | None = None,
    policy: PolicyLike | None = None,
    *,
    order: str | None = None,
    shards: int | None = None,
    **choices: Unpack[PolicyOptions],
) -> Result:
    """Score two DataFrames by document, or as one unit if they have no column of documents.

    * `key`, `response`: DataFrames with the columns of tables: `document`, `start`, `end` and
      `entity`, or `mention` for spans.
    * `metrics`: Names such as `"b3"` or `"blanc(alpha=0.2)"`, `Metric` objects, or functions from a
      `Table` to counts of shape (units, 4). By default, those of `scoref score`.
    * `policy`: A `Policy`, or a dict of its fields.
    * `order`: A column with the order of mentions; without it, they are taken in the order of their
      spans.
    * `shards`: The number of groups of documents that are counted separately; by default it depends
      on the number of rows, which are counted first.
    * `choices`: Fields of the policy as keywords, such as `singletons="drop"`.
    """
    policy = _checked(Policy.of(policy, **choices))
    chosen = find_metrics(metrics)
    with translated_errors():
        send_package(key.sparkSession)
        sides = _sides_of_frames(key, response, chosen, policy, order)
        return _score(*sides, chosen, policy, shards)


def score_files(
    spark: SparkSession,
    key: str,
    response: str,
    metrics: Iterable[MetricLike] | None = None,
    policy: PolicyLike | None = None,
    *,
    format: str | None = None,  # noqa: A002  # what the command line calls it
    encoding: str | None = None,
    check_words: Checks = AUTO,
) -> Result:
    """Score two files: on Spark if both are tables in Parquet, otherwise on the driver."""
    policy = _checked(policy)
    chosen = find_metrics(metrics)
    paths = {"key": key, "response": response}
    with translated_errors():
        on_spark = [is_parquet(path, format) for path in paths.values()]
        if not all(on_spark):
            options = ReadOptions.under(policy, format, encoding, check_words)
            return score_local(key, response, chosen, policy, options)
        more = _requires_more(chosen, policy)
        sides = (read_parquet(spark, *one, all_columns=more) for one in paths.items())
        result = _score(*harmonize(*sides), chosen, policy, None)
    if check_words in ("always", "note"):
        return replace(result, notes=(*result.notes, NOT_COMPARED))
    return result


def _score(
    key: SideFrame,
    response: SideFrame,
    metrics: tuple[Metric, ...],
    policy: Policy,
    shards: int | None,
) -> Result:
    if is_one_unit(key, policy):
        return score_one_unit(key, response, metrics, policy, shards)
    return score_documents(key, response, metrics, policy, shards)


def _sides_of_frames(
    key: DataFrame,
    response: DataFrame,
    metrics: tuple[Metric, ...],
    policy: Policy,
    order: str | None,
) -> tuple[SideFrame, SideFrame]:
    more = _requires_more(metrics, policy)
    return harmonize(
        side_of_frame(key, "key", order, all_columns=more),
        side_of_frame(response, "response", order, all_columns=more),
    )


def _requires_more(metrics: tuple[Metric, ...], policy: Policy) -> bool:
    """Whether metrics or the policy require more than documents, mentions and entities."""
    needs = Requirements.of(metrics, policy).needs - {SAME_MENTIONS}
    is_plain = (policy.match, policy.nested, policy.window) == ("exact", "keep", "none")
    return bool(needs) or not is_plain


def _checked(policy: PolicyLike | None) -> Policy:
    policy = Policy.of(policy)
    require(policy, SPARK)
    return policy
