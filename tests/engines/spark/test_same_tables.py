"""One definition of a table: all engines give the same score for a file, or the same message."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

import scoref
from scoref.engines.tables import score_tables, shards
from scoref.engines.tables.parquet_table import ParquetTable
from scoref.engines.tables.row_table import TablePair
from scoref.exceptions import ScorefError
from scoref.spark import score, score_files
from tests.engines.spark.conftest import frames_of, write_parquet

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

HEADER = b"document,mention,entity\n"
PLAIN = HEADER + b"a,m1,x\na,m2,x\na,m3,y\nb,m1,x\nb,m2,y\n"
SPANS = b"document,start,end,entity\na,0,1,x\na,3,3,x\nb,7,9,y\n"
LONG = "x" * 200_000

# fmt: off
FILES: dict[str, bytes] = {
    "as it is": PLAIN,
    "blanks around ids": PLAIN.replace(b"m1,x", b"m1, x").replace(b"m2", b"m2 "),
    "blanks around everything": PLAIN.replace(b",", b" , "),
    "a blank entity": PLAIN.replace(b"m1,x", b"m1, "),
    "NA after a blank": PLAIN.replace(b"m1,x", b"m1, NA"),
    "byte 0xff": PLAIN.replace(b"m3", b"\xff"),
    "byte 0xff in a column that is not read": b"text," + PLAIN.replace(b"\n", b"\n\xff,")[:-2],
    "NUL": PLAIN.replace(b"m3", b"\0"),
    "an unclosed quote": PLAIN.replace(b"m3", b'"m3'),
    "a quote after a cell": PLAIN.replace(b"m3", b'"m3"4'),
    "a quote inside a cell": PLAIN.replace(b"m3", b'3" disk'),
    "newlines in quotes": PLAIN.replace(b"m2", b'"m\n2"'),
    "newlines, quotes and commas in quotes": PLAIN.replace(b"m2", b'"m\r\n""2"",\n"'),
    "quotes around all cells": PLAIN.replace(b",", b'","').replace(b"\n", b'"\n"')[:-1],
    "a short row": PLAIN.replace(b"a,m3,y", b"a,m3"),
    "a long row": PLAIN.replace(b"a,m3,y", b"a,m3,y,z"),
    "an empty id": PLAIN.replace(b"m3", b""),
    "an empty entity": PLAIN.replace(b"m3,y", b"m3,"),
    "an empty document": PLAIN.replace(b"a,m3", b",m3"),
    "a document without mentions": PLAIN + b"c,,\n",
    "a byte order mark": b"\xef\xbb\xbf" + PLAIN,
    "CRLF": PLAIN.replace(b"\n", b"\r\n"),
    "CR in a cell": PLAIN.replace(b"m3", b"m\r3"),
    "blank lines": PLAIN.replace(b"\n", b"\n\n \t\n"),
    "no final newline": PLAIN[:-1],
    "no rows": HEADER,
    "no header": PLAIN.removeprefix(HEADER),
    "nothing": b"",
    "repeated mentions": PLAIN + b"a,m1,y\na,m1,x\na,m3,z\n",
    "tabs": PLAIN.replace(b",", b"\t"),
    "bars": PLAIN.replace(b",", b"|"),
    "Excel's separator": b"sep=;\n" + PLAIN.replace(b",", b";"),
    "the entity -1": PLAIN.replace(b",x", b",-1"),
    "an id of 200 kB": PLAIN.replace(b"m1", LONG.encode()),
    "ids of other scripts": PLAIN.replace(b"m1", "ö\u00a0\u2028".encode()),
    "spans": SPANS,
    "0.0 as a start": SPANS.replace(b"a,0", b"a,0.0"),
    "blanks around numbers": SPANS.replace(b",3,", b", 3 ,"),
    "a fraction": SPANS.replace(b"a,0", b"a,0.5"),
    "a word": SPANS.replace(b"a,0", b"a,zero"),
    "a number of 20 digits": SPANS.replace(b"a,0,1", b"a,0,99999999999999999999"),
    "a position out of proportion": SPANS.replace(b"a,0,1", b"a,0,900000000"),
    "an end before its start": SPANS.replace(b"7,9", b"9,7"),
    "exclusive ends": SPANS.replace(b"end", b"stop").replace(b"3,3", b"3,4"),
    "types": b"document,mention,entity,type\na,m1,x,NAM\na,m2,x, pro\nb,m1,x,\n",
    "unknown types": b"document,mention,entity,type\na,m1,x,NAM\na,m2,x,PER\nb,m1,x,\n",
    "two types of an entity": b"document,mention,entity,entity_type\na,m1,x,P\na,m2,x,Q\n",
    "records": b"record,cluster\nr1,a\nr2,a\nr3,b\nr4,-1\nr5,-1\n",
    "records with blanks": b"record,cluster\nr1,a\n r1,a \nr3,b\n",
    "repeated records": b"record,cluster\nr1,z\nr2,a\nr3,b\nr1,a\nr2,z\n",
    "a ragged record": b"record,cluster\nr1,a\nr2\nr3,b\n",
}
# fmt: on

Outcome = scoref.Result | str


def outcome(score: Callable[[], scoref.Result]) -> Outcome:
    """Return a result, or a message with its hint."""
    try:
        return score()
    except ScorefError as error:
        return str(error)


def assert_same(found: Outcome, expected: Outcome) -> None:
    """Assert that scores, notes and signature are the same, or the messages."""
    if isinstance(found, str) or isinstance(expected, str):
        assert found == expected
        return
    assert (found.signature, found.counts.units) == (expected.signature, expected.counts.units)
    assert found.key.mentions == expected.key.mentions
    for name in expected:
        rows = expected.counts.rows[name]
        np.testing.assert_allclose(found.counts.rows[name], rows, rtol=1e-12, err_msg=name)


def same_notes(found: Outcome, expected: Outcome) -> bool:
    """Whether notes are the same; those on repeated records show no example on Spark."""
    if isinstance(found, str) or isinstance(expected, str):
        return True
    return [note.split("kept")[0] for note in found.notes] == [
        note.split("kept")[0] for note in expected.notes
    ]


@pytest.mark.parametrize("data", FILES.values(), ids=FILES)
def test_all_engines_read_the_same_table(spark: SparkSession, tmp_path: Path, data: bytes) -> None:
    """The local engine, Parquet at once and in parts, and Spark with either format."""
    key, response = tmp_path / "key.csv", tmp_path / "response.csv"
    key.write_bytes(data)
    kind = next((one for one in (PLAIN, SPANS) if one[:15] == data[:15]), data)
    response.write_bytes(kind.replace(b"m2,x", b"m2,y"))
    expected = outcome(lambda: scoref.score(key, response))
    found = outcome(lambda: score_files(spark, str(key), str(response)))
    assert_same(found, expected)
    assert same_notes(found, expected)
    if isinstance(expected, str):
        return
    paths = (str(tmp_path / "key.parquet"), str(tmp_path / "response.parquet"))
    for path, converted in zip((key, response), paths, strict=True):
        scoref.read(path).write(converted, "parquet")
    assert_same(outcome(lambda: scoref.score(*paths)), expected)
    tables = TablePair(*map(ParquetTable, paths))
    limit = 100 * shards.ROW_BYTES
    assert_same(outcome(lambda: score_tables(tables, None, scoref.Policy(), limit)), expected)
    assert_same(outcome(lambda: score_files(spark, *paths)), expected)


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
    """It was ignored."""
    path = tmp_path / "key.csv"
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
