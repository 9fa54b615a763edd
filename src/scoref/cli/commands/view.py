"""Show a folder of runs, such as checkpoints or seeds, as one page.

RUNS has a response or a counts file for each run, and can have a subfolder for each series of runs,
such as a seed. The page has a learning curve for each metric with intervals, the comparison of any
two runs, and a table. The order of runs is that of the numbers in their names: step-20 comes before
step-100. If all files are counts files, --key can be left out.

With --leaderboard, the runs are systems, such as the submissions to a shared task. The page ranks
them by a metric, with intervals, tests, and groups of systems that do not differ significantly. The
runs in a subfolder are several runs of one system.

With --watch, the page is written again whenever files arrive or change, until Ctrl-C. A file that
cannot be read yet is tried again when it changes. The page is one file and needs no server.

Example commands:
  scoref view checkpoints/ --key dev.conll -o runs.html
  scoref view counts/ -o runs.html
  scoref view checkpoints/ --key dev.conll -o runs.html --watch
  scoref view counts/ --leaderboard conll -o leaderboard.html
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from scoref.cli import options
from scoref.cli.command import Arguments, Command, Group, Option
from scoref.cli.options import scoring_keywords
from scoref.cli.output import print_message, print_notes
from scoref.exceptions import ScorefError, UsageError

if TYPE_CHECKING:
    from scoref.pages.runs import RunsView

COMMAND = Command(
    __doc__,
    Option("RUNS", "folder with a file for each run"),
    {"--key KEY": "reference annotation; not required for counts files"},
    options.PAGE,
    {
        "--leaderboard METRIC": "rank the runs by METRIC, with tests, instead of drawing curves",
        "--watch": "write the page again when files arrive or change, until Ctrl-C",
        "--every SECONDS = 2": "with --watch, time between looks at the folder",
    },
    *options.SCORING,
    Group("resampling", "how confidence intervals are computed", options.SAMPLING),
)


def run(arguments: Arguments) -> int:
    """Score the runs, write the page, print its path; with --watch, again and again."""
    view = _view(arguments)
    if arguments.watch:
        return _watch(view, arguments.every)
    runs = view.write()
    print_notes(runs.notes)
    print(arguments.out)
    return 0


def _view(arguments: Arguments) -> RunsView:
    from scoref.key import Key
    from scoref.pages.runs import RunsView
    from scoref.pages.runs.scored_runs import RunScorer
    from scoref.resampling.sampling_options import Sampling

    names = ("level", "blocks", "strata")
    sampling = Sampling(**{name: getattr(arguments, name) for name in names})
    keywords = scoring_keywords(arguments)
    key = None if arguments.key is None else Key(arguments.key, **keywords)
    if key is None and (keywords["policy"] is not None or arguments.metrics):
        raise UsageError("metrics and policies require a key", "name the key with --key KEY")
    ignored = [] if arguments.key is None else [Path(arguments.key)]
    folder, out = Path(arguments.runs), Path(arguments.out)
    view = RunsView(folder, out, RunScorer(key), sampling, ignored, arguments.leaderboard)
    view.check_output()
    return view


def _watch(view: RunsView, seconds: float) -> int:
    """Keep the page up to date; the last page does not load itself again."""
    from scoref.pages.runs import RELOAD, stopped_by_signals, watch

    def update() -> None:
        found = view.update(reload_after=RELOAD)
        if isinstance(found, ScorefError):
            print_message("note", f"nothing to show yet: {found.message}")
        elif found is not None:
            waiting = [f"{run.path}: {error.message}" for run, error in found.problems.items()]
            print_notes([*found.notes, *(f"not readable yet: {line}" for line in waiting)])
            print(f"{view.output}: {len(found.results)} runs")
            sys.stdout.flush()

    with stopped_by_signals() as stop:
        watch(update, seconds, stop)
    view.update(reload_after=0)
    return 0
