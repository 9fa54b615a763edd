"""The runs in a folder: which files they are, in which order, and at which step."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from scoref.exceptions import UsageError

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
