"""One unit over all executors has its local scores."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

import scoref
from scoref.engines.spark import ceaf_rounds
from scoref.engines.spark.dataframes import harmonize, read_parquet
from scoref.engines.spark.unit_scoring import score_one_unit
from scoref.exceptions import MentionError, UsageError
from scoref.metrics import find_metrics
from scoref.spark import count, score_files
from tests.engines.spark.conftest import assert_alike, drawn, frames_of, write_parquet

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

METRICS = ["mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll", "pairwise"]
METRICS += ["purity", "exact_entity", "b3(extended)", "ami(mentions=shared)"]
METRICS += ["vmeasure(mentions=shared)", "merge_distance(mentions=shared)"]


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Records and clusters of entity resolution: no documents, many overlaps."""
    folder = tmp_path_factory.mktemp("records")
    rng = np.random.default_rng(2)
    rows = 3000
    cluster = rng.integers(900, size=rows)
    found = np.where(rng.random(rows) < 0.5, rng.integers(900, size=rows), cluster)
    kept = rng.permutation(rows)[:2800]
    spurious = np.arange(rows, rows + 100)
    clusters = [*(f"c{one}" for one in found[kept]), *["c1"] * 100]
    return (
        write_parquet(folder / "key.parquet", {"record": np.arange(rows), "cluster": cluster}),
        write_parquet(
            folder / "response.parquet",
            {"record": np.concatenate([kept, spurious]), "cluster": clusters},
        ),
    )


def test_records_without_documents(spark: SparkSession, records: tuple[str, str]) -> None:
    """Sums come from a histogram, CEAF from the driver."""
    found = score_files(spark, *records, METRICS)
    expected = scoref.score(*records, METRICS)
    assert_alike(found, expected)
    assert found.notes == expected.notes


@pytest.mark.long
def test_killed_executors_change_nothing(
    spark: SparkSession,
    records: tuple[str, str],
    killed: list[Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One in each stage: reading, joining, counting by key and response, and a round of CEAF."""
    key, response = (
        read_parquet(spark, name, path, all_columns=False)
        for name, path in zip(("key", "response"), records, strict=True)
    )
    sides = harmonize(key, response)
    scored = find_metrics(["b3", "ceafe"])
    monkeypatch.setattr(ceaf_rounds, "FEW_CELLS", 200)
    found = score_one_unit(*sides, scored, scoref.Policy(), 2)
    assert_alike(found, scoref.score(*records, ["b3", "ceafe"]))
    assert [flag.exists() for flag in killed] == [True] * 7


def test_a_corpus_as_one_unit(spark: SparkSession, tables: tuple[str, str]) -> None:
    """Entities with the same name are one entity of the corpus."""
    policy = scoref.Policy(unit="corpus")
    assert_alike(
        score_files(spark, *tables, METRICS, policy), scoref.score(*tables, METRICS, policy)
    )


def test_repeated_mentions_and_singletons(spark: SparkSession, tmp_path: Path) -> None:
    """The entity that appears first keeps a repeated mention; then singletons are dropped."""
    key, response = drawn(documents=1, mentions=300)
    sides = (str(tmp_path / "key.parquet"), str(tmp_path / "response.parquet"))
    for path, side in zip(sides, (key, response), strict=True):
        columns = {role: np.asarray(side[role]) for role in ("start", "end", "entity")}
        order = np.random.default_rng(3).permutation(len(columns["start"]))
        again = np.concatenate([order, order[:20]])
        columns = {role: column[again] for role, column in columns.items()}
        columns["entity"][-10:] = columns["entity"][:10]
        write_parquet(Path(path), columns)
    policy = scoref.Policy(singletons="drop")
    found = score_files(spark, *sides, METRICS, policy)
    assert_alike(found, scoref.score(*sides, METRICS, policy))
    assert found.key.duplicates_dropped == 20
    with pytest.raises(MentionError, match="the key repeats 20 mentions"):
        score_files(spark, *sides, METRICS, scoref.Policy(duplicates="error"))


def test_what_requires_mentions_is_refused(spark: SparkSession, records: tuple[str, str]) -> None:
    """Before anything runs."""
    with pytest.raises(UsageError, match="arcs requires single mentions"):
        score_files(spark, *records, ["arcs"])
    with pytest.raises(UsageError, match="--match head requires single mentions"):
        score_files(spark, *records, policy=scoref.Policy(match="head"))
    with pytest.raises(
        UsageError, match="without a `document` column there are no per-document counts"
    ):
        count(*frames_of(spark, records))
