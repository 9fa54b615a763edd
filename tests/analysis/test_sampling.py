"""Samples to annotate: reproducible, fair, and read back with their design."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

import scoref
from scoref.analysis.sampling import By
from scoref.cli import main
from scoref.exceptions import ScorefError

ROWS = [f"{at},{at // 3},name {at}" for at in range(300)]


def write(path: Path, rows: list[str], header: str = "unique_id,cluster_id,name") -> str:
    """Write a table."""
    path.write_text("\n".join([header, *rows, ""]), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("by", ["entity", "size", "record"])
def test_a_draw_depends_on_nothing_but_ids_and_seed(by: str, tmp_path: Path) -> None:
    """The order of rows and the format make no difference; another seed does."""
    pandas = pytest.importorskip("pandas")
    table = write(tmp_path / "table.csv", ROWS)
    mixed = write(tmp_path / "mixed.csv", [*reversed(ROWS)])
    first = scoref.sample(table, 20, by)  # type: ignore[arg-type]
    for other in (mixed, pandas.read_csv(table)):
        again = scoref.sample(other, 20, by)  # type: ignore[arg-type]
        assert sorted(row[:3] for row in again.rows) == sorted(row[:3] for row in first.rows)
    assert scoref.sample(table, 20, by, seed=1).rows != first.rows  # type: ignore[arg-type]
    assert first.draws == 20
    assert first.population == (100 if by == "entity" else 300)


def test_all_records_are_equally_likely() -> None:
    """A thousand seeds draw each of sixty records, and each of twenty entities, about as often."""
    key = [[f"r{at}-{one}" for one in range(3)] for at in range(20)]
    for by, names, share in (("record", 60, 10 / 60), ("entity", 20, 10 / 20)):
        times: Counter[str] = Counter()
        for seed in range(400):
            found = scoref.sample(key, 10, by, seed=seed)  # type: ignore[arg-type]
            at = found.header.index("sample_draws")
            times.update(row[0] for row in found.rows if row[at] == "1")
        assert len(times) == names
        spread = np.array([*times.values()])
        expected = 400 * share
        assert (abs(spread - expected) < 5 * np.sqrt(expected)).all()


def test_a_sample_by_size_has_whole_entities_and_its_design(tmp_path: Path) -> None:
    """Drawn records have a 1; the file is scored as it was drawn."""
    table = write(tmp_path / "table.csv", ROWS)
    sample = tmp_path / "sample.csv"
    assert main(["sample", table, "-n", "20", "--by", "size", "-o", str(sample)]) == 0
    drawn = scoref.sample(table, 20, "size")
    assert sample.read_text("utf-8").splitlines()[0] == ",".join(drawn.header)
    assert len(drawn.rows) == 3 * (drawn.entities or 0)
    assert sum(int(row[-3]) for row in drawn.rows) == 20
    found = scoref.estimate(sample, table)
    assert found.design == ("size", 20, 300)
    assert found["pairwise"]["recall"].estimate == 1.0
    with pytest.raises(ScorefError, match="contradicts --weights uniform"):
        scoref.estimate(sample, table, "uniform")


def test_records_are_annotated_in_a_new_column(tmp_path: Path) -> None:
    """The entities of a response are not those of the key; without annotation nothing is scored."""
    table = write(tmp_path / "table.csv", ROWS)
    drawn = scoref.sample(table, 5)
    assert drawn.header[:4] == ("unique_id", "table_cluster_id", "name", "entity")
    assert drawn.entities is None
    sample = tmp_path / "sample.csv"
    sample.write_text(drawn.to_csv(), encoding="utf-8")
    with pytest.raises(ScorefError, match="found a mention without an entity"):
        scoref.estimate(sample, table)
    records = scoref.sample(write(tmp_path / "records.csv", ["a,x", "b,y"], "id,text"), 1)
    assert records.header[:3] == ("id", "text", "entity")


def test_ids_are_written_as_they_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A text that a spreadsheet would execute stays an id."""
    table = write(tmp_path / "table.csv", ["=1+1,-7,x", "@a,-7,y"])
    assert main(["sample", table, "-n", "5", "--by", "entity", "--to", "csv"]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert sorted(row.split(",")[0] for row in rows[1:]) == ["=1+1", "@a"]


def test_a_pilot_says_what_precision_to_expect(tmp_path: Path) -> None:
    """Four times the draws give half of the margin, and less where the population ends."""
    rng = np.random.default_rng(1)
    rows = [f"{at},{at // 3 if rng.random() < 0.8 else 10**6 + at},n" for at in range(30_000)]
    key = write(tmp_path / "key.csv", [f"{at},{at // 3},n" for at in range(30_000)])
    response = write(tmp_path / "response.csv", rows)
    pilot = tmp_path / "pilot.csv"
    pilot.write_text(scoref.sample(key, 100, "size").to_csv(), encoding="utf-8")
    few, many = (
        scoref.sample(key, n, "size", pilot=pilot, response=response).expected["b3"]["recall"]
        for n in (100, 400)
    )
    assert few.margin == pytest.approx(2 * many.margin, rel=0.02)
    error = scoref.estimate(pilot, response)["b3"]["recall"].se
    assert few.margin == pytest.approx(1.96 * error, rel=1e-3)
    assert few.draws is not None
    assert few.draws > 400
    with pytest.raises(ScorefError, match="the pilot was drawn by size"):
        scoref.sample(key, 100, "entity", pilot=pilot, response=response)


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        (["1,a,x", "1,b,y"], {}, "2 rows, but only 1 different"),
        (["1,a,x"], {"n": 0}, "n is 0"),
        (["1,a,x"], {"seed": -1}, "seed is -1"),
        (["1,a,x"], {"by": "name"}, "by is 'name'"),
        (["1,a,x"], {"response": [["1"]]}, "only used with a pilot"),
        ([], {}, "no records to draw from"),
    ],
)
def test_bad_tables_are_refused(
    rows: list[str], options: dict[str, object], message: str, tmp_path: Path
) -> None:
    """A message that says what to do."""
    with pytest.raises(ScorefError, match=message):
        scoref.sample(write(tmp_path / "table.csv", rows), **options)  # type: ignore[arg-type]
    with pytest.raises(ScorefError, match="already"):
        scoref.sample(write(tmp_path / "t.csv", ["1,2,x"], "id,cluster,sample_draws"))


