"""Scores of runs that are computed once, as long as their files do not change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from scoref.comparison.systems import score_systems
from scoref.counts.counts_file import is_counts_file, load
from scoref.exceptions import ScorefError, UsageError
from scoref.formats.detection import format_of_file
from scoref.preparation.inputs import ReadOptions
from scoref.result import Result
from scoref.runs.folder import RunFile
from scoref.training.key import Key

Stamp = tuple[int, int]


@dataclass(slots=True)
class Runs:
    """The runs of a folder with their results, and why other files have none."""

    results: dict[RunFile, Result]
    problems: dict[RunFile, ScorefError]
    notes: list[str]


@dataclass(slots=True)
class RunScorer:
    """Scores runs against a key, or reads their counts if there is no key."""

    key: Key | None
    known: dict[Path, tuple[Stamp, Result | ScorefError]] = field(default_factory=dict)

    def score(self, files: Sequence[RunFile]) -> Runs:
        """Score all files; only those that are new or have changed are read."""
        results: dict[RunFile, Result] = {}
        problems: dict[RunFile, ScorefError] = {}
        for run in files:
            found = self._score_once(run.path)
            if isinstance(found, Result):
                results[run] = found
            else:
                problems[run] = found
        if not results:
            raise _nothing_to_show(problems)
        return Runs(self._aligned(results), problems, _notes(results))

    def stamp(self, path: Path) -> Stamp | None:
        """Return the time and size of a file when it was read."""
        return self.known[path][0] if path in self.known else None

    def _score_once(self, path: Path) -> Result | ScorefError:
        try:
            about = path.stat()
            stamp = about.st_mtime_ns, about.st_size
            if path in self.known and self.known[path][0] == stamp:
                return self.known[path][1]
            found: Result | ScorefError = self._score(path)
        except OSError as error:  # it was removed or replaced at this moment
            return UsageError(f"cannot read {path}: {error.strerror or error}")
        except ScorefError as error:
            found = error
        self.known[path] = stamp, found
        return found

    def _score(self, path: Path) -> Result:
        if self.key is not None:
            return self.key.score(path)
        if not is_counts_file(path):
            raise UsageError(f"{path} is not a counts file", "name the key with --key KEY")
        return Result.of(load(path))

    def _aligned(self, results: dict[RunFile, Result]) -> dict[RunFile, Result]:
        """Check that all results have the same key and policy, and order their documents."""
        titles = {run.title: run for run in results}
        given = {run.title: result for run, result in results.items()}
        metrics = None if self.key is None else self.key.metrics
        policy = None if self.key is None else self.key.policy
        checked = score_systems(None, given, metrics, policy, ReadOptions())
        return {titles[title]: result for title, result in checked.items()}


def is_of_unknown_format(path: Path) -> bool:
    """Whether a file is neither a response nor a counts file, such as a log."""
    return not is_counts_file(path) and format_of_file(path) is None


def _nothing_to_show(problems: dict[RunFile, ScorefError]) -> ScorefError:
    if not problems:
        return UsageError(
            "the folder has no files", "put a response or a counts file per run there"
        )
    return next(iter(problems.values()))


def _notes(results: dict[RunFile, Result]) -> list[str]:
    """Return each note once, with the name of its run unless all runs have it."""
    by_note: dict[str, list[str]] = {}
    for run, result in results.items():
        for note in result.notes:
            by_note.setdefault(note, []).append(run.title)
    return [
        note if len(runs) == len(results) else f"{', '.join(runs[:3])}: {note}"
        for note, runs in by_note.items()
    ]
