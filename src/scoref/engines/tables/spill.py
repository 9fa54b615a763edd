"""Temporary files: the rows of a table divided into parts that each fit into memory.

The files have no name from the start, so that nothing is left of them however a program ends.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import numpy as np

from scoref.base.arrays import Ints
from scoref.engines.tables.values import as_arrow
from scoref.exceptions import ScorefError
from scoref.formats.table.parquet_files import arrow_module

MOST_PARTS = 200
"""Each part is an open file, of which a process may have some hundreds."""


class Parts:
    """Rows of Arrow tables, kept in files by the number of their part, in the order of adding."""

    def __init__(self, parts: int) -> None:
        self._files: list[Any] = [None] * parts
        self._writers: list[Any] = [None] * parts

    def add(self, rows: Any, part: Ints) -> None:
        """Add each row to its part."""
        if len(part) and (part == part[0]).all():
            self._write(int(part[0]), rows)
            return
        order = _by_part(part)
        rows = rows.take(as_arrow(order))
        numbers, first = np.unique(part[order], return_index=True)
        ends = [*first[1:].tolist(), len(part)]
        for number, at, end in zip(numbers.tolist(), first.tolist(), ends, strict=True):
            self._write(number, rows.slice(at, end - at))

    def _write(self, number: int, rows: Any) -> None:
        with _full_disk():
            if self._writers[number] is None:
                self._files[number] = tempfile.TemporaryFile(prefix="scoref-")  # noqa: SIM115
                ipc = arrow_module(".ipc")
                self._writers[number] = ipc.new_stream(self._files[number], rows.schema)
            self._writers[number].write(rows)

    def read(self, number: int) -> Any | None:
        """Return the rows of a part, or None if it has none; they can be read once."""
        file, writer = self._files[number], self._writers[number]
        if file is None:
            return None
        with _full_disk():
            writer.close()
            file.seek(0)
            rows = arrow_module(".ipc").open_stream(file).read_all()
            file.close()
        self._files[number] = self._writers[number] = None
        return rows

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Give up what has not been read."""
        for file in self._files:
            if file is not None:
                file.close()
        self._files = [None] * len(self._files)


def _by_part(part: Ints) -> Ints:
    """Sort rows by their part; small numbers are sorted by their digits, five times as fast."""
    return np.argsort(part.astype(np.uint16), kind="stable")


class Columns:
    """Rows of whole numbers, kept in files by the number of their part."""

    def __init__(self, parts: int, columns: int) -> None:
        self._files: list[Any] = [None] * parts
        self._columns = columns

    def add(self, columns: Sequence[Ints], part: Ints) -> None:
        """Add each row to its part."""
        order = _by_part(part)
        rows = np.stack([column[order] for column in columns], axis=1)
        ends = np.cumsum(np.bincount(part, minlength=len(self._files)))
        for number, (at, end) in enumerate(pairwise([0, *ends.tolist()])):
            if end > at:
                with _full_disk():
                    if self._files[number] is None:
                        self._files[number] = tempfile.TemporaryFile(prefix="scoref-")  # noqa: SIM115
                    self._files[number].write(rows[at:end].data)

    def read(self, number: int) -> list[Ints]:
        """Return the columns of a part; they can be read once."""
        file = self._files[number]
        if file is None:
            return [np.zeros(0, dtype=np.int64) for _ in range(self._columns)]
        with _full_disk():
            file.seek(0)
            rows = np.fromfile(file, dtype=np.int64).reshape(-1, self._columns)
            file.close()
        self._files[number] = None
        return [np.ascontiguousarray(column) for column in rows.T]

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Give up what has not been read."""
        for file in self._files:
            if file is not None:
                file.close()
        self._files = [None] * len(self._files)


@contextmanager
def _full_disk() -> Iterator[None]:
    """Say where there is no room for temporary files, and how to choose another place."""
    try:
        yield
    except OSError as error:
        raise ScorefError(
            f"cannot write temporary files in {tempfile.gettempdir()}: {error.strerror or error}",
            "set the environment variable TMPDIR to a directory with more room, or raise --memory",
        ) from None
