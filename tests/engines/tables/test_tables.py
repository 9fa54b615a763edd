"""Tables that are read piece by piece have the scores, notes and errors of tables read at once."""

from __future__ import annotations

import pickle
import re
import tempfile
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

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
from scoref.engines.processes.reading import ReadInParts
from scoref.engines.tables import score_tables, shards, spill
from scoref.engines.tables.collisions import Collisions
from scoref.engines.tables.parquet import ParquetSide, Sides
from scoref.engines.tables.values import Values
from scoref.exceptions import FormatError, ScorefError, UsageError
from scoref.formats import Wanted

arrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

Row = tuple[int, int, int]
Outcome = Result | str

ROWS = 40
"""As many rows fit into the memory that these tests allow."""

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


def both(folder: Path) -> Sides:
    """Open both sides."""
    return Sides(ParquetSide(folder / "key.parquet"), ParquetSide(folder / "response.parquet"))


def in_pieces(
    folder: Path, metrics: list[str] | None, policy: Policy, rows: int = ROWS * 2
) -> Outcome:
    """Score with the memory that so many rows take, or return what is wrong."""
    try:
        return score_tables(both(folder), metrics, policy, rows * shards.ROW_BYTES)
    except ScorefError as error:
        return str(error)


def at_once(folder: Path, metrics: list[str] | None, policy: Policy) -> Outcome:
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


def assert_same(ours: Outcome, expected: Outcome, tolerance: float = 0.0) -> None:
    """Both ways have the same counts, say the same, or refuse with the same words."""
    if isinstance(ours, str) or isinstance(expected, str):
        assert ours == expected
        return
    assert ours.signature == expected.signature
    assert ours.notes == expected.notes
    assert (ours.key, ours.response) == (expected.key, expected.response)
    assert ours.counts.units == expected.counts.units
    for name, counts in expected.counts.rows.items():
        np.testing.assert_allclose(ours.counts.rows[name], counts, rtol=tolerance, atol=tolerance)


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
        expected = at_once(folder, None, policy)
        assert_same(in_pieces(folder, None, policy), expected)
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
    metrics = [*WITHOUT_DOCUMENTS, "b3(twinless=sys)", "nmi(mentions=shared)"]
    with tempfile.TemporaryDirectory() as name:
        for side, rows in (("key", key), ("response", response)):
            mention = [KINDS[kinds[0]](row[1]) for row in rows]
            entity = [KINDS[kinds[1]](row[2]) for row in rows]
            columns: dict[str, Any] = {"mention": mention, "entity": entity}
            if not rows:
                columns = {one: arrow.array([], arrow.int64()) for one in columns}
            write(Path(name, f"{side}.parquet"), columns)
        folder = Path(name)
        expected = at_once(folder, metrics, policy)
        assert_same(in_pieces(folder, metrics, policy, 1 + len(key) // 5), expected, 1e-12)
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
        ours = in_pieces(folder, None, Policy(extra_documents="ignore"))
        expected = at_once(folder, None, Policy(extra_documents="ignore"))
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
def test_what_is_wrong_is_said_alike(tmp_path: Path, entity: list[Any]) -> None:
    """The line, what was found and what was expected; but problems are not all counted."""
    pair_of(tmp_path, entity=entity)
    ours, expected = in_pieces(tmp_path, None, Policy(), 20), at_once(tmp_path, None, Policy())
    assert isinstance(ours, str)
    assert isinstance(expected, str)
    assert ours.split("\n")[0] == expected.split("\n")[0]


def test_an_empty_document_cell_is_refused(tmp_path: Path) -> None:
    """By its line."""
    pair_of(tmp_path, document=[*["d0"] * 10, *["d1"] * 10, None, *["d2"] * 9])
    ours = in_pieces(tmp_path, None, Policy(), 20)
    assert ours == at_once(tmp_path, None, Policy())
    assert "key.parquet:21: found an empty document cell" in str(ours)


def test_a_row_with_nothing_but_a_document_is_a_document_without_mentions(tmp_path: Path) -> None:
    """As a reader has it."""
    nothing = [None] * 10
    names = [f"m{row}" for row in range(20)]
    pair_of(tmp_path, mention=[*names, *nothing], entity=[*["e"] * 20, *nothing])
    ours = in_pieces(tmp_path, None, Policy(), 20)
    assert_same(ours, at_once(tmp_path, None, Policy()))
    assert isinstance(ours, Result)
    assert (ours.key.documents, ours.key.mentions) == (3, 20)


def test_measures_that_look_at_mentions_work_by_documents(tmp_path: Path) -> None:
    """A shard has all that a measure can ask for: types, order, tokens; and so do slices."""
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
    metrics = ["lb3", "arcs", "nec", "ceaf(overlap=dice)", "rand"]
    for policy in (Policy(), Policy(where="type=name"), Policy(match="overlap=0.5")):
        ours = in_pieces(tmp_path, metrics, policy, 20)
        assert_same(ours, at_once(tmp_path, metrics, policy))
        assert isinstance(ours, Result)


def test_a_metric_of_ones_own_sees_the_mentions_as_they_are(tmp_path: Path) -> None:
    """Nobody knows what it looks at."""
    pair_of(tmp_path)

    def labels(table: Any) -> Any:
        assert table.mentions.alignment.key_corpus.labels[0].startswith("m")
        return np.ones((len(table.units), 4))

    result = score_tables(both(tmp_path), [labels], Policy(), 20 * shards.ROW_BYTES)
    assert result["labels"].f1 == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metrics": ["arcs"]}, "arcs requires single mentions"),
        ({"policy": Policy(where="length=1")}, "--where length=1 is not available"),
        ({"policy": Policy(match="head")}, "--match head is not available"),
        ({"policy": Policy(unit="corpus")}, "not by --unit corpus"),
    ],
    ids=["measure", "where", "match", "unit"],
)
def test_what_needs_rows_is_refused_without_documents(
    tmp_path: Path, options: dict[str, Any], message: str
) -> None:
    """With the way out: more memory."""
    for side in ("key", "response"):
        write(tmp_path / f"{side}.parquet", {"mention": [1, 2, 3], "entity": [1, 1, 2]})
    given = {"metrics": None, "policy": Policy(), **options}
    with pytest.raises(UsageError, match=message) as refused:
        score_tables(both(tmp_path), given["metrics"], given["policy"], 10**6)
    assert "raise --memory" in refused.value.hint


