"""RunsView: a folder of runs that is written as a page, once or whenever it changes."""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import Context
from dataclasses import dataclass, field
from pathlib import Path

from scoref.exceptions import ScorefError, UsageError
from scoref.formats.io.output_files import write_whole
from scoref.resampling.sampling import Sampling
from scoref.runs.folder import RunFile, find_runs
from scoref.runs.page import page
from scoref.runs.page_data import page_data
from scoref.runs.scored_runs import Runs, RunScorer, is_of_unknown_format


@dataclass(slots=True)
class RunsView:
    """The page of a folder; `ignored` are files in the folder that are not runs."""

    folder: Path
    output: Path
    scorer: RunScorer
    sampling: Sampling
    ignored: Sequence[Path] = ()
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
        text = page(page_data(runs, self.sampling), title, reload_after=reload_after)
        # A command's files appear when it ends; a page that is watched appears at once.
        Context().run(_write_file, self.output, text)


def _write_file(path: Path, text: str) -> None:
    with write_whole(path) as stream:
        stream.write(text.encode(errors="replace"))


def _is_page(path: Path) -> bool:
    with path.open("rb") as stream:
        return stream.read(15).lower() == b"<!doctype html>"
