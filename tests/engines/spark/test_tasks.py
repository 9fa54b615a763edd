"""The tasks that executors run, run in this process: for many small tables, and without Java."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoref
from scoref.engines.spark import blocks, ceaf_rounds, document_scoring
from scoref.engines.spark.document_scoring import score_documents
from scoref.engines.spark.integer_rows import CHECK, UnitIds
from scoref.engines.spark.row_groups import plan_ranges
from scoref.engines.spark.unit_scoring import score_one_unit
from scoref.engines.spark.unit_tasks import UnitSteps
from scoref.exceptions import ScorefError, UsageError
from scoref.metrics import find_metrics
from tests.engines.same_tables import outcome
from tests.engines.spark.conftest import assert_alike, assert_same, drawn
from tests.engines.spark.in_process import side_of_file

pytest.importorskip("pyarrow")

METRICS = ["mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea", "pairwise"]
METRICS += ["purity", "exact_entity", "b3(extended)", "ami(mentions=shared)"]
METRICS += ["vmeasure(mentions=shared)", "merge_distance(mentions=shared)"]


def write(folder: Path, name: str, columns: dict[str, Any], rows: int | None = None) -> str:
    """Write a table with row groups of so many rows."""
    import pyarrow as pa  # type: ignore[import-untyped]
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

    path = str(folder / f"{name}.parquet")
    pq.write_table(pa.table(columns), path, row_group_size=rows)
    return path


def sides(paths: tuple[str, str]) -> tuple[Any, Any]:
    """Return both sides of two tables."""
    return side_of_file("key", paths[0]), side_of_file("response", paths[1])


def by_name(columns: dict[str, Any]) -> dict[str, Any]:
    """Sort the rows of a table by the names of documents."""
    order = np.argsort(np.array(columns["document"]), kind="stable")
    return {name: np.asarray(column)[order] for name, column in columns.items()}


@pytest.fixture(scope="module")
def clustered(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Two tables in small row groups, clustered by document."""
    folder = tmp_path_factory.mktemp("clustered")
    key, response = map(by_name, drawn())
    return write(folder, "key", key, 77), write(folder, "response", response, 90)


