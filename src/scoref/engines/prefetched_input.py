"""PrefetchedInput: a path that other processes begin to read before its corpus is requested.

The files of the path are read in parts, and put together in the order of one process.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from scoref.base.process_pool import Processes
from scoref.base.progress import progress
from scoref.corpus.corpus import Corpus
from scoref.exceptions import FormatError, ScorefError
from scoref.formats.corpus_reader import SourceOutcome, combine_sources, read_source
from scoref.formats.format import Wanted
from scoref.formats.io.sources import Source, sources
from scoref.matching.inputs import CachedInput, ReadOptions

if TYPE_CHECKING:
    from concurrent.futures import Future


class PrefetchedInput(CachedInput):
    """A path that other processes begin to read when it is prefetched, in several parts."""

    def __init__(self, path: str | PathLike[str], parts: int, processes: Processes) -> None:
        super().__init__(path)
        self._path, self._parts, self._processes = str(path), parts, processes
        self._requested: tuple[object, ...] = ()
        self._outcomes: list[Future[list[SourceOutcome | ScorefError]]] = []

    def prefetch(self, side: str, options: ReadOptions, columns: Collection[str]) -> None:
        """Let the other processes begin."""
        if self._requested:
            return
        self._requested = (side, options, frozenset(columns))
        wanted = Wanted(frozenset(columns), predicted=side == "response", repair=options.repair)
        for files in divide(sources(self._path), self._parts):
            more = f" and {len(files) - 1} more files" if len(files) > 1 else ""
            task = f"reading {files[0].shown}{more}"
            how = options.of_side(side)
            self._outcomes.append(self._processes.submit(task, read_files, files, *how, wanted))

    def corpus(self, side: str, options: ReadOptions, columns: Collection[str]) -> Corpus:
        """Return what the other processes have read; read anything else here."""
        requested = frozenset(columns)
        if self._requested != (side, options, requested):
            return super().corpus(side, options, columns)
        if requested not in self._corpora:
            corpus, problems = combine_sources(self._path, self._received(), stop=True)
            if problems:
                raise FormatError(problems, self._path, options.of_side(side)[0])
            self._corpora[requested] = corpus.enable_cache()
        return self._corpora[requested]

    def _received(self) -> Iterator[SourceOutcome]:
        """Yield what one process would have read, or raise the first error that it would meet."""
        name = Path(self._path).name or self._path
        with progress(f"reading {name}", len(self._outcomes)) as advance:
            for part in self._outcomes:
                for outcome in part.result():
                    if isinstance(outcome, ScorefError):
                        raise outcome
                    yield outcome
                advance(1)


def read_files(
    files: Sequence[Source],
    format: str | None,  # noqa: A002  # what the command line calls it
    encoding: str | None,
    wanted: Wanted,
) -> list[SourceOutcome | ScorefError]:
    """Read some files in a worker, up to the first with an error."""
    outcomes: list[SourceOutcome | ScorefError] = []
    for source in files:
        try:
            outcome = read_source(source, format, wanted, encoding)
        except ScorefError as error:
            return [*outcomes, error]
        outcomes.append(outcome)
        if outcome.problems:
            break
    return outcomes


def divide(files: Sequence[Source], parts: int) -> list[list[Source]]:
    """Divide files, in their order, into at most so many parts of about equal size."""
    sizes = [source.path.stat().st_size if source.path is not None else 0 for source in files]
    share = sum(sizes) / parts
    divided: list[list[Source]] = [[]]
    filled = 0.0
    for source, size in zip(files, sizes, strict=True):
        if divided[-1] and filled + size / 2 > share * len(divided):
            divided.append([])
        divided[-1].append(source)
        filled += size
    return divided
