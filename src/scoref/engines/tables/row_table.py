"""RowTable: what the table engine requires of a table, wherever its rows are.

`ParquetTable` has its rows in files. The executors of Spark have some of the rows of a table: row
groups of its files, or blocks that other executors sent.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterator
from os import PathLike
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from scoref.base.arrays import Ints
from scoref.base.limits import FREE, PER_BYTE, limits_are_on
from scoref.corpus.corpus import Corpus
from scoref.corpus.document import Document
from scoref.engines.tables.id_column import IdColumn, to_numpy
from scoref.exceptions import FormatError, UsageError
from scoref.formats.io.sources import table_parts
from scoref.formats.table.layout import NO_ENTITY
from scoref.formats.table.parquet import wrong_type
from scoref.formats.table.parquet_files import ArrowSource, ParquetFiles, ParquetPart, is_text

UNNAMED = Document("#1", ("", 1))
"""The unit of a table without a column of documents."""

CORPUS_ROW_BYTES = 400
"""Memory that a row takes if tables are read as corpora."""

BATCH_ROWS = 1 << 17

_ANYWHERE = 1 << 62
_SPAN = ("start", "end", "stop")
_PLAIN = frozenset({"document", "mention", "entity", *_SPAN})


class RowTable(ArrowSource):
    """The rows of a table in their order, batch by batch."""

    rows: int

    @abstractmethod
    def batches(self, roles: Collection[str]) -> Iterator[Any]:
        """Yield all rows, with some of their columns."""

    def lines(self, first: int, end: int) -> Ints:
        """Return the lines of the rows from `first` to before `end`, for messages."""
        return np.arange(first + 1, end + 1)

    def complete(self, corpus: Corpus) -> Corpus:
        """Add the attributes that a part of the table lacks, but other parts have."""
        return corpus

    @property
    def has_documents(self) -> bool:
        """Whether the table has a column of documents."""
        return "document" in self.layout.at

    @property
    def is_plain(self) -> bool:
        """Whether the table has only documents, mentions and entities, as texts or integers."""
        return _PLAIN.issuperset(self.layout.roles) and all(map(self._is_usual, self.layout.roles))

    def _is_usual(self, role: str) -> bool:
        types, kind = self.arrow.types, self._type(role)
        kind = kind.value_type if types.is_dictionary(kind) else kind
        return types.is_integer(kind) or (role not in _SPAN and is_text(kind, self.arrow))

    def is_text(self, role: str) -> bool:
        """Whether a column has texts, or integers that do not fit into 64 bits with a sign."""
        types, kind = self.arrow.types, self._type(role)
        return not types.is_integer(kind) or types.is_uint64(kind)

    def _type(self, role: str) -> Any:
        return self.schema.field(self.column(role)).type

    def check_types(self) -> None:
        """Refuse columns of types that cannot be read."""
        roles = self.layout.roles
        problems = [one for role in roles for one in wrong_type(self.path, role, self._type(role))]
        if problems:
            raise FormatError(problems, self.path)

    def id_columns(self, rows: Any) -> dict[str, IdColumn] | None:
        """Return the mentions and entities of some rows of a plain table, by role.

        None if a cell is empty or invalid: the reader of the format says what is wrong, or knows
        what an empty cell means.
        """
        columns: dict[str, IdColumn] = {}
        for role in self.layout.roles:
            if role == "document":
                continue
            column = rows.column(self.column(role))
            if column.null_count:
                return None
            values = IdColumn(to_numpy(column)) if role in _SPAN else IdColumn.of(column)
            if role not in _SPAN and values.has_any(NO_ENTITY if role == "entity" else [""]):
                return None
            columns[role] = values
        if "stop" in columns:
            columns["end"] = IdColumn(columns["stop"].numbers - 1)
        if "start" in columns:
            start, end = columns["start"].numbers, columns["end"].numbers
            if (start < 0).any() or (end < start).any() or (end > self._farthest()).any():
                return None
        return columns

    def _farthest(self) -> int:
        """Return the farthest position in proportion to the files (see `base/limits.py`)."""
        if self.size is None or not limits_are_on():
            return _ANYWHERE
        return max(FREE, PER_BYTE * self.size)


AnyTable = TypeVar("AnyTable", bound=RowTable)


class TablePair(NamedTuple, Generic[AnyTable]):
    """The tables of key and response."""

    key: AnyTable
    response: AnyTable

    @property
    def rows(self) -> int:
        """The rows of both tables."""
        return self.key.rows + self.response.rows

    @property
    def is_plain(self) -> bool:
        """Whether both tables have only documents, mentions of the same kind, and entities."""
        plain = self.key.is_plain and self.response.is_plain
        return plain and self.key.layout.has_spans == self.response.layout.has_spans


def have_documents(key: bool, response: bool) -> bool:  # noqa: FBT001  # both sides are alike
    """Whether tables have a column of documents; refuse it on one side only."""
    if key != response:
        has, lacks = ("key", "response") if key else ("response", "key")
        raise UsageError(
            f"the {has} has a column of documents, but the {lacks} has none",
            "documents are paired by their names: give the column to both sides, or to neither",
        )
    return key


class ParquetTable(ParquetFiles, RowTable):
    """The rows of a table, batch by batch, in the order of its files."""

    def __init__(self, path: str | PathLike[str]) -> None:
        """Open a file, or a directory of files that are the parts of one table."""
        files = table_parts(path) or (Path(path),)
        parts = [ParquetPart(str(file), file, _size(file)) for file in files]
        super().__init__(parts, str(path), coded=True)

    def batches(self, roles: Collection[str]) -> Iterator[Any]:
        """Yield all rows, with some of their columns."""
        yield from self.iterate([self.column(role) for role in roles], BATCH_ROWS)

    def rows_at(self, rows: list[int]) -> Any:
        """Return a few rows by their numbers."""
        columns = [self.column(role) for role in self.layout.roles]
        found = []
        for row in rows:
            at = 0
            for file, group, size in self.groups():
                if row < at + size:
                    table = file.read_row_group(group, columns=columns)
                    found.append(table.slice(row - at, 1))
                    break
                at += size
        return self.arrow.concat_tables(found, promote_options="default")


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror or error}") from None