def test_ranges_of_documents_are_counted_apart(
    clustered: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A document at the end of a row group goes on in the next; no bit differs."""
    key, response = sides(clustered)
    plan = plan_ranges(key.groups, response.groups, 360)
    assert plan is not None
    assert len(plan) > 3
    read = sum(len(one) + len(other) for _, one, other in plan)
    assert read < 2 * (len(key.groups.groups) + len(response.groups.groups))
    monkeypatch.setattr(document_scoring, "ROWS_PER_RANGE", 360)
    found = score_documents(key, response, find_metrics(METRICS), scoref.Policy())
    assert_same(found, scoref.score(*clustered, METRICS))


def test_other_tables_have_no_ranges(clustered: tuple[str, str], tmp_path: Path) -> None:
    """Rows in random order, documents without statistics, and ids of another type."""
    rng = np.random.default_rng(0)
    key = by_name(drawn()[0])
    order = rng.permutation(len(key["start"]))
    shuffled = write(tmp_path, "x", {name: column[order] for name, column in key.items()}, 77)
    numbered = write(tmp_path, "y", {**key, "document": np.arange(len(order))}, 77)
    whole = side_of_file("response", clustered[1]).groups
    for path in (shuffled, numbered):
        groups = side_of_file("key", path).groups
        assert groups is not None
        assert whole is not None
        assert plan_ranges(groups, whole, 360) is None


@pytest.mark.parametrize("buckets", [3, None], ids=["buckets", "ranges"])
def test_names_with_a_part_are_paired(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, buckets: int | None
) -> None:
    """`x_0` is part 0 of `x`, although other names are between the two."""
    key, response = map(by_name, drawn(documents=8))
    response["document"] = np.array([f"{name}_0" for name in response["document"]])
    for side, name in ((key, "text 7"), (response, "text 7_0")):
        side["document"] = np.where(side["document"] == name, "text 3_", side["document"])
    paths = (
        write(tmp_path, "key", by_name(key), 20),
        write(tmp_path, "response", by_name(response), 20),
    )
    monkeypatch.setattr(document_scoring, "ROWS_PER_RANGE", 50)
    found = score_documents(*sides(paths), find_metrics(METRICS), scoref.Policy(), buckets)
    assert_same(found, scoref.score(*paths, METRICS))


def test_buckets_in_any_order(clustered: tuple[str, str], tmp_path: Path) -> None:
    """More buckets than documents, and rows in random order."""
    paths = []
    for seed, (name, side) in enumerate(zip(("key", "response"), drawn(), strict=True)):
        order = np.random.default_rng(seed).permutation(len(side["start"]))
        columns = {role: np.asarray(column)[order] for role, column in side.items()}
        paths.append(write(tmp_path, name, columns, 100))
    for both in ((paths[0], paths[1]), clustered):
        found = score_documents(*sides(both), find_metrics(METRICS), scoref.Policy(), 64)
        assert_same(found, scoref.score(*both, METRICS))


def test_a_bucket_is_divided_if_memory_is_short(
    clustered: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that large documents are alone; one that does not fit is refused with what it needs."""
    scored = find_metrics(METRICS)
    monkeypatch.setattr(document_scoring, "task_memory", lambda _: 100 * 400)
    found = score_documents(*sides(clustered), scored, scoref.Policy(), 2)
    assert_same(found, scoref.score(*clustered, METRICS))
    monkeypatch.setattr(document_scoring, "task_memory", lambda _: 20 * 400)
    with pytest.raises(UsageError, match=r"document text \d+ has \d+ rows on both") as error:
        score_documents(*sides(clustered), scored, scoref.Policy(), 2)
    assert "raise spark.executor.memory until each core of an executor has" in error.value.hint


def test_problems_of_all_shards_are_reported_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first in the file is shown, wherever its document is counted."""
    key, response = map(by_name, drawn(documents=12))
    for row in (400, 30, 200):
        response["end"][row] = -1
    paths = write(tmp_path, "key", key, 50), write(tmp_path, "response", response, 50)
    with pytest.raises(ScorefError) as expected:
        scoref.score(*paths)
    monkeypatch.setattr(document_scoring, "ROWS_PER_RANGE", 200)
    for buckets in (5, None):
        with pytest.raises(ScorefError) as error:
            score_documents(*sides(paths), find_metrics(None), scoref.Policy(), buckets)
        assert str(error.value) == str(expected.value)


IDS = st.integers(0, 12)
ROWS = st.lists(st.tuples(IDS, st.integers(0, 4)), min_size=1, max_size=30)


@settings(max_examples=15)
@given(
    key=ROWS,
    response=ROWS,
    texts=st.booleans(),
    singletons=st.sampled_from(["keep", "drop"]),
    few=st.sampled_from([0, 100]),
)
def test_one_unit_is_scored_as_locally(
    tmp_path_factory: pytest.TempPathFactory,
    key: list[tuple[int, int]],
    response: list[tuple[int, int]],
    *,
    texts: bool,
    singletons: Any,
    few: int,
) -> None:
    """With repeated mentions, large and single entities, numbers and texts."""
    folder = tmp_path_factory.mktemp("unit")
    paths = []
    for name, rows in (("key", key), ("response", response)):
        record, entity = zip(*rows, strict=True)
        columns = {"record": record, "entity": [f"e{one}" for one in entity] if texts else entity}
        paths.append(write(folder, name, columns, 7))
    policy = scoref.Policy(singletons=singletons)
    both = paths[0], paths[1]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ceaf_rounds, "FEW_CELLS", few)
        found = score_one_unit(*sides(both), find_metrics(METRICS), policy, 3)
    assert_alike(found, scoref.score(*both, METRICS, policy))


def test_large_entities_are_summed_early(tmp_path: Path) -> None:
    """An entity of thousands of mentions sends a few rows."""
    rng = np.random.default_rng(5)
    paths = []
    for name in ("key", "response"):
        entity = np.where(rng.random(9000) < 0.9, 1, rng.integers(2, 900, size=9000))
        columns = {"record": rng.permutation(10_000)[:9000], "entity": entity}
        paths.append(write(tmp_path, name, columns))
    both = paths[0], paths[1]
    found = score_one_unit(*sides(both), find_metrics(METRICS), scoref.Policy(), buckets=3)
    assert_alike(found, scoref.score(*both, METRICS))


def test_texts_with_the_same_hash_are_refused() -> None:
    """As by the table engine: the second hash differs."""
    steps = UnitSteps(UnitIds(None), 1, 1, drops_singletons=False, has_ceaf=True)
    hashes = {"first": np.array([5, 5]), "second": np.array([1, 2])}
    rows = blocks.send(blocks.write_columns(hashes, 0, f"entity{CHECK}"))
    with pytest.raises(ScorefError, match="two different texts in the column of `entity`"):
        list(steps.in_order(is_careful=False)[0](rows))


def test_large_blocks_are_written_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrow and Spark have limits, and nothing is lost or put into another order."""
    monkeypatch.setattr(blocks, "_LARGEST", 1000)
    values = np.arange(1000)
    written = list(blocks.write_columns({"value": values}, 0, "x"))
    assert len(written) == 8
    assert all(block.size <= 125 for block in written)
    read = blocks.read_columns(list(blocks.received(blocks.send(written))), ["value"])
    assert read["value"].tolist() == values.tolist()


@pytest.mark.parametrize("buckets", [3, None], ids=["buckets", "ranges"])
def test_a_side_without_rows_is_what_it_is_locally(
    clustered: tuple[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    buckets: int | None,
) -> None:
    """All buckets of the response, or of both sides, are empty."""
    monkeypatch.setattr(document_scoring, "ROWS_PER_RANGE", 50)
    nothing = {name: np.asarray(column)[:0] for name, column in drawn()[0].items()}
    empty = write(tmp_path, "nothing", nothing)
    for paths in ((clustered[0], empty), (empty, empty)):
        expected = outcome(partial(scoref.score, *paths, METRICS))
        count = partial(score_documents, *sides(paths), find_metrics(METRICS), scoref.Policy())
        found = outcome(partial(count, buckets))
        if isinstance(found, str) or isinstance(expected, str):
            assert found == expected
        else:
            assert_same(found, expected)


@pytest.mark.parametrize("role", ["document", "entity"])
def test_control_characters_are_refused_as_locally(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, role: str
) -> None:
    """In ranges and in blocks; the key is named before the response."""
    monkeypatch.setattr(document_scoring, "ROWS_PER_RANGE", 100)
    key, response = map(by_name, drawn(documents=4))
    texts = {**key, "entity": key["entity"].astype(str)}
    texts[role] = np.where(np.arange(len(key["start"])) == 70, "a\x1b", texts[role])
    fine = write(tmp_path, "fine", response, 50)
    bad, also = write(tmp_path, "bad", texts, 50), write(tmp_path, "also", texts, 50)
    for paths in ((bad, fine), (fine, bad), (bad, also)):
        with pytest.raises(ScorefError) as expected:
            scoref.score(*paths)
        assert f"the control character 0x1b in the column of `{role}`" in str(expected.value)
        scored, policy = find_metrics(None), scoref.Policy()
        for buckets in (5, None):
            with pytest.raises(ScorefError) as error:
                score_documents(*sides(paths), scored, policy, buckets)
            assert str(error.value) == str(expected.value)


@pytest.mark.parametrize("lacking", ["key", "response"])
def test_a_bucket_that_is_empty_on_one_side(tmp_path: Path, lacking: str) -> None:
    """A document that only the other side has is alone in its bucket."""
    columns = dict(zip(("key", "response"), map(by_name, drawn(documents=6)), strict=True))
    kept = columns[lacking]["document"] != "text 2"
    columns[lacking] = {name: column[kept] for name, column in columns[lacking].items()}
    paths = write(tmp_path, "key", columns["key"]), write(tmp_path, "r", columns["response"])
    policy = scoref.Policy(extra_documents="ignore")
    found = score_documents(*sides(paths), find_metrics(METRICS), policy, 64)
    assert_same(found, scoref.score(*paths, METRICS, policy))
