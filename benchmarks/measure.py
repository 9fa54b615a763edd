"""What commands cost: CPU time and peak memory, in rounds that share the machine's noise.

This module must not load NumPy. On Linux a child starts with the peak memory of the
process that started it, so this process has to stay smaller than whatever it measures.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

_BYTES = 1 if sys.platform == "darwin" else 1024  # the unit of ru_maxrss
_MEGABYTE = 1_000_000
_ROOT = Path(__file__).parents[1]


class CommandError(Exception):
    """A command that could not be run, or that failed."""


@dataclass(frozen=True, slots=True)
class Command:
    """A name to show, and the processes to run one after the other."""

    name: str
    steps: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, name: str, *words: str | Path) -> Command:
        """Make a command of a single process."""
        return cls(name, (tuple(map(str, words)),))


class Cost(NamedTuple):
    """CPU seconds, user and system together, and peak memory in megabytes."""

    cpu: float
    peak: float


class Ratio(NamedTuple):
    """The median over rounds, and the range."""

    median: float
    low: float
    high: float

    def __str__(self) -> str:
        digits = 2 if self.median < 10 else 0
        shown = f"{self.median:.{digits}f}"
        if self.low == self.high:
            return shown
        return f"{shown} ({self.low:.{digits}f}-{self.high:.{digits}f})"


@dataclass(frozen=True, slots=True)
class Measurement:
    """What one command cost in each round."""

    name: str
    costs: tuple[Cost, ...]

    @property
    def cpu(self) -> float:
        """The median of CPU seconds."""
        return statistics.median(cost.cpu for cost in self.costs)

    @property
    def peak(self) -> float:
        """The largest peak memory in megabytes."""
        return max(cost.peak for cost in self.costs)

    def against(self, other: Measurement) -> Ratio:
        """Divide CPU times round by round: both sides of a ratio met the same machine."""
        rounds = zip(self.costs, other.costs, strict=True)
        ratios = [ours.cpu / theirs.cpu for ours, theirs in rounds]
        return Ratio(statistics.median(ratios), min(ratios), max(ratios))


def total(name: str, parts: Sequence[Measurement]) -> Measurement:
    """Add up commands that together do one job."""
    rounds = zip(*(part.costs for part in parts), strict=True)
    return Measurement(name, tuple(_add(costs) for costs in rounds))


def measure(
    commands: Sequence[Command], rounds: int, directory: Path, *, warm_up: bool = True
) -> list[Measurement]:
    """Run every command once in each round; what warms up does not count."""
    if warm_up:
        for command in commands:
            tell(f"warming up: {command.name}")
            run(command, directory)
    costs: list[list[Cost]] = [[] for _ in commands]
    for number in range(1, rounds + 1):
        for command, so_far in zip(commands, costs, strict=True):
            tell(f"round {number} of {rounds}: {command.name}")
            so_far.append(run(command, directory))
    return [
        Measurement(command.name, tuple(all_rounds))
        for command, all_rounds in zip(commands, costs, strict=True)
    ]


def run(command: Command, directory: Path) -> Cost:
    """Run a command in a directory, throw its output away, and return what it cost."""
    return _add([_run_step(command.name, step, directory) for step in command.steps])


def run_inside(case: str, size: int | str, rounds: int) -> list[Measurement]:
    """Measure the steps of a case of `benchmarks.inside` in a process of its own."""
    tell(f"{case}: {size}")
    words = (sys.executable, "-m", "benchmarks.inside", case, str(size), str(rounds))
    done = subprocess.run(words, cwd=_ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        last = done.stderr.strip().rpartition("\n")[2]
        raise CommandError(f"{case}: exit code {done.returncode}: {last}")
    told = json.loads(done.stdout)
    peak = told["peak"] * _BYTES / _MEGABYTE
    return [
        Measurement(name, tuple(Cost(cpu, peak) for cpu in costs))
        for name, costs in told["cpu"].items()
    ]


def own_peak() -> float:
    """Return this process's peak memory in megabytes, below which children show nothing."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _BYTES / _MEGABYTE


def tell(progress: str) -> None:
    """Report progress, which is no part of the result."""
    print(f"benchmarks: {progress}", file=sys.stderr, flush=True)


def _add(costs: Sequence[Cost]) -> Cost:
    return Cost(sum(cost.cpu for cost in costs), max(cost.peak for cost in costs))


def _run_step(name: str, words: tuple[str, ...], directory: Path) -> Cost:
    with tempfile.TemporaryFile() as errors:
        try:
            process = subprocess.Popen(
                words,
                cwd=directory,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
            )
        except OSError as error:
            raise CommandError(f"{name}: {error}") from error
        _, status, usage = os.wait4(process.pid, 0)  # Popen.wait would not tell the usage
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            errors.seek(0)
            last = errors.read().decode(errors="replace").strip().rpartition("\n")[2]
            raise CommandError(f"{name}: exit code {process.returncode}: {last}")
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * _BYTES / _MEGABYTE)
