"""Parquet tables: the same columns as CSV, typed."""

from __future__ import annotations

import io
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import scoref
from scoref.corpus.corpus import Corpus
from scoref.exceptions import ScorefError
from tests.formats.drawn import NAMES, ODD_NAMES, corpora, problem, read, written

pyarrow = pytest.importorskip("pyarrow")


def table(columns: dict[str, Any]) -> bytes:
    """Write columns as a Parquet file, as any other program would."""
    parquet = pytest.importorskip("pyarrow.parquet")
    stream = io.BytesIO()
    parquet.write_table(pyarrow.table(columns), stream)
    return stream.getvalue()


def test_reads_records_and_clusters(tmp_path: Path) -> None:
    """Told by its first bytes; numbers and texts both serve as names."""
    path = tmp_path / "clusters"
    path.write_bytes(table({"record_id": [11, 12, 13], "cluster": ["a", "a", "b"], "x": [0, 0, 0]}))
    assert scoref.read(path).entities() == {"#1": [["11", "12"], ["13"]]}


@pytest.mark.parametrize(
    "kind", ["int8", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64"]
)
def test_reads_numbers_of_every_width(kind: str) -> None:
    """Also with an empty cell, and without a warning of NumPy."""
    if kind == "float16":
        pytest.importorskip("pyarrow", "17", reason="older versions have no statistics of float16")
    numbers = pyarrow.array(np.array([0, 2], dtype=kind))
    empty = pyarrow.nulls(1, numbers.type)
    heads = pyarrow.chunked_array([numbers, empty])
    columns = {"start": [0, 2, 4], "end": [1, 3, 5], "entity": [1, 1, 1]}
    columns |= {"head_start": heads, "head_end": heads}
    corpus, problems = read("parquet", table(columns))
    assert not problems
    assert corpus.attributes["head_start"].tolist() == [0, 2, -1]


def test_reads_spans_of_any_kind_of_numbers() -> None:
    """Small integers, categories, whole floats, as data frames have them."""
    columns = {
        "doc": pyarrow.array(["a", "a", "b"]).dictionary_encode(),
        "start": pyarrow.array([0, 2, 4], pyarrow.int32()),
        "stop": pyarrow.array([1.0, 4.0, 5.0]),
        "entity": [1, 1, 1],
    }
    corpus, problems = read("parquet", table(columns))
    assert not problems
    assert corpus.entities() == {"a": [[(0, 0), (2, 3)]], "b": [[(4, 4)]]}


@pytest.mark.parametrize(
    ("columns", "found"),
    [
        ({"start": [1], "end": [1]}, "the header `start`, `end`"),
        ({"start": ["x"], "end": [1], "entity": [1]}, "values of type string"),
        ({"start": [0.5], "end": [1], "entity": [1]}, "`0.5` in the column of `start`"),
        ({"start": [-2], "end": [1], "entity": [1]}, "`-2` in the column of `start`"),
        ({"start": [2], "end": [1], "entity": [1]}, "a mention from 2 to 1"),
        ({"mention": ["a"], "entity": pyarrow.array([None], pyarrow.string())}, "the entity ``"),
        ({"mention": ["a"], "entity": [1.5]}, "values of type double"),
    ],
)
def test_refuses(columns: dict[str, Any], found: str) -> None:
    """What cannot be right."""
    assert found in problem("parquet", table(columns)).found


@given(corpus=corpora(st.one_of(NAMES, ODD_NAMES), attributes=True))
def test_a_round_trip_keeps_everything(corpus: Corpus) -> None:
    """Mentions, entities, documents without mentions, types and heads."""
    again, problems = read("parquet", written(corpus, "parquet"))
    assert not problems
    assert again.fingerprint() == corpus.fingerprint()
    for name in corpus.attributes:
        ours, theirs = corpus.attributes[name].tolist(), again.attributes[name].tolist()
        assert sorted(ours) == sorted(theirs)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damage_is_refused(tmp_path: Path, data: st.DataObject) -> None:
    """Cut or with rubbish in it: a message."""
    whole = written(data.draw(corpora()), "parquet")
    at = data.draw(st.integers(4, len(whole)))
    path = tmp_path / "broken.parquet"
    path.write_bytes(whole[:at] + data.draw(st.binary(max_size=8)) + whole[at + 8 :])
    with suppress(ScorefError):
        scoref.read(path)


def test_without_pyarrow_the_message_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """With what to install."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ScorefError, match="require pyarrow"):
        read("parquet", b"PAR1")


def test_categories_in_several_row_groups() -> None:
    """Each group has categories of its own, which must not be mixed up."""
    parquet = pytest.importorskip("pyarrow.parquet")
    names = pyarrow.chunked_array(
        [pyarrow.array(part).dictionary_encode() for part in (["b", "a"], ["a", "c"], ["c", None])]
    )
    columns = {"mention": names, "document": ["x"] * 3 + ["y"] * 3, "entity": list("ppqqrr")}
    stream = io.BytesIO()
    whole = pyarrow.table(columns).slice(0, 5)
    parquet.write_table(whole, stream, row_group_size=2)
    corpus, problems = read("parquet", stream.getvalue())
    assert not problems
    assert corpus.entities() == {"x": [["b", "a"], ["a"]], "y": [["c"], ["c"]]}
    entities = {
        "mention": list("abcde"),
        "entity": pyarrow.chunked_array(
            [pyarrow.array(part).dictionary_encode() for part in (["b", "a"], ["a", "c", "b"])]
        ),
    }
    assert read("parquet", table(entities))[0].entities() == {"#1": [["a", "e"], ["b", "c"], ["d"]]}


@pytest.mark.parametrize(
    "data",
    [b"PAR1", b"PAR1PAR1", b"PAR1" + bytes(10_000_000), b"PAR1" + b"\xff" * 99 + b"PAR1", b""],
)
def test_what_is_no_table_is_refused(data: bytes) -> None:
    """Nothing but the mark, NUL bytes, ten megabytes of them, nothing at all."""
    assert "damaged Parquet data" in problem("parquet", data).found


def test_a_cell_of_ten_megabytes() -> None:
    """It is a text like others."""
    corpus, problems = read(
        "parquet", table({"mention": ["a", "x" * 10_000_000], "entity": [1, 1]})
    )
    assert not problems
    assert list(corpus.labels or ()) == ["a", "x" * 10_000_000]


def test_every_cut_is_refused() -> None:
    """A file that was not copied whole."""
    whole = table({"mention": ["a", "b"], "entity": [1, 2]})
    for size in range(len(whole)):
        assert read("parquet", whole[:size])[1], size
