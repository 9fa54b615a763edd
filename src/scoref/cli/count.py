"""`scoref count KEY RESPONSE -o X.counts.json`: what was counted, without the text."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from scoref.cli.arguments import (
    add_check_words,
    add_format,
    add_jobs,
    add_memory,
    add_metrics,
    add_sides,
    check_sides,
    metrics_of,
    print_notes,
)
from scoref.cli.engines import add_engine, scored
from scoref.cli.policies import add_policy, policy_of, replay_notes

if TYPE_CHECKING:
    from scoref.cli.types import Commands

_DESCRIPTION = """\
Write what each measure counts in each document, with the policy and the key's fingerprint.

A counts file holds no text and no spans. `scoref compare`, `gate` and `power` take it as a
RESPONSE, and so does `scoref score`: publish it, and others can test their system against
yours without having your output.
"""


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "count",
        help="write a counts file, to compare with later",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_sides(parser)
    parser.add_argument(
        "-o",
        "--out",
        metavar="FILE",
        help="where to write, such as ours.counts.json or ours.counts.json.gz"
        " (default: standard output)",
    )
    add_metrics(parser)
    add_format(parser)
    add_check_words(parser)
    add_jobs(parser)
    add_memory(parser)
    add_engine(parser)
    add_policy(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Score, print notes, write the counts."""
    from scoref.counts.counts_file import dump

    check_sides(arguments)
    policy, like = policy_of(arguments)
    result = scored(arguments, metrics_of(arguments), policy)
    print_notes([*result.notes, *replay_notes(like, result.signature)])
    if arguments.out:
        result.save_counts(arguments.out)
    else:
        sys.stdout.write(dump(result))
    return 0
