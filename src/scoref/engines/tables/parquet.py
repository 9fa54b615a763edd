"""A side in a Parquet file, read piece by piece."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from scoref.exceptions import FormatError, UsageError
from scoref.formats.io.sources import table_parts
from scoref.formats.table.parquet import wrong_type
from scoref.formats.table.parquet_files import ParquetFiles, ParquetPart, is_text

_BATCH = 1 << 17


class ParquetSide(ParquetFiles):
    """The rows of a table, batch by batch, in the order of its files."""

    def __init__(self, path: str | PathLike[str]) -> None:
        """Open a file, or a directory of files that are the parts of a table."""
        files = table_parts(path) or (Path(path),)
        parts = [ParquetPart(str(file), file, _size(file)) for file in files]
        super().__init__(parts, str(path), coded=True)

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
        problems = [
            problem
            for role in self.layout.roles
            for problem in wrong_type(self.path, role, self.schema.field(self.column(role)).type)
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
            for kind in [self.schema.field(self.column(role)).type]
            for kind in [kind.value_type if self.arrow.types.is_dictionary(kind) else kind]
        )
        return usual and known.issuperset(self.layout.roles)

    def is_text(self, role: str) -> bool:
        """Whether the column of a role has texts, or numbers that 64 bits do not hold."""
        kind = self.schema.field(self.column(role)).type
        return not self.arrow.types.is_integer(kind) or self.arrow.types.is_uint64(kind)

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

    def batches(self, roles: Collection[str]) -> Iterator[Any]:
        """Yield the rows with some of their columns."""
        yield from self.iterate([self.column(role) for role in roles], _BATCH)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror or error}") from None


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
