"""One definition of a table: Spark gives the local score for a file, or the local message."""

from __future__ import annotations

import gzip
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import scoref
from scoref.exceptions import ScorefError
from scoref.spark import score, score_files
from tests.engines.same_tables import (
    FILES,
    HEADER,
    PLAIN,
    assert_same,
    outcome,
    response_of,
    same_notes,
)
from tests.engines.spark.conftest import frames_of, write_parquet

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

CHOSEN = (
    *("NUL", "CR in a cell", "no final newline", "a byte order mark", "blank lines"),
    *("newlines, quotes and commas in quotes", "an id of 200 kB", "a short row", "no rows"),
    *("nothing", "a document without mentions", "repeated mentions", "the entity -1", "spans"),
    *("unknown types", "records", "repeated records"),
)
"""The reader is the same: these are the files that Spark could pass on to it in another form, and
those of which the driver has to know something."""


@pytest.mark.parametrize("name", CHOSEN)
def test_spark_reads_the_same_table(spark: SparkSession, tmp_path: Path, name: str) -> None:
    """The score, the notes, or the message of a local run."""
    key, response = tmp_path / "key.csv", tmp_path / "response.csv"
    key.write_bytes(FILES[name])
    response.write_bytes(response_of(FILES[name]))
    expected = outcome(lambda: scoref.score(key, response))
    found = outcome(lambda: score_files(spark, str(key), str(response)))
    assert_same(found, expected)
    assert same_notes(found, expected)


@pytest.mark.parametrize("name", ["a document without mentions", "spans", "unknown types"])
def test_spark_reads_the_same_parquet_table(spark: SparkSession, tmp_path: Path, name: str) -> None:
    """By row groups."""
    paths = (str(tmp_path / "key.parquet"), str(tmp_path / "response.parquet"))
    for data, path in zip((FILES[name], response_of(FILES[name])), paths, strict=True):
        (tmp_path / "table.csv").write_bytes(data)
        scoref.read(tmp_path / "table.csv").write(path, "parquet")
    assert_same(outcome(lambda: score_files(spark, *paths)), outcome(lambda: scoref.score(*paths)))


DIRECTORIES: dict[str, dict[str, bytes]] = {
    "two files": {"b.csv": PLAIN, "a.csv": PLAIN.replace(b"\na", b"\nc").replace(b"\nb", b"\nd")},
    "a document in two files": {"b.csv": PLAIN, "a.csv": PLAIN.replace(b"\nb", b"\nc")},
    "files without documents": {"x.csv": b"id,entity\n1,a\n2,a\n", "y.z.csv": b"id,entity\n1,a\n"},
    "directories": {"x/a.csv": b"id,entity\n1,a\n2,a\n", "y/a.csv": b"id,entity\n1,a\n"},
    "two bad files": {"b.csv": PLAIN[:-1] + b",z", "a.csv": PLAIN[:-2]},
    "an empty file": {"b.csv": PLAIN, "c.csv": b""},
    "odd names": {"a b%20ü.csv": PLAIN, "c#.csv": PLAIN.replace(b"\na", b"\nc")[:36]},
}


@pytest.mark.parametrize("files", DIRECTORIES.values(), ids=DIRECTORIES)
def test_a_directory_is_what_it_is_locally(
    spark: SparkSession, tmp_path: Path, files: dict[str, bytes]
) -> None:
    """Each file is a table of its own, and each document is in one file."""
    folder = tmp_path / "tables"
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    expected = outcome(lambda: scoref.score(folder, folder))
    found = outcome(lambda: score_files(spark, str(folder), str(folder)))
    assert_same(found, expected)
    assert same_notes(found, expected)


def test_compressed_tables(spark: SparkSession, tmp_path: Path) -> None:
    """Are read as a whole."""
    path = tmp_path / "key.csv.gz"
    path.write_bytes(gzip.compress(PLAIN + b'a,"q\n",x\n'))
    assert_same(score_files(spark, str(path), str(path)), scoref.score(path, path))


def test_a_large_file_is_not_divided(spark: SparkSession, tmp_path: Path) -> None:
    """Spark divides files of a few megabytes among its tasks, and can do so in a quoted cell."""
    path = tmp_path / "large.csv"
    rows = (f'd{at // 500},"m{at}\n{"-" * 40}",e{at // 3}\n' for at in range(120_000))
    path.write_bytes(HEADER + "".join(rows).encode())
    assert path.stat().st_size > 6_000_000
    assert_same(score_files(spark, str(path), str(path)), scoref.score(path, path))


def test_another_encoding_is_refused(spark: SparkSession, tmp_path: Path) -> None:
    """As locally, with a hint that helps on Spark; and so is the flag."""
    path = tmp_path / "key.csv"
    path.write_bytes(FILES["byte 0xff"])
    with pytest.raises(ScorefError) as expected:
        scoref.score(path, path)
    with pytest.raises(ScorefError) as error:
        score_files(spark, str(path), str(path))
    assert error.value.message == expected.value.message
    assert error.value.hint.startswith("convert the table first: `scoref convert --encoding")
    path.write_bytes(PLAIN)
    with pytest.raises(ScorefError, match="--encoding latin-1 is not available for tables"):
        score_files(spark, str(path), str(path), encoding="latin-1")
    assert score_files(spark, str(path), str(path), encoding="utf-8")["b3"].f1 == 1


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


def test_texts_for_numbers_are_refused_in_parquet(spark: SparkSession, tmp_path: Path) -> None:
    """As locally; only a DataFrame may have them."""
    columns = {"document": ["a", "a"], "start": ["0.0", " 3"], "end": ["1", "3"], "entity": [1, 1]}
    path = write_parquet(tmp_path / "texts.parquet", columns)
    expected = outcome(lambda: scoref.score(path, path))
    assert "found values of type string in the column of `end`" in str(expected)
    assert outcome(lambda: score_files(spark, path, path)) == expected
    assert score(*frames_of(spark, (path, path)))["b3"].f1 == 1


def test_control_characters_in_parquet(spark: SparkSession, tmp_path: Path) -> None:
    """A file with them is refused whoever reads it; a DataFrame can have any text, as locally."""
    entity, folder = "x\0", tmp_path / "parts.parquet"
    folder.mkdir()
    columns = {"document": ["a", "b"], "start": [3, 3], "end": [4, 4], "type": ["name", ""]}
    write_parquet(folder / "part-0.parquet", {**columns, "entity": ["x", "x"]})
    write_parquet(folder / "part-1.parquet", {**columns, "entity": ["x", entity]})
    path = str(folder)
    for policy in (scoref.Policy(), scoref.Policy(where="type=name"), scoref.Policy(unit="corpus")):
        expected = outcome(partial(scoref.score, path, path, policy=policy))
        assert "part-1.parquet: found" in str(expected)
        assert outcome(partial(score_files, spark, path, path, policy=policy)) == expected
    frame = spark.createDataFrame(
        [("a", "m", entity)], "document string, mention string, entity string"
    )
    local = frame.toPandas()
    found, alike = score(frame, frame), scoref.score(local, local)
    assert found.counts.rows["b3"].tolist() == alike.counts.rows["b3"].tolist()


@pytest.mark.parametrize("kind", [int, str], ids=["numbers", "texts"])
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
