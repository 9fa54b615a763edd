"""ParquetTable: the key or the response in Parquet files, read in batches."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from os import PathLike
from pathlib import Path
from typing import Any

from scoref.engines.tables.row_table import RowTable
from scoref.exceptions import UsageError
from scoref.formats.io.sources import table_parts
from scoref.formats.table.parquet_files import ParquetFiles, ParquetPart

CORPUS_ROW_BYTES = 400
"""Memory that a row takes if tables are read as corpora."""

BATCH_ROWS = 1 << 17


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
