"""Parquet tables: the columns of CSV tables, read with pyarrow."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from scoref.base.arrays import Ints
from scoref.corpus.builder import CorpusBuilder
from scoref.corpus.corpus import Corpus
from scoref.exceptions import FormatError, Problem
from scoref.formats.format import Format, Wanted
from scoref.formats.io.lines import Stream
from scoref.formats.io.sources import PARQUET
from scoref.formats.io.text import read_bytes
from scoref.formats.table.columns import Coded, TableColumns, to_corpus
from scoref.formats.table.layout import NUMBERS, TableLayout
from scoref.formats.table.parquet_files import (
    ArrowSource,
    ParquetFiles,
    ParquetPart,
    arrow_module,
    is_text,
)
from scoref.formats.table.table_writer import NAMES, SUPPORTED, to_columns


def read(stream: Stream, path: str, _: Wanted) -> tuple[Corpus, list[Problem]]:
    """Read a table."""
    data = read_bytes(stream)
    return _read([ParquetPart(path, arrow_module().BufferReader(data), len(data))], path)


def read_parts(files: Iterable[Path], path: str) -> tuple[Corpus, list[Problem]]:
    """Read a table that is in several files."""
    return _read([ParquetPart(str(file), file, file.stat().st_size) for file in files], path)


def _read(parts: Sequence[ParquetPart], path: str) -> tuple[Corpus, list[Problem]]:
    try:
        files = ParquetFiles(parts, path)
        line = np.arange(1, files.rows + 1)
        corpus, problems = from_arrow(files.read(), files, line)
    except FormatError as error:
        return CorpusBuilder(path).corpus(), error.problems
    return corpus, files.locate(problems)


def from_arrow(rows: Any, source: ArrowSource, line: Ints) -> tuple[Corpus, list[Problem]]:
    """Make a corpus of some rows of a table; `line` has their numbers, for messages."""
    with source.reading(source.path):
        table = _arrow_columns(rows, source.layout, source.path, line, source.size)
    return _to_corpus(table)


def from_columns(
    rows: Any, layout: TableLayout, path: str, line: Ints, file_bytes: int | None
) -> tuple[Corpus, list[Problem]]:
    """Make a corpus of the columns of a table of Arrow."""
    return _to_corpus(_arrow_columns(rows, layout, path, line, file_bytes))


def _arrow_columns(
    rows: Any, layout: TableLayout, path: str, line: Ints, file_bytes: int | None
) -> TableColumns:
    table = TableColumns(path, {}, {}, line, file_bytes=file_bytes)
    for role in layout.roles:
        add_column(table, role, rows.column(layout.header[layout.at[role]]), arrow_module())
    return table


def _to_corpus(table: TableColumns) -> tuple[Corpus, list[Problem]]:
    if table.problems:
        return CorpusBuilder(table.path).corpus(), table.problems
    return to_corpus(table, table.path)


def wrong_type(path: str, role: str, kind: Any) -> list[Problem]:
    """Return a problem if a column of this type cannot have this role."""
    types = arrow_module().types
    values = kind.value_type if types.is_dictionary(kind) and role not in NUMBERS else kind
    fits = types.is_floating(values) if role in NUMBERS else is_text(values, arrow_module())
    if fits or types.is_integer(values):
        return []
    found = f"values of type {kind} in the column of `{role}`"
    expected = "whole numbers" if role in NUMBERS else "strings or whole numbers"
    return [Problem(path, 0, found, expected, "convert the column before writing the table")]


def add_column(table: TableColumns, role: str, column: Any, arrow: Any) -> None:
    """Add the column of a role: numbers, names of mentions, or texts as codes."""
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
    """Return texts as Python strings, with an empty string for null."""
    filled = column.fill_null("")
    values = filled.to_numpy() if hasattr(filled, "num_chunks") else filled.to_numpy(False)
    return [str(value) for value in values.tolist()]


def _numbers(table: TableColumns, role: str, column: Any) -> Ints:
    values = column.to_numpy()
    empty = column.is_null(nan_is_null=True).to_numpy()
    if values.dtype == np.float16:  # which cannot hold the bound below
        values = values.astype(np.float64)
    exact = np.where(empty, -1, values)
    inside = (exact >= -1) & (exact < 2.0**62)
    numbers = np.where(inside, exact, 0).astype(np.int64)
    wrong = ~empty & (~inside | (numbers != exact) | (numbers < 0))
    hint = "write offsets in the text, counted from 0"
    table.add_problems(
        wrong,
        lambda row: f"`{values[row]}` in the column of `{role}`",
        "a whole number from 0",
        hint,
    )
    return numbers


def write(corpus: Corpus, stream: BinaryIO) -> None:
    """Write a table with the columns that the corpus has values for."""
    arrow, parquet = arrow_module(), arrow_module(".parquet")
    arrays = {
        name: arrow.array(values, arrow.int64() if name in NUMBERS else arrow.string())
        for name, values in to_columns(corpus).items()
    }
    parquet.write_table(arrow.table(arrays), stream, write_page_checksum=True)


FORMAT = Format(
    name="parquet",
    title="a table in Parquet",
    recognise=lambda head: head.startswith(PARQUET),
    read=read,
    write=write,
    suffix=".parquet",
    supports=SUPPORTED,
    names=NAMES,
)
