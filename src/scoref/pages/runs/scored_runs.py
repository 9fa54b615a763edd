"""The runs in a folder: their files, their steps, and scores that are computed once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from scoref.comparison.systems import score_systems
from scoref.counts.counted import is_counts_file
from scoref.counts.counts_file import load
from scoref.exceptions import ScorefError, UsageError
from scoref.formats.registry import format_of_file
from scoref.key import Key
from scoref.matching.inputs import ReadOptions
from scoref.result import Result

_NUMBER = re.compile(r"\d+")
_SUFFIXES = (".gz", ".json", ".jsonl", ".counts", ".conll", ".conllu", ".csv", ".tsv", ".parquet")


class RunFile(NamedTuple):
    """A file with a response or its counts.

    `series` is the subfolder it is in, such as a seed, or empty. `step` is the number in its name
    in which it differs from the other files of its series, or None.
    """

    path: Path
    series: str
    name: str
    step: int | None = None

    @property
    def title(self) -> str:
        """The name with the series."""
        return f"{self.series}/{self.name}" if self.series else self.name


def find_runs(folder: Path, ignored: Iterable[Path] = ()) -> list[RunFile]:
    """Return the files of a folder, and of its subfolders, in natural order.

    Hidden files, which are written by programs on the way, and `ignored` files are left out.
    """
    if not folder.is_dir():
        raise UsageError(
            f"{folder} is not a folder", "name a folder with a file for each run, such as runs/"
        )
    left_out = {path.resolve() for path in ignored}
    series: dict[str, list[Path]] = {}
    for path in sorted(folder.iterdir(), key=natural_order):
        if path.name.startswith("."):
            continue
        members = sorted(path.iterdir(), key=natural_order) if path.is_dir() else [path]
        files = [
            one
            for one in members
            if one.is_file() and not one.name.startswith(".") and one.resolve() not in left_out
        ]
        series.setdefault(path.name if path.is_dir() else "", []).extend(files)
    return [run for name, paths in series.items() for run in _runs(name, paths)]


def natural_order(path: Path) -> list[tuple[bool, int, str]]:
    """Return a sort key in which step-20 comes before step-100."""
    pieces = re.split(r"(\d+)", path.name)
    return [(not one.isdecimal(), int(one) if one.isdecimal() else 0, one) for one in pieces if one]


def _runs(series: str, paths: Sequence[Path]) -> list[RunFile]:
    names = [_name(path) for path in paths]
    if len(set(names)) < len(names):
        names = [path.name for path in paths]
    steps = step_numbers(names)
    return [RunFile(*run) for run in zip(paths, [series] * len(names), names, steps, strict=True)]


def _name(path: Path) -> str:
    """Return the name of a file without the suffixes of formats."""
    name = path.name
    while name.endswith(_SUFFIXES) and name.rpartition(".")[0]:
        name = name.rpartition(".")[0]
    return name


def step_numbers(names: Sequence[str]) -> list[int | None]:
    """Return the step of each name: the last number, if all names have one and all differ."""
    found = [_NUMBER.findall(name) for name in names]
    steps = [int(numbers[-1]) for numbers in found if numbers]
    if len(steps) < len(names) or len(set(steps)) < len(steps):
        return [None] * len(names)
    return list(steps)


Stamp = tuple[int, int]


@dataclass(slots=True)
class Runs:
    """The runs of a folder with their results, and why other files have none."""

    results: dict[RunFile, Result]
    problems: dict[RunFile, ScorefError]
    notes: list[str]

    def located_problems(self) -> list[tuple[str, str]]:
        """Return the title and the message of each run that cannot be read."""
        return [(run.title, error.message) for run, error in self.problems.items()]


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
