"""The files of a Parquet table: one file, or a directory of parts."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np

from scoref.base.arrays import Bytes
from scoref.exceptions import FormatError, Problem, UsageError
from scoref.formats.io.text import control_character, control_character_problem
from scoref.formats.table.layout import TableLayout, require_layout

CHECKED = {"page_checksum_verification": True}
"""How files are opened, so that damaged data are found."""

MOST_ROWS = 300
"""Rows per byte of a file. Real tables have less than one; more rows can exhaust the memory."""


def arrow_module(part: str = "") -> Any:
    """Import pyarrow, which only Parquet needs."""
    try:
        return import_module(f"pyarrow{part}")
    except ImportError:
        hint = "pip install 'scoref[tables]', or pip install pyarrow"
        message = "Parquet tables require pyarrow, which is not installed"
        raise UsageError(message, hint) from None


def is_text(kind: Any, arrow: Any) -> bool:
    """Whether a column of this type has texts."""
    types = arrow.types
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


class ParquetPart(NamedTuple):
    """A file: its name in messages, a path or an Arrow stream, and its size in bytes."""

    shown: str
    source: Any
    size: int


class ArrowSource:
    """A table whose rows come as Arrow data: its name in messages, its columns and its size.

    `size` is that of its files in bytes, or None if there are none.
    """

    layout: TableLayout
    schema: Any

    def __init__(self, path: str, size: int | None) -> None:
        self.path, self.size, self.arrow = path, size, arrow_module()

    def column(self, role: str) -> str:
        """Return the name of the column that has a role."""
        return self.layout.header[self.layout.at[role]]

    def locate(self, problems: Iterable[Problem]) -> list[Problem]:
        """Give problems the file and the row where they are."""
        raise NotImplementedError

    @contextmanager
    def reading(self, shown: str) -> Iterator[None]:
        """Turn Arrow's errors into messages."""
        try:
            yield
        except (OSError, self.arrow.lib.ArrowException, ValueError) as error:
            if isinstance(error, OSError) and error.errno is not None:
                message = f"cannot read {shown}: {error.strerror or error}"
                raise UsageError(message) from None
            found = f"damaged Parquet data ({str(error).splitlines()[0][:80]})"
            expected, hint = "a complete Parquet file", "write the file again"
            raise FormatError([Problem(shown, 0, found, expected, hint)]) from None

    def check_rows(self, rows: Any, shown: str) -> None:
        """Refuse texts that are not UTF-8 or have control characters, and columns cut short."""
        rows.validate(full=True)
        columns = {role: self.column(role) for role in self.layout.roles}
        for role in (role for role, name in columns.items() if name in rows.schema.names):
            column = rows.column(columns[role])
            for chunk in getattr(column, "chunks", [column]):
                texts = getattr(chunk, "dictionary", chunk)
                data = self._bytes(texts) if is_text(texts.type, self.arrow) else b""
                if (at := control_character(data)) is not None:
                    problem = control_character_problem(shown, 0, int(data[at]))
                    where = f"{problem.found} in the column of `{role}`"
                    raise FormatError([replace(problem, found=where)])

    def _bytes(self, texts: Any) -> bytes | Bytes:
        """Return the bytes of all texts of an array, without a copy."""
        texts = texts.cast(self.arrow.large_string())
        _, offsets, data = texts.buffers()
        if not len(texts) or data is None:
            return b""
        ends = np.frombuffer(offsets, dtype=np.int64)[[texts.offset, texts.offset + len(texts)]]
        return np.frombuffer(data, dtype=np.uint8)[ends[0] : ends[1]]


class ParquetFiles(ArrowSource):
    """A table in files with the same columns; its rows are numbered through all files."""

    def __init__(self, parts: Sequence[ParquetPart], path: str, *, coded: bool = False) -> None:
        """Open a table; with `coded`, the names of documents are read as codes."""
        super().__init__(path, sum(part.size for part in parts))
        self._shown = [part.shown for part in parts]
        self._files: list[Any] = []
        for part in parts:
            with self.reading(part.shown):
                self._open(part, coded=coded)
        self.ends = list(accumulate(file.metadata.num_rows for file in self._files))
        self.rows: int = self.ends[-1]

    def _open(self, part: ParquetPart, *, coded: bool) -> None:
        parquet = arrow_module(".parquet")
        # Buffers that are read ahead are kept in memory to the end.
        options = {"pre_buffer": False, **CHECKED}
        file = parquet.ParquetFile(part.source, **options)
        schema = file.schema_arrow
        if not self._files:
            self.layout, self.schema = self.find_layout(schema.names, part.shown), schema
        else:
            self._check_columns(schema, part.shown)
        rows = file.metadata.num_rows
        if rows > MOST_ROWS * part.size:
            found_rows = f"{rows:,} rows in {part.size:,} bytes"
            raise FormatError([Problem(part.shown, 0, found_rows, "a table of mentions")])
        if coded and "document" in self.layout.at:
            name = self.column("document")
            if is_text(self.schema.field(name).type, self.arrow):  # stored as codes, and kept so
                file = parquet.ParquetFile(part.source, **options, read_dictionary=[name])
        self._files.append(file)

    def find_layout(self, names: Sequence[str], shown: str) -> TableLayout:
        """Find the columns by their names, or refuse the table."""
        return require_layout(names, shown)

    def _check_columns(self, schema: Any, shown: str) -> None:
        """Refuse a part whose columns differ from those of the first part."""
        names = [self.column(role) for role in self.layout.roles]
        expected = [f"{name} ({self.schema.field(name).type})" for name in names]
        kinds = {name: schema.field(name).type for name in names if name in schema.names}
        found = [f"{name} ({kind})" for name, kind in kinds.items()]
        if found != expected:
            columns = f"the columns {', '.join(found) or 'of another table'}"
            first = f"the columns of {self._shown[0]}: {', '.join(expected)}"
            hint = "put only the parts of one table into a directory"
            raise FormatError([Problem(shown, 0, columns, first, hint)])

    def read(self) -> Any:
        """Return all rows."""
        columns = [self.column(role) for role in self.layout.roles]
        tables = []
        for file, shown in zip(self._files, self._shown, strict=True):
            with self.reading(shown):
                tables.append(table := file.read(columns=columns))
                self.check_rows(table, shown)
                if len(table) != file.metadata.num_rows:
                    raise ValueError(f"{len(table)} rows, not {file.metadata.num_rows}")
        with self.reading(self.path):
            return self.arrow.concat_tables(tables)

    def iterate(self, columns: Sequence[str], rows: int) -> Iterator[Any]:
        """Yield batches of so many rows."""
        for file, shown in zip(self._files, self._shown, strict=True):
            with self.reading(shown):
                for batch in file.iter_batches(rows, columns=columns, use_threads=False):
                    self.check_rows(batch, shown)
                    yield batch

    def groups(self) -> Iterator[tuple[Any, int, int]]:
        """Yield files and the numbers of their row groups, and how many rows each has."""
        for file in self._files:
            for group in range(file.metadata.num_row_groups):
                yield file, group, file.metadata.row_group(group).num_rows

    def locate(self, problems: Iterable[Problem]) -> list[Problem]:
        """Give problems the file and the row where they are."""
        first = [0, *self.ends]
        return [
            replace(one, path=self._shown[part], line=one.line - first[part]) if one.line else one
            for one, part in ((one, bisect_left(self.ends, one.line)) for one in problems)
        ]
