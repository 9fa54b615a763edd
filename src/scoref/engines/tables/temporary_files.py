"""Temporary files: the rows of a table divided into parts that each fit into memory.

The files have no name from the start, so nothing is left of them however the program ends.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import IO, Any

import numpy as np

from scoref.base.arrays import Ints
from scoref.corpus import fingerprint
from scoref.engines.tables.id_column import to_arrow
from scoref.exceptions import ScorefError
from scoref.formats.table.parquet_files import arrow_module

MOST_PARTS = 200
"""Each part is an open file, and a process may have some hundreds of them."""


class _TemporaryParts:
    """An unnamed temporary file per part, opened when the part gets its first row."""

    def __init__(self, parts: int) -> None:
        self._files: list[IO[bytes] | None] = [None] * parts

    def _open(self, part: int) -> IO[bytes]:
        file = self._files[part] or tempfile.TemporaryFile(prefix="scoref-")  # noqa: SIM115
        self._files[part] = file
        return file

    def _reopen(self, part: int) -> IO[bytes] | None:
        """Return the file of a part at its start; whoever takes it closes it."""
        file, self._files[part] = self._files[part], None
        if file is not None:
            file.seek(0)
        return file

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Discard the parts that were not read."""
        for part, file in enumerate(self._files):
            self._files[part] = None
            if file is not None:
                file.close()


class SpilledTable(_TemporaryParts):
    """Rows of Arrow tables, divided into parts; a part keeps the order of its rows."""

    def __init__(self, parts: int) -> None:
        super().__init__(parts)
        self._writers: list[Any] = [None] * parts

    def add(self, rows: Any, part: Ints) -> None:
        """Add each row to its part."""
        if len(part) and (part == part[0]).all():
            self._write(int(part[0]), rows)
            return
        order = sort_by_part(part)
        rows = rows.take(to_arrow(order))
        numbers, first = np.unique(part[order], return_index=True)
        ends = [*first[1:].tolist(), len(part)]
        for number, at, end in zip(numbers.tolist(), first.tolist(), ends, strict=True):
            self._write(number, rows.slice(at, end - at))

    def _write(self, part: int, rows: Any) -> None:
        with _reported_errors():
            if self._writers[part] is None:
                ipc = arrow_module(".ipc")
                self._writers[part] = ipc.new_stream(self._open(part), rows.schema)
            self._writers[part].write(rows)

    def read(self, part: int) -> Any | None:
        """Return the rows of a part, or None if it has none; they can be read once."""
        if (writer := self._writers[part]) is None:
            return None
        with _reported_errors():
            writer.close()
            self._writers[part] = None
            with self._reopen(part) as file:  # type: ignore[union-attr]  # the writer has a file
                return arrow_module(".ipc").open_stream(file).read_all()


class SpilledColumns(_TemporaryParts):
    """Columns of integers, whose rows are divided by the hash of an id."""

    def __init__(self, parts: int, columns: int) -> None:
        super().__init__(parts)
        self._columns = columns

    def add(self, columns: Sequence[Ints], ids: Ints) -> None:
        """Add each row to the part of its id."""
        part = part_of(ids, len(self._files))
        order = sort_by_part(part)
        rows = np.stack([column[order] for column in columns], axis=1)
        ends = np.cumsum(np.bincount(part, minlength=len(self._files)))
        for number, (at, end) in enumerate(pairwise([0, *ends.tolist()])):
            if end > at:
                with _reported_errors():
                    self._open(number).write(rows[at:end].data)

    def read(self, part: int) -> list[Ints]:
        """Return the columns of a part; they can be read once."""
        with _reported_errors():
            if (file := self._reopen(part)) is None:
                return [np.zeros(0, dtype=np.int64) for _ in range(self._columns)]
            with file:
                rows = np.fromfile(file, dtype=np.int64).reshape(-1, self._columns)
        return [np.ascontiguousarray(column) for column in rows.T]


def part_of(ids: Ints, parts: int) -> Ints:
    """Return the part of each id, by a hash."""
    found: Ints = (fingerprint.mix(ids.view(np.uint64)) >> np.uint64(32)).astype(np.int64) % parts
    return found


def sort_by_part(part: Ints) -> Ints:
    """Sort rows by their part; NumPy sorts 16-bit integers by radix, five times as fast."""
    return np.argsort(part.astype(np.uint16), kind="stable")


@contextmanager
def _reported_errors() -> Iterator[None]:
    """Say that temporary files cannot be written, and how to choose another directory."""
    try:
        yield
    except OSError as error:
        raise ScorefError(
            f"cannot write temporary files in {tempfile.gettempdir()}: {error.strerror or error}",
            "set the environment variable TMPDIR to a directory with more room, or raise --memory",
        ) from None
