"""Files that other processes read in parts, put together in the order of one process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from os import PathLike
from pathlib import Path

from scoref.base.process_pool import Processes
from scoref.base.progress import progress
from scoref.corpus.corpus import Corpus
from scoref.exceptions import FormatError, ScorefError
from scoref.formats.corpus_reader import SourceOutcome, combine_sources, read_source
from scoref.formats.format import Wanted
from scoref.formats.io.sources import Source, sources

Part = list[Source]
"""Some of the files of a path."""


class ReadInParts:
    """A path that other processes are reading, in parts of about equal size."""

    def __init__(
        self,
        path: str | PathLike[str],
        format: str | None,  # noqa: A002
        wanted: Wanted,
        encoding: str | None,
        *,
        parts: int,
        processes: Processes,
    ) -> None:
        self._path = str(path)
        self._parts = [
            processes.submit(f"reading {_names(part)}", read_part, part, format, wanted, encoding)
            for part in divide(sources(path), parts)
        ]

    def corpus(self) -> Corpus:
        """Return what one process would have read, or raise what it would have met first."""
        corpus, problems = combine_sources(self._path, self._outcomes(), stop=True)
        if problems:
            raise FormatError(problems, self._path)
        return corpus

    def _outcomes(self) -> Iterator[SourceOutcome]:
        name = Path(self._path).name or self._path
        with progress(f"reading {name}", len(self._parts)) as advance:
            for part in self._parts:
                for outcome in part.result():
                    if isinstance(outcome, ScorefError):
                        raise outcome
                    yield outcome
                advance(1)


def read_part(
    part: Part,
    format: str | None,  # noqa: A002
    wanted: Wanted,
    encoding: str | None,
) -> list[SourceOutcome | ScorefError]:
    """Read some files, in a worker, up to the first that is wrong."""
    outcomes: list[SourceOutcome | ScorefError] = []
    for source in part:
        try:
            outcome = read_source(source, format, wanted, encoding)
        except ScorefError as error:
            return [*outcomes, error]
        outcomes.append(outcome)
        if outcome.problems:
            break
    return outcomes


def divide(given: Sequence[Source], parts: int) -> list[Part]:
    """Divide files into at most so many parts of about equal size, in their order."""
    sizes = [source.path.stat().st_size if source.path is not None else 0 for source in given]
    share = sum(sizes) / parts
    divided: list[Part] = [[]]
    filled = 0.0
    for source, size in zip(given, sizes, strict=True):
        if divided[-1] and filled + size / 2 > share * len(divided):
            divided.append([])
        divided[-1].append(source)
        filled += size
    return divided


def _names(part: Part) -> str:
    more = f" and {len(part) - 1} more files" if len(part) > 1 else ""
    return f"{part[0].shown}{more}"
