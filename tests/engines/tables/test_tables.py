"""Tables that are scored in parts have the scores, notes and errors of corpora in memory."""

from __future__ import annotations

import pickle
import re
import tempfile
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref import Policy, Result
from scoref.base import memory
from scoref.base.process_pool import Processes
from scoref.cli import main
from scoref.corpus import fingerprint
from scoref.engines.prefetched_input import PrefetchedInput
from scoref.engines.tables import document_shards, score_tables, temporary_files
from scoref.engines.tables.id_column import IdColumn
from scoref.engines.tables.row_table import ParquetTable, TablePair
from scoref.engines.tables.unit_records import CollisionCheck
from scoref.exceptions import FormatError, ScorefError, UsageError
from scoref.matching.inputs import ReadOptions

arrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

Row = tuple[int, int, int]
Outcome = Result | str

ROWS = 40
"""So many rows fit into the memory that these tests allow."""

CLUSTERINGS = (
    *(f"{name}(mentions=shared)" for name in ("nmi", "vmeasure", "vi", "ami", "merge_distance")),
    *("purity", "exact_entity", "fowlkes_mallows", "b3(extended)"),
)
WITHOUT_DOCUMENTS = ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll", "pairwise")


def rows_of(documents: int = 6, mentions: int = 9) -> st.SearchStrategy[list[Row]]:
    """Draw rows: document, mention, entity; some repeat a mention."""
    row = st.tuples(st.integers(0, documents - 1), st.integers(0, mentions - 1), st.integers(-1, 3))
    return st.lists(row, max_size=ROWS, unique=True)


KINDS: dict[str, Callable[[int], int | str]] = {
    "numbers": int,
    "large numbers": lambda value: (value - 30) * 2**57,
    "texts": lambda value: f"name {value}",
    "numerals": lambda value: str(value - 1),
}
POLICIES = st.builds(
    Policy,
    singletons=st.sampled_from(["keep", "drop"]),
    duplicates=st.sampled_from(["first", "first", "error"]),
    missing_documents=st.sampled_from(["empty", "error"]),
    extra_documents=st.sampled_from(["ignore", "error"]),
    average=st.sampled_from(["micro", "macro"]),
)


def write(path: Path, columns: dict[str, list[Any]], **options: Any) -> None:
    """Write a table, in row groups of a few rows."""
    parquet.write_table(arrow.table(columns), path, row_group_size=7, **options)


def both(folder: Path) -> TablePair[ParquetTable]:
    """Open both sides."""
    return TablePair(
        ParquetTable(folder / "key.parquet"), ParquetTable(folder / "response.parquet")
    )


def in_shards(
    folder: Path, metrics: list[str] | None, policy: Policy, rows: int = ROWS * 2
) -> Outcome:
    """Score with the memory of so many rows, or return the message of an error."""
    try:
        return score_tables(both(folder), metrics, policy, rows * document_shards.ROW_BYTES)
    except ScorefError as error:
        return str(error)


def in_memory(folder: Path, metrics: list[str] | None, policy: Policy) -> Outcome:
    """Score corpora in memory."""
    key, response = folder / "key.parquet", folder / "response.parquet"
    try:
        return scoref.score(scoref.read(key), scoref.read(response), metrics, policy)
    except ScorefError as error:
        return str(error)


def from_files(folder: Path, metrics: list[str] | None, policy: Policy) -> Outcome:
    """Score files that fit into memory."""
    key, response = folder / "key.parquet", folder / "response.parquet"
    try:
        return scoref.score(key, response, metrics, policy, memory="100GB")
    except ScorefError as error:
        return str(error)


def assert_same(found: Outcome, expected: Outcome, tolerance: float = 0.0) -> None:
    """Assert that both have the same counts and notes, or the same error."""
    if isinstance(found, str) or isinstance(expected, str):
        assert found == expected
        return
    assert found.signature == expected.signature
    assert found.notes == expected.notes
    assert (found.key, found.response) == (expected.key, expected.response)
    assert found.counts.units == expected.counts.units
    for name, counts in expected.counts.rows.items():
        np.testing.assert_allclose(found.counts.rows[name], counts, rtol=tolerance, atol=tolerance)


