"""`scoref stress KEY RESPONSE`: how measures react to what is better or worse for certain."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from scoref.cli.arguments import (
    add_check_words,
    add_format,
    add_metrics,
    add_output,
    add_sides,
    check_sides,
    metrics_of,
    print_notes,
)
from scoref.cli.policies import add_policy, policy_of, replay_notes

if TYPE_CHECKING:
    from scoref.cli.types import Commands

_DESCRIPTION = """\
Change a response as Moosavi & Strube (2016, section 2) changed theirs, and show how each
measure reacts: wrong links taken out ("more precise"), wrong links added ("less precise"),
and responses at the boundary. Where a measure rewards what is wrong for certain, it says so.
"""


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "stress",
        help="show how measures react to a better or worse response",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_sides(parser)
    add_metrics(parser)
    add_output(parser)
    add_format(parser)
    add_check_words(parser)
    add_policy(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print F1 for each change, and what a measure should not have rewarded."""
    from scoref.analysis.stress import stress
    from scoref.analysis.views.stress import StressView

    check_sides(arguments)
    policy, like = policy_of(arguments)
    result = stress(
        arguments.key,
        arguments.response,
        metrics_of(arguments),
        policy,
        arguments.format,
        encoding=arguments.encoding,
        check_words=arguments.check_words,
    )
    print_notes([*result.notes, *replay_notes(like, result.signature)])
    print(StressView(result).render(arguments.output))
    return 0