def test_corpora_are_sampled_as_tables(tmp_path: Path) -> None:
    """Documents without mentions and mentions that are spans: everything drawn is the truth."""
    key = {"a": [[(0, 0), (3, 4)], [(7, 7)]], "b": [], "c": [[(0, 1), (5, 5), (9, 9)]]}
    response = {"a": [[(0, 0), (3, 4), (7, 7)]], "b": [], "c": [[(0, 1), (5, 5)], [(9, 9)]]}
    expected = scoref.score(key, response, ["b3"])["b3"]
    for by in get_args(By)[:2]:
        drawn = scoref.sample(key, 50, by)
        assert drawn.header[:4] == ("document", "start", "end", "entity")
        sample = tmp_path / "sample.csv"
        sample.write_text(drawn.to_csv(), encoding="utf-8")
        found = scoref.estimate(sample, response)
        assert found.sampled_records == 6
        assert found["b3"]["recall"].estimate == pytest.approx(expected.recall)
        assert found["b3"]["precision"].estimate == pytest.approx(expected.precision)


def test_rows_without_a_record_are_refused(tmp_path: Path) -> None:
    """In every format, also rows of Parquet that have only a document."""
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "table.parquet"
    for columns in (
        {"unique_id": ["a", None], "name": ["x", "y"]},
        {"document": ["d", "e"], "id": ["a", None], "cluster": ["x", None]},
        {"document": ["d", None], "id": ["a", "b"], "cluster": ["x", "y"]},
    ):
        parquet.write_table(arrow.table(columns), path)
        with pytest.raises(ScorefError, match="found an empty"):
            scoref.sample(path, 1)
        csv = tmp_path / "table.csv"
        rows = zip(*columns.values(), strict=True)
        write(csv, [",".join(cell or "" for cell in row) for row in rows], ",".join(columns))
        with pytest.raises(ScorefError, match=r"found an empty|without an entity"):
            scoref.sample(csv, 1)
