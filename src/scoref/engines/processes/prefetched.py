"""An input that other processes read, from the moment it is prefetched."""

from __future__ import annotations

from collections.abc import Collection
from os import PathLike

from scoref.base.process_pool import Processes
from scoref.corpus.corpus import Corpus
from scoref.engines.processes.reading import ReadInParts
from scoref.formats.format import Wanted
from scoref.preparation.inputs import CachedInput, ReadOptions


class PrefetchedInput(CachedInput):
    """A path that other processes begin to read when it is prefetched."""

    def __init__(self, path: str | PathLike[str], parts: int, processes: Processes) -> None:
        super().__init__(path)
        self._path, self._parts, self._processes = path, parts, processes
        self._requested: tuple[object, ...] = ()
        self._reading: ReadInParts | None = None

    def prefetch(self, side: str, options: ReadOptions, columns: Collection[str]) -> None:
        """Let the other processes begin."""
        if self._reading is None:
            self._requested = (side, options, frozenset(columns))
            self._reading = ReadInParts(
                self._path,
                options.format,
                Wanted(frozenset(columns), predicted=side == "response"),
                options.encoding,
                parts=self._parts,
                processes=self._processes,
            )

    def corpus(self, side: str, options: ReadOptions, columns: Collection[str]) -> Corpus:
        """Return what the other processes have read; read anything else here."""
        requested = frozenset(columns)
        if self._reading is None or self._requested != (side, options, requested):
            return super().corpus(side, options, columns)
        if requested not in self._corpora:
            self._corpora[requested] = self._reading.corpus().enable_cache()
        return self._corpora[requested]
