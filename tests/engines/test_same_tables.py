"""One definition of a table: all local engines give the same score for a file, or its message.

`tests/engines/spark/test_same_tables.py` compares Spark.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import scoref
from scoref.engines.tables import document_shards, score_tables
from scoref.engines.tables.row_table import ParquetTable, TablePair
from tests.engines.same_tables import FILES, assert_same, outcome, response_of


@pytest.mark.parametrize("data", FILES.values(), ids=FILES)
def test_local_engines_read_the_same_table(tmp_path: Path, data: bytes) -> None:
    """CSV, and Parquet at once and in parts."""
    key, response = tmp_path / "key.csv", tmp_path / "response.csv"
    key.write_bytes(data)
    response.write_bytes(response_of(data))
    expected = outcome(lambda: scoref.score(key, response))
    if isinstance(expected, str):
        return
    paths = (str(tmp_path / "key.parquet"), str(tmp_path / "response.parquet"))
    for path, converted in zip((key, response), paths, strict=True):
        scoref.read(path).write(converted, "parquet")
    assert_same(outcome(lambda: scoref.score(*paths)), expected)
    tables = TablePair(*map(ParquetTable, paths))
    limit = 100 * document_shards.ROW_BYTES
    assert_same(outcome(lambda: score_tables(tables, None, scoref.Policy(), limit)), expected)
