"""`scoref compare KEY RESPONSE...`: which system is better, and how sure we are."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from scoref.cli.arguments import (
    add_check_words,
    add_digits,
    add_format,
    add_jobs,
    add_metrics,
    add_output,
    metrics_of,
    print_notes,
)
from scoref.cli.policies import add_policy, policy_of, replay_notes
from scoref.cli.resampling import add_resampling, resampling_of
from scoref.cli.systems import says_nothing, split_key

if TYPE_CHECKING:
    from scoref.cli.types import Commands

_DESCRIPTION = """\
Rank systems on one key, with an interval for every score and a paired test for every pair.

Each RESPONSE is a file, a directory, or a counts file as `scoref count` writes it. Systems
are called by their files, or as in NAME=FILE. Counts files alone need no KEY.
"""
_EPILOG = """\
examples:
  scoref compare key.conll base.conll ours.conll
  scoref compare key.conll base=old/out.conll ours=new/out.conll --baseline base
  scoref compare base.counts.json ours.counts.json --output latex > table.tex
  scoref compare key.conll systems/*.conll -m muc -m b3 -m lea --by lea --details
  scoref compare key.conll a.conll b.conll --strata '^[^/]+' --figure systems.svg
"""


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "compare",
        help="rank systems, with intervals and significance tests",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage="scoref compare [options] KEY RESPONSE...",
    )
    parser.add_argument(
        "files", nargs="+", metavar="KEY RESPONSE", help="the reference, then the systems"
    )
    add_metrics(parser)
    parser.add_argument(
        "--by", metavar="NAME", help="the measure that ranks (default: conll, or else the last)"
    )
    add_output(parser)
    parser.add_argument(
        "--details",
        action="store_true",
        help="also show every pair, and Kendall's tau between the rankings of the measures",
    )
    add_digits(parser)
    parser.add_argument(
        "--figure", metavar="FILE", help="draw systems by measure with intervals (.svg or .png)"
    )
    parser.add_argument(
        "--scatter",
        metavar="FILE",
        help="draw each document's F1 by the two best systems, or by the baseline and the best"
        " other (.svg or .png)",
    )
    add_format(parser)
    add_check_words(parser)
    add_jobs(parser)
    tests = parser.add_argument_group("tests")
    tests.add_argument(
        "--baseline", metavar="NAME", help="test all against this system (default: all pairs)"
    )
    tests.add_argument(
        "--test",
        choices=("randomisation", "bootstrap"),
        default="randomisation",
        help="exchange the two systems' documents, or resample documents (default: randomisation)",
    )
    tests.add_argument(
        "--correction",
        choices=("holm", "none"),
        default="holm",
        help="correct p-values for the number of pairs, measure by measure (default: holm)",
    )
    add_resampling(parser)
    add_policy(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Compare, print notes, print the table, draw."""
    import scoref

    key, systems = split_key(arguments.files)
    policy, like = policy_of(arguments)
    comparison = scoref.compare(
        key,
        systems,
        metrics_of(arguments),
        None if key is None and says_nothing(arguments) else policy,
        by=arguments.by,
        baseline=arguments.baseline,
        test=arguments.test,
        correction=arguments.correction,
        format=arguments.format,
        encoding=arguments.encoding,
        check_words=arguments.check_words,
        **resampling_of(arguments),
    )
    print_notes([*comparison.notes, *replay_notes(like, comparison.signature)])
    if arguments.output == "csv":  # it has no place for them
        print_notes(filter(None, [comparison.refusal, *comparison.cautions, comparison.blind]))
    print(comparison.render(arguments.output, details=arguments.details, digits=arguments.digits))
    if arguments.figure:
        comparison.draw(arguments.figure)
    if arguments.scatter:
        comparison.draw_documents(arguments.scatter)
    return 0
