"""A key and a response, read by several processes."""

from __future__ import annotations

from collections.abc import Collection
from os import PathLike

from scoref.base.process_pool import Processes
from scoref.corpus.corpus import Corpus
from scoref.engines.processes.reading import Reading
from scoref.formats import Wanted
from scoref.scoring import Kept


class Ahead(Kept):
    """A side that other processes begin to read when it is expected."""

    def __init__(self, path: str | PathLike[str], parts: int, processes: Processes) -> None:
        super().__init__(path)
        self._path, self._parts, self._processes = path, parts, processes
        self._expected: tuple[object, ...] = ()
        self._reading: Reading | None = None

    def expect(
        self,
        side: str,
        format: str | None,  # noqa: A002
        columns: Collection[str],
        encoding: str | None,
    ) -> None:
        """Let the others begin."""
        if self._reading is None:
            self._expected = (side, format, frozenset(columns), encoding)
            wanted = Wanted(frozenset(columns), predicted=side == "response")
            self._reading = Reading(
                self._path,
                format,
                wanted,
                encoding,
                parts=self._parts,
                processes=self._processes,
            )

    def corpus(
        self,
        side: str,
        format: str | None,  # noqa: A002
        columns: Collection[str],
        encoding: str | None,
    ) -> Corpus:
        """Return what the others have read; read it here if it is not what is asked for."""
        asked = frozenset(columns)
        expected = self._expected == (side, format, asked, encoding)
        if self._reading is None or not expected:
            return super().corpus(side, format, columns, encoding)
        if asked not in self._read:
            self._read[asked] = self._reading.corpus().remember()
        return self._read[asked]
