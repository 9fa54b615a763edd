"""A side in a Parquet file, read piece by piece."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from scoref.exceptions import FormatError, Problem, UsageError
from scoref.formats.parquet import MOST_ROWS, arrow_module, damaged, is_text, wrong_type
from scoref.formats.tables import Layout, describe_missing, find_layout

_BATCH = 1 << 17


class ParquetSide:
    """The rows of a table, batch by batch, in the order of the file."""

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = str(path)
        self.arrow = arrow_module()
        with self.reading():
            schema = arrow_module(".parquet").read_schema(path)
            found = find_layout(schema.names)
            if not isinstance(found, Layout):
                raise FormatError([describe_missing(self.path, 0, found)])
            self.layout: Layout = found
            texts = [
                self.column(role)
                for role in ("document", "entity")
                if role in found.at and is_text(schema.field(self.column(role)).type, self.arrow)
            ]
            # Texts that repeat are stored as codes, and need not be made texts again. What is read
            # ahead would be kept to the end.
            self.file = arrow_module(".parquet").ParquetFile(
                path, read_dictionary=texts, pre_buffer=False
            )
        self.rows: int = self.file.metadata.num_rows
        size = Path(path).stat().st_size
        if self.rows > MOST_ROWS * size:
            found_rows = f"{self.rows:,} rows in {size:,} bytes"
            raise FormatError([Problem(self.path, 0, found_rows, "a table of mentions")])

    def column(self, role: str) -> str:
        """Return the name of the column that has a role."""
        return self.layout.header[self.layout.at[role]]

    @property
    def has_documents(self) -> bool:
        """Whether it says in which document a row is."""
        return "document" in self.layout.at

    @property
    def has_spans(self) -> bool:
        """Whether mentions are spans, and not ids."""
        return self.layout.has_spans

    def check(self) -> None:
        """Refuse columns of types that cannot be read."""
        schema = self.file.schema_arrow
        problems = [
            problem
            for role in self.layout.roles
            for problem in wrong_type(self.path, role, schema.field(self.column(role)).type)
        ]
        if problems:
            raise FormatError(problems, self.path)

    @property
    def is_plain(self) -> bool:
        """Whether it has nothing but documents, mentions and entities, of usual types."""
        known = {"document", "mention", "start", "end", "stop", "entity"}
        usual = all(
            self.arrow.types.is_integer(kind)
            or (role not in ("start", "end", "stop") and is_text(kind, self.arrow))
            for role in self.layout.roles
            for kind in [self.file.schema_arrow.field(self.column(role)).type]
            for kind in [kind.value_type if self.arrow.types.is_dictionary(kind) else kind]
        )
        return usual and known.issuperset(self.layout.roles)

    def is_text(self, role: str) -> bool:
        """Whether the column of a role has texts, or numbers that 64 bits do not hold."""
        kind = self.file.schema_arrow.field(self.column(role)).type
        return not self.arrow.types.is_integer(kind) or self.arrow.types.is_uint64(kind)

    def rows_at(self, rows: list[int]) -> Any:
        """Return a few rows by their numbers."""
        found = []
        for row in rows:
            at = 0
            for group in range(self.file.metadata.num_row_groups):
                size = self.file.metadata.row_group(group).num_rows
                if row < at + size:
                    columns = [self.column(role) for role in self.layout.roles]
                    table = self.file.read_row_group(group, columns=columns)
                    found.append(table.slice(row - at, 1))
                    break
                at += size
        return self.arrow.concat_tables(found, promote_options="default")

    def batches(self, roles: Collection[str]) -> Iterator[Any]:
        """Yield the rows with some of their columns."""
        with self.reading():
            columns = [self.column(role) for role in roles]
            yield from self.file.iter_batches(_BATCH, columns=columns, use_threads=False)

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Turn what Arrow says of a damaged file into a message."""
        try:
            yield
        except OSError as error:
            if error.errno is not None:
                told = f"cannot read {self.path}: {error.strerror or error}"
                raise UsageError(told) from None
            raise FormatError([damaged(self.path, error)]) from None
        except (self.arrow.lib.ArrowException, ValueError) as error:
            raise FormatError([damaged(self.path, error)]) from None


class Sides(NamedTuple):
    """Key and response."""

    key: ParquetSide
    response: ParquetSide


class Taken:
    """Takes rows from batches by their numbers, which only grow."""

    def __init__(self, batches: Iterator[Any], arrow: Any) -> None:
        self._batches, self._arrow = batches, arrow
        self._held: list[Any] = []
        self._at = 0

    def take(self, first: int, end: int) -> Any:
        """Return the rows from one number to before another."""
        taken = []
        while self._at < end:
            batch = self._held.pop() if self._held else next(self._batches)
            stop = self._at + batch.num_rows
            if stop > end:
                self._held.append(batch.slice(end - self._at))
                batch = batch.slice(0, end - self._at)
            if self._at + batch.num_rows > first:
                taken.append(batch.slice(max(0, first - self._at)))
            self._at += batch.num_rows
        return self._arrow.Table.from_batches(taken) if taken else None
