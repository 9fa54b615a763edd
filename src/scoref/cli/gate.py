"""`scoref gate KEY OLD NEW`: fail a build when a system got worse, and not by chance."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from scoref.cli.arguments import (
    add_check_words,
    add_format,
    add_jobs,
    metrics_of,
    print_notes,
)
from scoref.cli.policies import add_policy, policy_of, replay_notes
from scoref.cli.resampling import add_resampling, resampling_of
from scoref.exceptions import ScorefError, UsageError

if TYPE_CHECKING:
    from scoref.cli.types import Commands

_DESCRIPTION = """\
Compare a new response with an old one, and fail if it lost more than it may, significantly.

Exit code 1 if the loss is larger than --max-drop and the paired test finds it significant,
0 otherwise, 2 if the loss is larger but cannot be tested. OLD and NEW can be counts files.
"""
_EPILOG = """\
examples:
  scoref gate key.conll main.counts.json new.conll --max-drop 0.3
  scoref gate key.conll old.conll new.conll --max-drop 0.3 --junit gate.xml \\
      --summary "$GITHUB_STEP_SUMMARY"
"""


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "gate",
        help="fail when a new response is significantly worse",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("key", metavar="KEY", help="the reference annotation")
    parser.add_argument("old", metavar="OLD", help="the response to be as good as")
    parser.add_argument("new", metavar="NEW", help="the response to judge")
    parser.add_argument(
        "-m",
        "--metric",
        action="append",
        dest="metrics",
        metavar="NAME",
        help="the measure to judge by; repeat for several, each of which must pass"
        " (default: conll)",
    )
    parser.add_argument(
        "--max-drop",
        type=float,
        default=0.0,
        metavar="POINTS",
        help="how many points of F1 may be lost (default: 0)",
    )
    parser.add_argument("--junit", metavar="FILE", help="write the verdict as JUnit XML")
    parser.add_argument(
        "--summary", metavar="FILE", help="append the verdict and the scores as Markdown"
    )
    parser.add_argument(
        "--test",
        choices=("randomisation", "bootstrap"),
        default="randomisation",
        help="the paired test (default: randomisation)",
    )
    add_format(parser)
    add_check_words(parser)
    add_jobs(parser)
    add_resampling(
        parser, level="significance level (default: 0.05); 1 takes every loss as significant"
    )
    add_policy(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Compare, judge, report."""
    import scoref
    from scoref.comparison.gate import judge
    from scoref.comparison.views.gate import render_junit, render_line, render_summary

    if not arguments.max_drop >= 0:
        raise UsageError("--max-drop is in points, and cannot be negative")
    if [arguments.key, arguments.old, arguments.new].count("-") > 1:
        raise UsageError("only one of KEY, OLD and NEW can be standard input")
    policy, like = policy_of(arguments)
    resampling = resampling_of(arguments)
    level = resampling["level"]
    comparison = scoref.compare(
        arguments.key,
        {"old": arguments.old, "new": arguments.new},
        metrics_of(arguments) or ["conll"],
        policy,
        test=arguments.test,
        correction="none",
        format=arguments.format,
        encoding=arguments.encoding,
        check_words=arguments.check_words,
        **{**resampling, "level": 0.05 if level == 1 else level},
    )
    print_notes([*comparison.notes, *replay_notes(like, comparison.signature)])
    allowed = arguments.max_drop / 100
    verdicts = [
        judge(comparison, "old", "new", metric=metric, allowed=allowed, level=level)
        for metric in comparison.metrics
    ]
    for verdict in verdicts:
        print(render_line(verdict))
    if arguments.junit:
        _write(arguments.junit, render_junit(verdicts))
    if arguments.summary:
        _append(arguments.summary, render_summary(verdicts, comparison))
    return int(any(verdict.failed for verdict in verdicts))


def _write(path: str, text: str) -> None:
    from scoref.formats.io.sources import write_whole

    with write_whole(path) as stream:
        stream.write(text.encode())


def _append(path: str, text: str) -> None:
    """Add to a file that others add to as well, so that it cannot be replaced."""
    try:
        with Path(path).open("a", encoding="utf-8") as stream:
            stream.write(text)
    except OSError as error:
        raise ScorefError(f"cannot write {path}: {error.strerror or error}") from None
