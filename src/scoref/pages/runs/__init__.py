"""A folder of runs, such as checkpoints or seeds, as a page: written once, or when it changes."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import Context
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from types import FrameType
from typing import Any

from scoref.exceptions import ScorefError, UsageError
from scoref.formats.io.output_files import write_whole
from scoref.pages.runs.leaderboard import leaderboard, ranked
from scoref.pages.runs.page import page, page_data
from scoref.pages.runs.scored_runs import RunFile, Runs, RunScorer, find_runs, is_of_unknown_format
from scoref.resampling.sampling_options import Sampling

RELOAD = 10
"""Seconds after which a page that is watched loads itself again."""


@dataclass(slots=True)
class RunsView:
    """The page of a folder; `ignored` are files in the folder that are not runs.

    With the name of a metric in `leaderboard`, the page ranks the runs by this metric.
    """

    folder: Path
    output: Path
    scorer: RunScorer
    sampling: Sampling
    ignored: Sequence[Path] = ()
    leaderboard: str | None = None
    shown: object = field(default=None, init=False)

    def files(self) -> tuple[list[RunFile], list[RunFile]]:
        """Return the files of runs, and other files, such as logs."""
        found = find_runs(self.folder, [self.output, *self.ignored])
        others = [run for run in found if is_of_unknown_format(run.path)]
        return [run for run in found if run not in others], others

    def check_output(self) -> None:
        """Refuse to replace a run."""
        runs = find_runs(self.folder, self.ignored)
        place = self.output.resolve()
        if any(run.path.resolve() == place and not _is_page(run.path) for run in runs):
            raise UsageError(
                f"-o {self.output} would replace a run", "choose another name for the page"
            )

    def write(self) -> Runs:
        """Write the page; a run that cannot be read is an error."""
        files, others = self.files()
        runs = self.scorer.score(files)
        if runs.problems:
            raise next(iter(runs.problems.values()))
        runs.notes += [f"{run.path} has no known format and is ignored" for run in others]
        self._write(runs, reload_after=0)
        return runs

    def update(self, *, reload_after: int) -> Runs | ScorefError | None:
        """Write the page if anything has changed; a run that cannot be read is tried again.

        Return what was written, None if nothing has changed, or why nothing can be shown.
        """
        try:
            files, _ = self.files()
            runs = self.scorer.score(files)
        except ScorefError as error:
            return None if self._is_shown(str(error)) else error
        stamps = {run.path: self.scorer.stamp(run.path) for run in files}
        if self._is_shown((stamps, reload_after)):
            return None
        self._write(runs, reload_after=reload_after)
        return runs

    def _is_shown(self, state: object) -> bool:
        before, self.shown = self.shown, state
        return before == state

    def _write(self, runs: Runs, *, reload_after: int) -> None:
        title = self.folder.resolve().name
        if self.leaderboard is None:
            text = page(page_data(runs, self.sampling), title, reload_after=reload_after)
        else:
            comparison = ranked(runs, self.leaderboard, self.sampling)
            text = leaderboard(
                comparison, title, runs.located_problems(), reload_after=reload_after
            )
        # A command's files appear when it ends; a page that is watched appears at once.
        Context().run(_write_file, self.output, text)


def _write_file(path: Path, text: str) -> None:
    with write_whole(path) as stream:
        stream.write(text.encode(errors="replace"))


def _is_page(path: Path) -> bool:
    with path.open("rb") as stream:
        return stream.read(15).lower() == b"<!doctype html>"


def watch(update: Callable[[], None], seconds: float, stop: Event) -> None:
    """Call `update` every few seconds until `stop` is set."""
    while not stop.is_set():
        update()
        stop.wait(seconds)


@contextmanager
def stopped_by_signals() -> Iterator[Event]:
    """Return an event that Ctrl-C or SIGTERM sets; a second signal ends the process as usual."""
    stop = Event()
    usual: dict[int, Any] = {}

    def end(number: int, frame: FrameType | None) -> None:
        if stop.is_set() and callable(usual[number]):
            usual[number](number, frame)
        stop.set()

    with suppress(ValueError):  # only the main thread can set handlers
        for number in (signal.SIGINT, signal.SIGTERM):
            if (before := signal.getsignal(number)) != signal.SIG_IGN:
                usual[number] = before
                signal.signal(number, end)
    try:
        yield stop
    finally:
        for handled, handler in usual.items():
            signal.signal(handled, handler)