@given(
    key=rows_of(),
    response=rows_of(7),
    kinds=st.tuples(*[st.sampled_from(sorted(KINDS))] * 3),
    sort=st.tuples(st.booleans(), st.booleans()),
    policy=POLICIES,
)
def test_documents_give_the_same_bits(
    key: list[Row],
    response: list[Row],
    kinds: tuple[str, str, str],
    sort: tuple[bool, bool],
    policy: Policy,
) -> None:
    """In any order, with ids of any kind, under any policy, incl. what is said and refused."""
    with tempfile.TemporaryDirectory() as name:
        for side, rows, in_order in zip(("key", "response"), (key, response), sort, strict=True):
            ordered = sorted(rows) if in_order else rows
            document, mention, entity = (
                [KINDS[kind](row[at]) for row in ordered] for at, kind in enumerate(kinds)
            )
            columns = {"document": document, "mention": mention, "entity": entity}
            if not rows:
                columns = {one: arrow.array([], arrow.int64()) for one in columns}
            write(Path(name, f"{side}.parquet"), columns)
        folder = Path(name)
        expected = in_memory(folder, None, policy)
        assert_same(in_shards(folder, None, policy), expected)
        assert_same(from_files(folder, None, policy), expected)


@given(
    key=rows_of(1, 60),
    response=rows_of(1, 60),
    kinds=st.tuples(*[st.sampled_from(sorted(KINDS))] * 2),
    policy=st.builds(
        Policy,
        singletons=st.sampled_from(["keep", "drop"]),
        duplicates=st.sampled_from(["first", "first", "error"]),
    ),
)
def test_one_unit_gives_the_same_counts(
    key: list[Row], response: list[Row], kinds: tuple[str, str], policy: Policy
) -> None:
    """Without documents, all but the last bits are the same."""
    metrics = [*WITHOUT_DOCUMENTS, "b3(twinless=sys)", *CLUSTERINGS]
    with tempfile.TemporaryDirectory() as name:
        for side, rows in (("key", key), ("response", response)):
            mention = [KINDS[kinds[0]](row[1]) for row in rows]
            entity = [KINDS[kinds[1]](row[2]) for row in rows]
            columns: dict[str, Any] = {"mention": mention, "entity": entity}
            if not rows:
                columns = {one: arrow.array([], arrow.int64()) for one in columns}
            write(Path(name, f"{side}.parquet"), columns)
        folder = Path(name)
        expected = in_memory(folder, metrics, policy)
        with patch("scoref.engines.tables.unit_histogram.CELL_BYTES", 0):  # rows may be few
            found = in_shards(folder, metrics, policy, 1 + len(key) // 5)
        assert_same(found, expected, 1e-12)
        assert_same(from_files(folder, metrics, policy), expected)


@pytest.mark.parametrize("documents", ["documents", ""])
@given(key=rows_of(), response=rows_of())
def test_spans_give_the_same_counts(key: list[Row], response: list[Row], documents: str) -> None:
    """Mentions can be spans, whose end is inclusive or exclusive."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for side, rows, last in (("key", key, "end"), ("response", response, "stop")):
            columns: dict[str, Any] = {
                "document": [row[0] for row in rows],
                "start": [row[1] // 3 for row in rows],
                last: [row[1] // 3 + row[1] % 3 + (last == "stop") for row in rows],
                "entity": [row[2] for row in rows],
            }
            if not documents:
                del columns["document"]
            columns = {one: arrow.array(cells, arrow.int64()) for one, cells in columns.items()}
            write(folder / f"{side}.parquet", columns)
        ours = in_shards(folder, None, Policy(extra_documents="ignore"))
        expected = in_memory(folder, None, Policy(extra_documents="ignore"))
        assert_same(ours, expected, 0.0 if documents else 1e-12)
        assert_same(from_files(folder, None, Policy(extra_documents="ignore")), expected)


def pair_of(folder: Path, **changes: list[Any]) -> None:
    """Write 30 mentions in three documents, with other columns of the key if these are given."""
    rows = range(30)
    columns = {
        "document": [f"d{row // 10}" for row in rows],
        "mention": [f"m{row}" for row in rows],
        "entity": [f"e{row % 4}" for row in rows],
    }
    write(folder / "response.parquet", columns)
    write(folder / "key.parquet", {**columns, **changes})


@pytest.mark.parametrize(
    "entity",
    [
        [*["e"] * 12, None, *["e"] * 17],
        [*["e"] * 12, "NaN", *["e"] * 16, ""],
        [0.5] * 30,
        [True] * 30,
    ],
    ids=["null", "not a number", "fractions", "truths"],
)
def test_errors_have_the_same_message(tmp_path: Path, entity: list[Any]) -> None:
    """The line, what was found and what was expected; but the number of problems can differ."""
    pair_of(tmp_path, entity=entity)
    ours, expected = in_shards(tmp_path, None, Policy(), 20), in_memory(tmp_path, None, Policy())
    assert isinstance(ours, str)
    assert isinstance(expected, str)
    assert ours.split("\n")[0] == expected.split("\n")[0]


def test_an_empty_document_cell_is_refused(tmp_path: Path) -> None:
    """With its line."""
    pair_of(tmp_path, document=[*["d0"] * 10, *["d1"] * 10, None, *["d2"] * 9])
    ours = in_shards(tmp_path, None, Policy(), 20)
    assert ours == in_memory(tmp_path, None, Policy())
    assert "key.parquet:21: found an empty document cell" in str(ours)


def test_a_row_with_nothing_but_a_document_is_a_document_without_mentions(tmp_path: Path) -> None:
    """As for the reader of the format."""
    nothing = [None] * 10
    names = [f"m{row}" for row in range(20)]
    pair_of(tmp_path, mention=[*names, *nothing], entity=[*["e"] * 20, *nothing])
    ours = in_shards(tmp_path, None, Policy(), 20)
    assert_same(ours, in_memory(tmp_path, None, Policy()))
    assert isinstance(ours, Result)
    assert (ours.key.documents, ours.key.mentions) == (3, 20)


def test_metrics_that_require_mentions_work_by_document(tmp_path: Path) -> None:
    """A shard has all that metrics and conditions require: types, order, tokens."""
    rows = range(30)
    columns: dict[str, list[Any]] = {
        "document": [f"d{row // 10}" for row in rows],
        "start": [3 * row for row in rows],
        "end": [3 * row + row % 2 for row in rows],
        "entity": [row % 4 for row in rows],
        "type": [("name", "nominal", "pronoun")[row % 3] for row in rows],
    }
    write(tmp_path / "key.parquet", columns)
    write(tmp_path / "response.parquet", {**columns, "entity": [row % 5 for row in rows]})
    metrics = ["lb3", "arcs", "ceaf(overlap=dice)", "rand"]
    for policy in (Policy(), Policy(where="type=name"), Policy(match="overlap=0.5")):
        ours = in_shards(tmp_path, metrics, policy, 20)
        assert_same(ours, in_memory(tmp_path, metrics, policy))
        assert isinstance(ours, Result)


def test_a_metric_of_a_user_sees_the_labels_of_mentions(tmp_path: Path) -> None:
    """Since it may require them, they are not replaced by codes."""
    pair_of(tmp_path)

    def labels(table: Any) -> Any:
        assert table.mentions.alignment.key_corpus.labels[0].startswith("m")
        return np.ones((len(table.units), 4))

    result = score_tables(both(tmp_path), [labels], Policy(), 20 * document_shards.ROW_BYTES)
    assert result["labels"].f1 == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metrics": ["arcs"]}, "arcs requires single mentions"),
        ({"policy": Policy(where="length=1")}, "--where length=1 requires single mentions"),
        ({"policy": Policy(match="head")}, "--match head requires single mentions"),
        ({"policy": Policy(unit="corpus")}, "--unit corpus is not available"),
    ],
    ids=["metric", "where", "match", "unit"],
)
def test_what_requires_mentions_is_refused_without_documents(
    tmp_path: Path, options: dict[str, Any], message: str
) -> None:
    """The hint is to allow more memory."""
    for side in ("key", "response"):
        write(tmp_path / f"{side}.parquet", {"mention": [1, 2, 3], "entity": [1, 1, 2]})
    arguments = {"metrics": None, "policy": Policy(), **options}
    with pytest.raises(UsageError, match=message) as refused:
        score_tables(both(tmp_path), arguments["metrics"], arguments["policy"], 10**6)
    assert "raise --memory" in refused.value.hint


def test_documents_on_one_side_only_are_refused(tmp_path: Path) -> None:
    """The message says which side has the column."""
    pair_of(tmp_path)
    write(tmp_path / "key.parquet", {"mention": ["m1"], "entity": ["e"]})
    with pytest.raises(
        UsageError, match="the response has a column of documents, but the key has none"
    ):
        score_tables(both(tmp_path), None, Policy(), 10**6)


def test_a_document_larger_than_memory_is_refused(tmp_path: Path) -> None:
    """With its name, and the memory that it would take."""
    pair_of(tmp_path)
    with pytest.raises(UsageError, match="document d0 has 20 rows on both sides together") as error:
        score_tables(both(tmp_path), None, Policy(), 15 * document_shards.ROW_BYTES)
    assert error.value.hint.startswith("--memory ")


def test_ceaf_says_how_much_memory_it_takes(tmp_path: Path) -> None:
    """Other metrics require only a histogram."""
    rows = range(4000)
    key = {"mention": list(rows), "entity": [row // 2 for row in rows]}
    response = {"mention": list(rows), "entity": [(row + 1) // 2 for row in rows]}
    write(tmp_path / "key.parquet", key)
    write(tmp_path / "response.parquet", response)
    with pytest.raises(UsageError, match="CEAF aligns 4,000 pairs of entities"):
        score_tables(both(tmp_path), ["ceafe"], Policy(), 10**5)
    assert score_tables(both(tmp_path), ["muc"], Policy(), 10**5)["muc"].f1 == 0


def test_a_full_disk_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hint says how to choose another directory."""
    rows = {"mention": [1, 2, 3], "entity": [1, 1, 2]}
    write(tmp_path / "key.parquet", rows)
    write(tmp_path / "response.parquet", rows)

    def full(**_: object) -> Any:
        return Path("/dev/full").open("wb", buffering=0)

    monkeypatch.setattr(tempfile, "TemporaryFile", full)
    with pytest.raises(ScorefError, match="No space left on device") as error:
        score_tables(both(tmp_path), None, Policy(), 10**6)
    assert "TMPDIR" in error.value.hint


def test_temporary_files_have_no_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is left of them, however the program ends."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    ids = np.arange(50)
    spilled = temporary_files.SpilledColumns(3, 2)
    spilled.add((ids, -ids), ids)
    assert not list(folder.iterdir())
    parts = [spilled.read(part) for part in range(3)]
    assert sorted(np.concatenate([part[0] for part in parts]).tolist()) == ids.tolist()
    assert all(len(part[0]) and (part[0] == -part[1]).all() for part in parts)
    spilled.close()


def test_hashes_are_those_of_labels() -> None:
    """For texts that are sliced, empty, or numerals of any length."""
    texts = ["", "a", "é", "name 12", "12", "-7", "007", str(2**63 - 1), str(2**63), "x" * 300]
    column = arrow.chunked_array([arrow.array(["other", *texts]).slice(1), arrow.array(texts[:3])])
    expected = fingerprint.of_labels([*texts, *texts[:3]])
    np.testing.assert_array_equal(IdColumn.of(column).hashes(), expected)
    empty = IdColumn.of(arrow.chunked_array([arrow.array([""])]))
    np.testing.assert_array_equal(empty.hashes(), fingerprint.of_labels([""]))


def test_a_text_with_two_codes_is_one_text() -> None:
    """A dictionary may have a text twice."""
    twice = arrow.DictionaryArray.from_arrays([0, 1, 2, 1], ["a", "b", "a"])
    for column in (twice, arrow.chunked_array([twice, twice])):
        values = IdColumn.of(column)
        assert values.texts.to_pylist() == ["a", "b"]
        assert values.numbers.tolist()[:4] == [0, 1, 0, 1]


def test_texts_with_the_same_hash_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is improbable, but no score may be wrong without an error."""
    monkeypatch.setattr(IdColumn, "hashes", lambda self: np.zeros(len(self.numbers), np.uint64))
    collisions = CollisionCheck(2)
    collisions.add(arrow.array(["one", "one"]))
    collisions.add(arrow.array(["one"]))
    collisions.finish("mention")
    collisions.add(arrow.array(["one"]))
    collisions.add(arrow.array(["another"]))
    with pytest.raises(ScorefError, match="two different texts in the column of `mention`"):
        collisions.finish("mention")


def test_a_damaged_file_is_reported(tmp_path: Path) -> None:
    """Also if only its data are damaged."""
    pair_of(tmp_path)
    data = bytearray((tmp_path / "key.parquet").read_bytes())
    data[4:40] = bytes(36)
    (tmp_path / "key.parquet").write_bytes(data)
    assert "damaged Parquet data" in str(in_shards(tmp_path, None, Policy(), 20))


def test_memory_is_a_flag(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of `score` and `count`; the output is the same."""
    rows = range(6000)
    columns = {
        "document": [row // 50 for row in rows],
        "mention": list(rows),
        "entity": [row // 3 for row in rows],
    }
    write(tmp_path / "key.parquet", columns)
    write(tmp_path / "response.parquet", {**columns, "entity": [row // 4 for row in rows]})
    key, response = str(tmp_path / "key.parquet"), str(tmp_path / "response.parquet")
    for command in ("score", "count"):
        shown = []
        for flag in ([], ["--memory", "1MB"]):
            assert main([command, key, response, *flag]) == 0
            shown.append(capsys.readouterr())
        assert shown[0] == shown[1]
    large, small = scoref.score(key, response, memory="1MB"), scoref.score(key, response)
    with pytest.raises(UsageError, match="no single mentions"):
        large.where("entity_size>2")
    expected = scoref.score(scoref.read(key), scoref.read(response)).where("entity_size>2")
    assert small.alignment is None
    assert_same(small.where("entity_size>2"), expected)
    assert_same(pickle.loads(pickle.dumps(small)).where("entity_size>2"), expected)  # noqa: S301


@pytest.mark.parametrize(
    ("text", "size"), [("2GB", 2 * 10**9), ("1.5 MiB", 1_572_864), ("500m", 5 * 10**8)]
)
def test_sizes_of_memory_are_parsed(text: str, size: int) -> None:
    """With decimal and binary units, in any case."""
    assert memory.parse_size(text) == size


@pytest.mark.parametrize("text", ["", "2XB", "GB", "-1GB", "10"])
def test_invalid_sizes_are_refused(text: str) -> None:
    """With an example."""
    with pytest.raises(UsageError, match="memory"):
        memory.parse_size(text)


def test_some_memory_is_free() -> None:
    """A quarter of it is the default."""
    assert memory.memory_limit(None) > 10**6


def test_an_invalid_size_is_refused_for_any_input() -> None:
    """Also if no table is scored."""
    with pytest.raises(UsageError, match="'lots' is not a size of memory"):
        scoref.score({"d": [["a"]]}, {"d": [["a"]]}, memory="lots")


def in_parts(folder: Path, sizes: tuple[int, ...] = (7, 0, 11)) -> None:
    """Write both tables of a folder again, as directories of parts with marker files."""
    for side in ("key", "response"):
        table = parquet.read_table(folder / f"{side}.parquet")
        parts = folder / "parts" / side
        parts.mkdir(parents=True)
        (parts / "_SUCCESS").touch()
        (parts / ".part-0.parquet.crc").write_bytes(b"crc")
        ends = np.cumsum([0, *sizes, len(table)])
        for number, (first, end) in enumerate(pairwise(ends.tolist())):
            rows = table.slice(first, max(end - first, 0))
            parquet.write_table(rows, parts / f"part-{number}.parquet", row_group_size=3)


@pytest.mark.parametrize(
    "kept",
    [
        ("document", "mention", "entity"),
        pytest.param(("mention", "entity"), marks=pytest.mark.long),
    ],
)
def test_a_directory_of_parts_is_one_table(tmp_path: Path, kept: tuple[str, ...]) -> None:
    """A document, and a unit, may be in several parts."""
    rows = range(40)
    columns = {
        "document": [f"d{row % 3}" for row in rows],
        "mention": [f"m{row}" for row in rows],
        "entity": [f"e{row // 3 % 4}" for row in rows],
    }
    write(tmp_path / "key.parquet", {name: columns[name] for name in kept})
    other = {**columns, "entity": [f"e{row // 4 % 4}" for row in rows]}
    write(tmp_path / "response.parquet", {name: other[name] for name in kept})
    in_parts(tmp_path)
    key, response = (tmp_path / "parts" / side for side in ("key", "response"))
    expected = in_memory(tmp_path, None, Policy())
    assert isinstance(expected, Result)
    large = score_tables(
        TablePair(ParquetTable(key), ParquetTable(response)),
        None,
        Policy(),
        30 * document_shards.ROW_BYTES,
    )
    read = scoref.score(scoref.read(key), scoref.read(response))
    jobs = read_with_jobs(key, 2), read_with_jobs(response, 2)
    for ours in (large, scoref.score(key, response), read, scoref.score(*jobs)):
        assert ours.key.source == str(key)
        same = replace(ours, key=expected.key, response=expected.response)
        assert_same(same, expected, 1e-12)


def read_with_jobs(path: Path, processes: int) -> scoref.Corpus:
    """Read a path as a command with `--jobs` does."""
    with Processes(processes) as workers:
        source, options = PrefetchedInput(path, processes, workers), ReadOptions()
        source.prefetch("key", options, ())
        return source.corpus("key", options, ())


def test_an_error_in_a_part_names_its_file(tmp_path: Path) -> None:
    """The row is counted from the start of that file, on every engine."""
    pair_of(tmp_path, document=[*["d0"] * 10, *["d1"] * 10, None, *["d2"] * 9])
    in_parts(tmp_path)
    key, response = (tmp_path / "parts" / side for side in ("key", "response"))
    where = re.escape(f"{key / 'part-3.parquet'}:3: found an empty document cell")
    with pytest.raises(FormatError, match=where):
        scoref.read(key)
    for size in ("1MB", "1GB"):
        with pytest.raises(FormatError, match=where):
            scoref.score(key, response, memory=size)
    (key / "part-1.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(FormatError, match=r"part-1.parquet: found damaged Parquet data"):
        scoref.score(key, response)


def test_parts_with_other_columns_are_refused(tmp_path: Path) -> None:
    """The message names the part, and its columns."""
    pair_of(tmp_path)
    in_parts(tmp_path)
    key = tmp_path / "parts" / "key"
    write(key / "part-2.parquet", {"document": [1], "mention": [1], "entity": [1]})
    message = (
        r"part-2.parquet: found the columns document \(int64\).*expected the columns of .*part-0"
    )
    for score in (lambda: scoref.score(key, key), lambda: scoref.read(key)):
        with pytest.raises(FormatError, match=message):
            score()


def test_metrics_can_be_a_generator(tmp_path: Path) -> None:
    """Also if the tables are scored as corpora in the end."""
    pair_of(tmp_path)
    key, response = tmp_path / "key.parquet", tmp_path / "response.parquet"
    for policy in (Policy(), Policy(where="entity_size>1")):
        result = scoref.score(key, response, (name for name in ["muc", "b3"]), policy)
        assert list(result) == ["muc", "b3"]


def test_a_directory_of_parts_has_no_other_format(tmp_path: Path) -> None:
    """A wrong --format is not ignored."""
    pair_of(tmp_path)
    in_parts(tmp_path)
    with pytest.raises(FormatError, match="found a directory of Parquet files, expected files of"):
        scoref.read(tmp_path / "parts" / "key", "conll")
