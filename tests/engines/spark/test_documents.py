"""Scored on Spark by document, a corpus has its local scores, to the last bit."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import scoref
from scoref.engines.spark.dataframes import harmonize, read_parquet
from scoref.engines.spark.document_scoring import score_documents
from scoref.exceptions import DocumentError, MentionError, ScorefError, UsageError
from scoref.metrics import find_metrics
from scoref.metrics.bcubed import count as count_b_cubed
from scoref.spark import count, score, score_files
from tests.engines.spark.conftest import assert_same, drawn, frames_of, write_parquet

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

METRICS = ["mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll", "pairwise"]


def test_tables_have_their_local_scores(spark: SparkSession, tables: tuple[str, str]) -> None:
    """Scores, documents in their order, sides, notes and signature."""
    assert_same(score_files(spark, *tables, METRICS), scoref.score(*tables, METRICS))


def test_a_real_corpus_has_its_local_scores(
    spark: SparkSession, data: Path, tmp_path: Path
) -> None:
    """A hundred literary texts."""
    paths = (str(tmp_path / "key.parquet"), str(tmp_path / "response.parquet"))
    for side, path in zip(("key", "response"), paths, strict=True):
        scoref.read(data / "litbank" / f"{side}.conll").write(path, "parquet")
    assert_same(score_files(spark, *paths), scoref.score(*paths))


def test_policies_mean_the_same(spark: SparkSession, tables: tuple[str, str]) -> None:
    """The ordinary code applies them to whole documents, in blocks of what Spark reads."""
    policy = scoref.Policy(singletons="drop", where="entity_size>3", average="macro")
    assert_same(
        score_files(spark, *tables, METRICS, policy), scoref.score(*tables, METRICS, policy)
    )


def test_windows_are_cut_in_every_shard(spark: SparkSession, tables: tuple[str, str]) -> None:
    """A mention has positions in tables, too; windows of one document are in one shard."""
    policy = scoref.Policy(window="20:5")
    expected = scoref.score(*tables, METRICS, policy)
    assert expected["muc"] != scoref.score(*tables, ["muc"])["muc"]
    found = score_files(spark, *tables, METRICS, policy)
    assert found.counts == expected.counts
    assert found.signature == expected.signature
    with pytest.raises(UsageError, match="windows of sentences require sentences"):
        score_files(spark, *tables, policy=scoref.Policy(window="2s"))


def test_repeated_mentions_and_unpaired_documents(spark: SparkSession, tmp_path: Path) -> None:
    """The first in the file is scored, although rows have no order in Spark; notes are the same."""
    key, response = drawn(documents=6)
    again = {name: np.concatenate([column, column[5:9]]) for name, column in key.items()}
    again["entity"][-4:] = 99
    some = np.array(response["document"]) != "text 3"
    fewer = {name: np.array(column)[some] for name, column in response.items()}
    fewer["document"] = np.where(fewer["document"] == "text 5", "other", fewer["document"])
    paths = (
        write_parquet(tmp_path / "key.parquet", again),
        write_parquet(tmp_path / "response.parquet", fewer),
    )
    policy = scoref.Policy(extra_documents="ignore")
    expected = scoref.score(*paths, METRICS, policy)
    assert len(expected.notes) == 3
    assert_same(score_files(spark, *paths, METRICS, policy), expected)
    with pytest.raises(DocumentError, match="1 document that the key lacks: other"):
        score_files(spark, *paths)
    strict = scoref.Policy(extra_documents="ignore", duplicates="error")
    with pytest.raises(MentionError, match="the key repeats 4 mentions: "):
        score_files(spark, *paths, policy=strict)


def test_types_and_heads_are_available(spark: SparkSession, tmp_path: Path) -> None:
    """Matching and metrics require these columns."""
    rng = np.random.default_rng(1)
    sides = (str(tmp_path / "key.parquet"), str(tmp_path / "response.parquet"))
    for path, side in zip(sides, drawn(documents=8), strict=True):
        kinds = np.array(["name", "nominal", "pronoun"])[np.array(side["start"]) % 3]
        heads = side["start"] + rng.integers(1, size=len(side["start"]))
        columns = {**side, "type": kinds, "head_start": heads, "head_end": heads}
        write_parquet(Path(path), columns)
    metrics = ["muc", "lmuc", "ceafe"]
    policy = scoref.Policy(match="head", where="type=name")
    assert_same(score_files(spark, *sides, metrics, policy), scoref.score(*sides, metrics, policy))


def test_large_documents_and_empty_shards(spark: SparkSession, tmp_path: Path) -> None:
    """Skew takes time, but changes nothing."""
    key, response = drawn(documents=3, mentions=2000)
    tiny = drawn(documents=2, mentions=3, seed=1)
    for side, more in zip((key, response), tiny, strict=True):
        for name, column in more.items():
            values = [f"tiny {one}" for one in column] if name == "document" else column
            side[name] = np.concatenate([np.asarray(side[name]), np.asarray(values)])
    paths = (
        write_parquet(tmp_path / "key.parquet", key),
        write_parquet(tmp_path / "response.parquet", response),
    )
    expected = scoref.score(*paths)
    frames = frames_of(spark, paths)
    found = score(frames[0].repartition(5), frames[1], shards=12)
    assert found.signature == expected.signature
    at = [found.counts.units.index(unit) for unit in expected.counts.units]
    for name in expected:  # drawn mentions stand in the order of their spans
        assert np.array_equal(found.counts.rows[name][at], expected.counts.rows[name]), name


def test_count_returns_a_data_frame(spark: SparkSession, tables: tuple[str, str]) -> None:
    """With a struct per metric."""
    frames = frames_of(spark, tables)
    counts = count(*frames, ["muc", "blanc(alpha=0.2)"], shards=3)
    assert counts.columns == ["document", "muc", "blanc(alpha=0.2)"]
    expected = scoref.score(*tables, ["muc", "blanc(alpha=0.2)"])
    rows = {row["document"]: list(row["blanc(alpha=0.2)"]) for row in counts.collect()}
    assert [rows[unit] for unit in expected.counts.units] == expected.counts.rows[
        "blanc(alpha=0.2)"
    ].tolist()


def test_partitions_do_not_change_counts(spark: SparkSession, tables: tuple[str, str]) -> None:
    """A DataFrame has no order."""
    key, response = frames_of(spark, tables)
    one = count(key.coalesce(1), response.coalesce(1), ["b3", "lea"], shards=2)
    other = count(key.repartition(7, "start"), response.repartition(3), ["b3", "lea"], shards=5)
    assert sorted(one.collect()) == sorted(other.collect())


@pytest.mark.long
@pytest.mark.parametrize("accident", ["failed", "slow"])
def test_repeated_tasks_change_nothing(
    spark: SparkSession, tables: tuple[str, str], tmp_path: Path, accident: str
) -> None:
    """A task that fails once, a task that runs twice."""
    flag = str(tmp_path / "flag")

    def count_with_an_accident(table: Any) -> Any:
        try:
            os.close(os.open(flag, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return count_b_cubed(table)
        if accident == "failed":
            raise RuntimeError("no luck")
        time.sleep(8)
        return count_b_cubed(table)

    frames = frames_of(spark, tables)
    found = score(*frames, ["b3", count_with_an_accident], shards=6)
    expected = scoref.score(*tables, ["b3"])
    assert Path(flag).exists()
    assert (found.key.mentions, found.signature) == (expected.key.mentions, expected.signature)
    at = [found.counts.units.index(unit) for unit in expected.counts.units]
    for name in found:
        assert np.array_equal(found.counts.rows[name][at], expected.counts.rows["b3"])


@pytest.mark.long
def test_killed_executors_change_nothing(
    spark: SparkSession, tables: tuple[str, str], killed: list[Path]
) -> None:
    """One in each stage: ranges of documents, dividing either side, counting buckets."""
    expected = scoref.score(*tables, METRICS)
    assert_same(score_files(spark, *tables, METRICS), expected)
    sides = (
        read_parquet(spark, name, path, all_columns=True)
        for name, path in zip(("key", "response"), tables, strict=True)
    )
    found = score_documents(*harmonize(*sides), find_metrics(METRICS), scoref.Policy(), 4)
    assert_same(found, expected)
    assert [flag.exists() for flag in killed] == [True] * 4


def test_a_killed_executor_changes_nothing(
    spark: SparkSession, tables: tuple[str, str], killed: list[Path]
) -> None:
    """Spark runs the range of documents again."""
    assert_same(score_files(spark, *tables, METRICS), scoref.score(*tables, METRICS))
    assert [flag.exists() for flag in killed] == [True]


def test_errors_have_their_local_message(spark: SparkSession, tmp_path: Path) -> None:
    """An error on an executor reaches the user without the text of Spark."""
    key, response = drawn(documents=2)
    fine = write_parquet(tmp_path / "fine.parquet", key)
    response["end"][5] = 0
    wrong = write_parquet(tmp_path / "wrong.parquet", response)
    for on_spark in (False, True):
        with pytest.raises(ScorefError) as error:
            score_files(spark, fine, wrong) if on_spark else scoref.score(fine, wrong)
        start = int(response["start"][5])
        assert error.value.message == (
            f"{wrong}:6: found a mention from {start} to 0,"
            " expected mentions of at least one token, the end inclusive"
        )
    (tmp_path / "text.csv").write_text("document,start,end,entity\na,1,2,e\n")
    with pytest.raises(UsageError, match="is a table in text, but the Spark engine reads") as text:
        score_files(spark, fine, str(tmp_path / "text.csv"))
    assert "`scoref convert IN.csv -o OUT.parquet`, or pass a DataFrame" in text.value.hint
    with pytest.raises(ScorefError, match="no such file or directory"):
        score_files(spark, fine, str(tmp_path / "nothing.parquet"))
    nameless = write_parquet(tmp_path / "nameless.parquet", {"document": ["a"], "x": [1]})
    with pytest.raises(ScorefError, match="found the header `document`, `x`, expected the columns"):
        score_files(spark, fine, nameless)


def test_what_requires_more_than_shards_is_refused(
    spark: SparkSession, tables: tuple[str, str]
) -> None:
    """Before anything runs."""
    with pytest.raises(UsageError, match="genres are not available on Spark"):
        score_files(spark, *tables, policy=scoref.Policy(where="genre=nw"))
    with pytest.raises(UsageError, match="--unit topic is not available on Spark"):
        score_files(spark, *tables, policy=scoref.Policy(unit="topic"))
    with pytest.raises(
        UsageError, match=r"the Spark engine is not available with compat corefud-1.2"
    ):
        score_files(spark, *tables, policy=scoref.Policy(compat="corefud-1.2"))
    with pytest.raises(UsageError, match="--match min requires minimal spans"):
        score_files(spark, *tables, policy=scoref.Policy(match="min"))
    frames = frames_of(spark, tables)
    with pytest.raises(UsageError, match="the key has no column 'place'"):
        score(*frames, order="place")
    with pytest.raises(UsageError, match="the response has none"):
        score(frames[0], frames[1].drop("document"))


def test_other_formats_are_scored_by_the_driver(spark: SparkSession, example: Path) -> None:
    """With all metrics."""
    paths = (str(example / "key.conll"), str(example / "careful.conll"))
    for metrics in (None, ["arcs"]):
        assert_same(score_files(spark, *paths, metrics), scoref.score(*paths, metrics))
