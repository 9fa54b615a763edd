"""One definition of a table: Spark gives the local score for a file, or the local message."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import scoref
from scoref.spark import score, score_files
from tests.engines.same_tables import FILES, assert_same, outcome, response_of, same_notes
from tests.engines.spark.conftest import frames_of, write_parquet

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.mark.parametrize(
    "name",
    [
        *("a document without mentions", "spans", "unknown types", "the entity -1", "records"),
        *("repeated mentions", "repeated records"),
    ],
)
def test_spark_reads_the_same_parquet_table(spark: SparkSession, tmp_path: Path, name: str) -> None:
    """The score, the notes, or the message of a local run."""
    paths = (str(tmp_path / "key.parquet"), str(tmp_path / "response.parquet"))
    for data, path in zip((FILES[name], response_of(FILES[name])), paths, strict=True):
        (tmp_path / "table.csv").write_bytes(data)
        scoref.read(tmp_path / "table.csv").write(path, "parquet")
    expected = outcome(lambda: scoref.score(*paths))
    found = outcome(lambda: score_files(spark, *paths))
    assert_same(found, expected)
    assert same_notes(found, expected)


def test_problems_in_a_part_name_its_file(spark: SparkSession, tmp_path: Path) -> None:
    """And its row, as locally."""
    folder = tmp_path / "parts.parquet"
    folder.mkdir()
    for part, end in ((0, 5), (1, 2)):
        columns = {"document": ["a", "b"], "start": [3, 3], "end": [4, end], "entity": [1, 1]}
        write_parquet(folder / f"part-{part}.parquet", columns)
    expected = outcome(lambda: scoref.score(folder, folder))
    assert "part-1.parquet:2: found a mention from 3 to 2" in str(expected)
    assert outcome(lambda: score_files(spark, str(folder), str(folder))) == expected


def test_texts_for_numbers_are_refused(spark: SparkSession, tmp_path: Path) -> None:
    """As locally, and so in a DataFrame."""
    columns = {"document": ["a", "a"], "start": ["0.0", " 3"], "end": ["1", "3"], "entity": [1, 1]}
    path = write_parquet(tmp_path / "texts.parquet", columns)
    expected = outcome(lambda: scoref.score(path, path))
    assert "found values of type string in the column of `end`" in str(expected)
    assert outcome(lambda: score_files(spark, path, path)) == expected
    message = str(outcome(lambda: score(*frames_of(spark, (path, path)))))
    assert "found values of type string in the column of `start`, expected whole numbers" in message
    assert "with `cast`" in message


@pytest.mark.parametrize(
    "choices",
    [
        {"where": "type=name"},
        *(pytest.param(one, marks=pytest.mark.long) for one in ({}, {"unit": "corpus"})),
    ],
)
def test_control_characters_in_parquet(
    spark: SparkSession, tmp_path: Path, choices: dict[str, str]
) -> None:
    """A file with them is refused whoever reads it; a DataFrame can have any text, as locally."""
    policy = scoref.Policy.of(choices)
    entity, folder = "x\0", tmp_path / "parts.parquet"
    folder.mkdir()
    columns = {"document": ["a", "b"], "start": [3, 3], "end": [4, 4], "type": ["name", ""]}
    write_parquet(folder / "part-0.parquet", {**columns, "entity": ["x", "x"]})
    write_parquet(folder / "part-1.parquet", {**columns, "entity": ["x", entity]})
    path = str(folder)
    expected = outcome(partial(scoref.score, path, path, policy=policy))
    assert "part-1.parquet: found" in str(expected)
    assert outcome(partial(score_files, spark, path, path, policy=policy)) == expected
    frame = spark.createDataFrame(
        [("a", "m", entity)], "document string, mention string, entity string"
    )
    local = frame.toPandas()
    found, alike = score(frame, frame), scoref.score(local, local)
    assert found.counts.rows["b3"].tolist() == alike.counts.rows["b3"].tolist()


@pytest.mark.parametrize(
    "kind", [pytest.param(int, id="numbers"), pytest.param(str, id="texts", marks=pytest.mark.long)]
)
def test_repeated_mentions_without_an_order(
    spark: SparkSession, tmp_path: Path, kind: type
) -> None:
    """One rule by document and as one unit, whatever the order of columns; and a note says it."""
    columns = {
        "entity": [kind(one) for one in (10, 9, 9, 10, 9, 1)],
        "start": [1, 1, 5, 0, 7, 7],
        "end": [1, 1, 5, 0, 7, 7],
    }
    path = write_parquet(tmp_path / "unit.parquet", columns)
    in_document = write_parquet(tmp_path / "document.parquet", {**columns, "document": ["d"] * 6})
    by_row = sorted(zip(*(columns[name] for name in ("start", "end", "entity")), strict=True))
    by_row.sort(key=lambda row: (*row[:2], str(row[2])))
    names = ("start", "end", "entity")
    in_order = dict(zip(names, map(list, zip(*by_row, strict=True)), strict=True))
    in_order["document"] = ["d"] * 6
    sorted_path = write_parquet(tmp_path / "sorted.parquet", in_order)
    expected = scoref.score(sorted_path, sorted_path)
    for one in (path, in_document):
        found = score(*frames_of(spark, (one, one)))
        assert found.counts.rows["muc"].tolist() == expected.counts.rows["muc"].tolist()
        assert "the rows of the key have no order" in " ".join(found.notes)