def test_documents_on_one_side_only_are_refused(tmp_path: Path) -> None:
    """Nobody knows which of them the others are."""
    pair_of(tmp_path)
    write(tmp_path / "key.parquet", {"mention": ["m1"], "entity": ["e"]})
    with pytest.raises(UsageError, match="one table has a column of documents"):
        score_tables(both(tmp_path), None, Policy(), 10**6)


def test_a_document_larger_than_memory_is_refused(tmp_path: Path) -> None:
    """With its name, and the memory that it would take."""
    pair_of(tmp_path)
    with pytest.raises(UsageError, match="document d0 has 20 rows on both sides together") as told:
        score_tables(both(tmp_path), None, Policy(), 15 * shards.ROW_BYTES)
    assert told.value.hint.startswith("--memory ")


def test_ceaf_says_how_much_memory_it_takes(tmp_path: Path) -> None:
    """Other measures need no more than a histogram."""
    rows = range(4000)
    key = {"mention": list(rows), "entity": [row // 2 for row in rows]}
    response = {"mention": list(rows), "entity": [(row + 1) // 2 for row in rows]}
    write(tmp_path / "key.parquet", key)
    write(tmp_path / "response.parquet", response)
    with pytest.raises(UsageError, match="CEAF aligns entities that share mentions in 4,000 ways"):
        score_tables(both(tmp_path), ["ceafe"], Policy(), 10**5)
    assert score_tables(both(tmp_path), ["muc"], Policy(), 10**5)["muc"].f1 == 0


def test_a_full_disk_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And where another place can be named."""
    rows = {"mention": [1, 2, 3], "entity": [1, 1, 2]}
    write(tmp_path / "key.parquet", rows)
    write(tmp_path / "response.parquet", rows)

    def full(**_: object) -> Any:
        return Path("/dev/full").open("wb", buffering=0)

    monkeypatch.setattr(tempfile, "TemporaryFile", full)
    with pytest.raises(ScorefError, match="No space left on device") as told:
        score_tables(both(tmp_path), None, Policy(), 10**6)
    assert "TMPDIR" in told.value.hint


def test_temporary_files_have_no_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that nothing is left of them, whatever ends the program."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    parts = spill.Columns(3, 2)
    parts.add((np.arange(5), np.arange(5)), np.arange(5) % 3)
    assert not list(folder.iterdir())
    assert [column.tolist() for column in parts.read(1)] == [[1, 4], [1, 4]]
    parts.close()


def test_hashes_are_those_of_labels() -> None:
    """However Arrow holds texts: sliced, empty, as numerals of any length."""
    texts = ["", "a", "é", "name 12", "12", "-7", "007", str(2**63 - 1), str(2**63), "x" * 300]
    column = arrow.chunked_array([arrow.array(["other", *texts]).slice(1), arrow.array(texts[:3])])
    expected = fingerprint.of_labels([*texts, *texts[:3]])
    np.testing.assert_array_equal(Values.of(column).hashes(), expected)
    empty = Values.of(arrow.chunked_array([arrow.array([""])]))
    np.testing.assert_array_equal(empty.hashes(), fingerprint.of_labels([""]))


def test_a_text_with_two_codes_is_one_text() -> None:
    """Nothing forbids a dictionary to say something twice."""
    twice = arrow.DictionaryArray.from_arrays([0, 1, 2, 1], ["a", "b", "a"])
    for column in (twice, arrow.chunked_array([twice, twice])):
        values = Values.of(column)
        assert values.texts.to_pylist() == ["a", "b"]
        assert values.numbers.tolist()[:4] == [0, 1, 0, 1]


def test_texts_of_one_hash_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """It will not happen; but if it does, no score is wrong in silence."""
    monkeypatch.setattr(Values, "hashes", lambda self: np.zeros(len(self.numbers), np.uint64))
    collisions = Collisions(2)
    collisions.add(arrow.array(["one", "one"]))
    collisions.add(arrow.array(["one"]))
    collisions.check("mention")
    collisions.add(arrow.array(["one"]))
    collisions.add(arrow.array(["another"]))
    with pytest.raises(ScorefError, match="two different texts in the column of `mention`"):
        collisions.check("mention")


def test_a_damaged_file_is_told(tmp_path: Path) -> None:
    """Wherever the damage is."""
    pair_of(tmp_path)
    data = bytearray((tmp_path / "key.parquet").read_bytes())
    data[4:40] = bytes(36)
    (tmp_path / "key.parquet").write_bytes(data)
    assert "damaged Parquet data" in str(in_pieces(tmp_path, None, Policy(), 20))


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
def test_sizes_are_read(text: str, size: int) -> None:
    """As people write them."""
    assert memory.parse_size(text) == size


@pytest.mark.parametrize("text", ["", "2XB", "GB", "-1GB", "10"])
def test_other_sizes_are_refused(text: str) -> None:
    """With an example."""
    with pytest.raises(UsageError, match="memory"):
        memory.parse_size(text)


def test_some_memory_is_free() -> None:
    """A quarter of it is taken if nothing is said."""
    assert memory.memory_limit(None) > 10**6


def test_a_size_that_is_none_is_refused_whatever_the_files() -> None:
    """Also where nothing would have been read in pieces."""
    with pytest.raises(UsageError, match="'lots' is not a size of memory"):
        scoref.score({"d": [["a"]]}, {"d": [["a"]]}, memory="lots")


def in_parts(folder: Path, sizes: tuple[int, ...] = (7, 0, 11)) -> None:
    """Write both tables of a folder again, as directories of parts and what goes with them."""
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


@pytest.mark.parametrize("kept", [("document", "mention", "entity"), ("mention", "entity")])
def test_a_directory_of_parts_is_one_table(tmp_path: Path, kept: tuple[str, ...]) -> None:
    """A document, and a unit, may stand in several parts."""
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
    expected = at_once(tmp_path, None, Policy())
    assert isinstance(expected, Result)
    large = score_tables(
        Sides(ParquetSide(key), ParquetSide(response)), None, Policy(), 30 * shards.ROW_BYTES
    )
    read = scoref.score(scoref.read(key), scoref.read(response))
    jobs = read_at_once(key, 2), read_at_once(response, 2)
    for ours in (large, scoref.score(key, response), read, scoref.score(*jobs)):
        assert ours.key.source == str(key)
        same = replace(ours, key=expected.key, response=expected.response)
        assert_same(same, expected, 1e-12)


def read_at_once(path: Path, processes: int) -> scoref.Corpus:
    """Read a path as a command with `--jobs` does."""
    with Processes(processes) as workers:
        return ReadInParts(path, None, Wanted(), None, parts=processes, processes=workers).corpus()


def test_what_is_wrong_in_a_part_is_said_of_its_file(tmp_path: Path) -> None:
    """The row is counted from the start of the file, whoever reads it."""
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


def test_parts_have_the_same_columns(tmp_path: Path) -> None:
    """Else it is not told what the table is."""
    pair_of(tmp_path)
    in_parts(tmp_path)
    key = tmp_path / "parts" / "key"
    write(key / "part-2.parquet", {"document": [1], "mention": [1], "entity": [1]})
    told = r"part-2.parquet: found the columns document \(int64\).*expected those of .*part-0"
    for score in (lambda: scoref.score(key, key), lambda: scoref.read(key)):
        with pytest.raises(FormatError, match=told):
            score()


def test_measures_may_be_given_only_once(tmp_path: Path) -> None:
    """A generator is not empty for whoever scores after the tables were looked at."""
    pair_of(tmp_path)
    key, response = tmp_path / "key.parquet", tmp_path / "response.parquet"
    for policy in (Policy(), Policy(where="entity_size>1")):
        result = scoref.score(key, response, (name for name in ["muc", "b3"]), policy)
        assert list(result) == ["muc", "b3"]


def test_a_directory_of_parts_is_of_no_other_format(tmp_path: Path) -> None:
    """A wrong --format is not ignored."""
    pair_of(tmp_path)
    in_parts(tmp_path)
    with pytest.raises(FormatError, match="found a directory of Parquet files, expected files of"):
        scoref.read(tmp_path / "parts" / "key", "conll")
