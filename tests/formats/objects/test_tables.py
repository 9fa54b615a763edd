"""Tables of pandas, polars, Arrow and Hugging Face datasets: the definition of table files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import scoref
from scoref.exceptions import FormatError, UsageError
from tests.conftest import REPOSITORY

pd = pytest.importorskip("pandas", reason="pandas is not installed")
pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")

KEY = scoref.read(REPOSITORY / "examples" / "ferry" / "key.conll")
RESPONSE = scoref.read(REPOSITORY / "examples" / "ferry" / "careful.conll")
EXPECTED = scoref.score(KEY, RESPONSE)


def frame(corpus: scoref.Corpus = KEY) -> Any:
    """Return a DataFrame of pandas."""
    return corpus.to_pandas()


def polars(corpus: scoref.Corpus) -> Any:
    """Return a DataFrame of polars."""
    pytest.importorskip("polars", reason="polars is not installed")
    return corpus.to_polars()


def dataset(corpus: scoref.Corpus) -> Any:
    """Return a dataset of Hugging Face."""
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    return datasets.Dataset.from_pandas(frame(corpus))


def relation(corpus: scoref.Corpus) -> Any:
    """Return a relation of DuckDB, which knows `table` by its name."""
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    table = frame(corpus)
    return duckdb.from_df(table)


TABLES: dict[str, Any] = {
    "pandas": frame,
    "pandas with an index": lambda corpus: frame(corpus).sample(frac=1, random_state=1),
    "pandas with categories": lambda corpus: frame(corpus).astype({"document": "category"}),
    "pandas with numbers": lambda corpus: frame(corpus).astype({"entity": int, "start": float}),
    "pandas with other columns": lambda corpus: frame(corpus).assign(note=[{}] * len(corpus)),
    "pandas with other names": lambda corpus: frame(corpus).rename(
        columns={"document": "Doc-ID", "entity": "cluster_id"}
    ),
    "polars": polars,
    "polars, lazy": lambda corpus: polars(corpus).lazy(),
    "arrow": lambda corpus: pa.Table.from_pandas(frame(corpus)),
    "arrow, one batch": lambda corpus: pa.RecordBatch.from_pandas(frame(corpus)),
    "arrow, a stream": lambda corpus: pa.Table.from_pandas(frame(corpus)).to_reader(),
    "datasets": dataset,
    "duckdb": relation,
}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_the_corpus(name: str) -> None:
    """In scores and signature; only the order of mentions can be another."""
    result = scoref.score(TABLES[name](KEY), TABLES[name](RESPONSE))
    assert result.signature == EXPECTED.signature
    assert result.to_dict(flat=True) == pytest.approx(EXPECTED.to_dict(flat=True))


def rows(corpus: scoref.Corpus) -> list[dict[str, Any]]:
    """Return a row per document."""
    found = corpus.entities()
    return [{"doc_key": name, "clusters": entities} for name, entities in found.items()]


@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow", "datasets", "streamed", "series"])
def test_a_row_per_document_is_a_row(kind: str) -> None:
    """As `pandas.read_json(lines=True)` or `datasets.load_dataset("json")` make them."""

    def table(corpus: scoref.Corpus) -> Any:
        if kind == "pandas":
            return pd.DataFrame(rows(corpus))
        if kind == "series":
            return pd.Series([row["clusters"] for row in rows(corpus)])
        if kind == "polars":
            return pytest.importorskip("polars").DataFrame(rows(corpus))
        if kind == "arrow":
            return pa.Table.from_pylist(rows(corpus))
        datasets = pytest.importorskip("datasets", reason="datasets is not installed")
        found = datasets.Dataset.from_list(rows(corpus))
        return found.to_iterable_dataset() if kind == "streamed" else found

    result = scoref.score(table(KEY), table(RESPONSE))
    assert result.to_dict(flat=True) == EXPECTED.to_dict(flat=True)


def test_a_table_of_records_is_the_corpus_of_its_csv(tmp_path: Path) -> None:
    """Mentions can be ids; missing texts are empty."""
    table = pd.DataFrame({"record": [1, 2, 3], "cluster": ["a", "a", None], "document": ["d"] * 3})
    complete = table.dropna()
    complete.to_csv(tmp_path / "key.csv", index=False)
    assert scoref.read(complete) == scoref.read(tmp_path / "key.csv")
    with pytest.raises(FormatError, match=r"source \(pandas DataFrame\):3: found the entity ``"):
        scoref.read(table)


@pytest.mark.parametrize(
    ("table", "found", "hint"),
    [
        (frame()[["document", "start", "end"]], "the header `document`, `start`, `end`", "rename"),
        (frame().set_index(["document", "entity"]), "the header `start`", "reset_index()"),
        (frame().assign(doc="x"), "`document` and `doc`, which both mean `document`", "rename"),
        (frame().assign(entity=0.5), "values of type double in the column of `entity`", "convert"),
        (frame().assign(start=-1), "`-1` in the column of `start`", "counted from 0"),
        (frame().assign(start="x"), "in the column of `start`, expected whole numbers", "convert"),
        (frame().assign(entity=[1, "a"] * 33), "values of different types", "strings"),
    ],
)
def test_a_table_with_a_problem_is_refused(table: Any, found: str, hint: str) -> None:
    """With the columns that were found, or the row."""
    with pytest.raises((FormatError, UsageError)) as error:
        scoref.score(table, RESPONSE)
    assert "key (pandas DataFrame)" in error.value.message
    assert found in error.value.message
    assert hint in error.value.hint


def test_a_dict_of_tables_is_refused() -> None:
    """Such as all splits of a dataset."""
    splits = {"train": frame(), "test": frame()}
    with pytest.raises(UsageError, match="a dict of tables: train, test") as error:
        scoref.score(splits, RESPONSE)
    assert "key['train']" in error.value.hint


def test_without_pyarrow_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading a table needs it."""
    import sys

    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(UsageError, match="pyarrow, which is not installed") as error:
        scoref.score(frame(), RESPONSE)
    assert "scoref[tables]" in error.value.hint
