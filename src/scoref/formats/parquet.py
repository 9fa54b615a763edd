"""Parquet tables: the columns that CSV tables have, read by pyarrow."""

from __future__ import annotations

from importlib import import_module
from typing import Any, BinaryIO

import numpy as np

from scoref.arrays import Ints
from scoref.corpus import Corpus
from scoref.exceptions import Problem, UsageError
from scoref.formats.base import Format, Wanted
from scoref.formats.builder import CorpusBuilder
from scoref.formats.lines import Stream
from scoref.formats.peeking import read_bytes
from scoref.formats.sources import PARQUET
from scoref.formats.tables import (
    KEEPS,
    NUMBERS,
    Coded,
    Layout,
    Table,
    describe_missing,
    find_layout,
    to_columns,
    to_corpus,
)

MOST_ROWS = 300
"""Rows for a byte of a file, of which real tables have less than one: more is a bomb."""


def arrow_module(part: str = "") -> Any:
    """Import pyarrow, which only Parquet needs."""
    try:
        return import_module(f"pyarrow{part}")
    except ImportError:
        raise UsageError(
            "Parquet tables need pyarrow, which is not installed",
            "pip install 'scoref[tables]', or pip install pyarrow",
        ) from None


def read(stream: Stream, path: str, _: Wanted) -> tuple[Corpus, list[Problem]]:
    """Read a table."""
    arrow, parquet = arrow_module(), arrow_module(".parquet")
    nothing = CorpusBuilder(path).corpus()
    data = read_bytes(stream)
    try:
        file = parquet.ParquetFile(arrow.BufferReader(data))
        layout = find_layout(file.schema_arrow.names)
        if not isinstance(layout, Layout):
            return nothing, [describe_missing(path, 0, layout)]
        if file.metadata.num_rows > MOST_ROWS * len(data):
            found = f"{file.metadata.num_rows:,} rows in {len(data):,} bytes"
            return nothing, [Problem(path, 0, found, "a table of mentions")]
        rows = file.read(columns=[layout.header[layout.at[role]] for role in layout.roles])
        return from_arrow(rows, layout, path, np.arange(1, rows.num_rows + 1))
    except (arrow.lib.ArrowException, OSError, ValueError) as error:
        return nothing, [damaged(path, error)]


def from_arrow(rows: Any, layout: Layout, path: str, line: Ints) -> tuple[Corpus, list[Problem]]:
    """Make a corpus of some rows, which stand in these lines of a file."""
    table = Table(path, {}, {}, line)
    for role in layout.roles:
        add_column(table, role, rows.column(layout.header[layout.at[role]]), arrow_module())
    if table.problems:
        return CorpusBuilder(path).corpus(), table.problems
    return to_corpus(table, path)


def damaged(path: str, error: Exception) -> Problem:
    """Say that a file cannot be read."""
    found = f"damaged Parquet data ({str(error).splitlines()[0][:80]})"
    return Problem(path, 0, found, "a whole Parquet file", "write it again")


def wrong_type(path: str, role: str, kind: Any) -> list[Problem]:
    """Say so if a column of this type cannot have this role."""
    types = arrow_module().types
    values = kind.value_type if types.is_dictionary(kind) and role not in NUMBERS else kind
    fits = types.is_floating(values) if role in NUMBERS else is_text(values, arrow_module())
    if fits or types.is_integer(values):
        return []
    found = f"values of type {kind} in the column of `{role}`"
    expected = "whole numbers" if role in NUMBERS else "texts or whole numbers"
    return [Problem(path, 0, found, expected, "convert the column before it is written")]


def add_column(table: Table, role: str, column: Any, arrow: Any) -> None:
    """Add a column in its role: numbers, names of mentions, or texts as codes."""
    if problems := wrong_type(table.path, role, column.type):
        table.problems += problems
        return
    if role in NUMBERS:
        table.numbers[role] = _numbers(table, role, column)
        return
    if role == "mention":
        table.labels = _names(column.cast(arrow.string()))
        return
    if not arrow.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    encoded = column.combine_chunks()
    array = encoded.chunk(0) if hasattr(encoded, "num_chunks") else encoded
    names = [*_names(array.dictionary.cast(arrow.string())), ""]
    codes = array.indices.fill_null(len(names) - 1).to_numpy(zero_copy_only=False)
    table.texts[role] = Coded(codes.astype(np.int64), names)


def _names(column: Any) -> list[str]:
    """Return texts as Python has them, with nothing for null."""
    filled = column.fill_null("")
    values = filled.to_numpy() if hasattr(filled, "num_chunks") else filled.to_numpy(False)
    return [str(value) for value in values.tolist()]


def is_text(kind: Any, arrow: Any) -> bool:
    """Whether a column of this type has texts."""
    types = arrow.types
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def _numbers(table: Table, role: str, column: Any) -> Ints:
    values = column.to_numpy()
    empty = column.is_null(nan_is_null=True).to_numpy()
    exact = np.where(empty, -1, values)
    inside = (exact >= -1) & (exact < 2.0**62)
    numbers = np.where(inside, exact, 0).astype(np.int64)
    wrong = ~empty & (~inside | (numbers != exact) | (numbers < 0))
    for row in np.flatnonzero(wrong).tolist():
        found = f"{values[row]} in the column of `{role}`, row {row + 1}"
        hint = "spans are places in the text, counted from 0"
        table.problems.append(Problem(table.path, 0, found, "a whole number from 0", hint))
    return numbers


def write(corpus: Corpus, stream: BinaryIO) -> None:
    """Write a table with the columns that the corpus has something for."""
    arrow, parquet = arrow_module(), arrow_module(".parquet")
    kinds = {
        name: arrow.int64() if name in NUMBERS else arrow.string() for name in to_columns(corpus)
    }
    arrays = {name: arrow.array(values, kinds[name]) for name, values in to_columns(corpus).items()}
    parquet.write_table(arrow.table(arrays), stream)


def _recognise(head: bytes) -> bool:
    return head.startswith(PARQUET)


FORMAT = Format(
    name="parquet",
    title="the same in Parquet",
    recognise=_recognise,
    read=read,
    write=write,
    suffix=".parquet",
    keeps=KEEPS,
)
