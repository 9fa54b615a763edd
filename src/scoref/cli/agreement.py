"""`scoref agreement A B [C...]`: how far annotators agree."""

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
from scoref.cli.policies import add_policy, policy_of
from scoref.cli.resampling import add_resampling, resampling_of
from scoref.cli.systems import name_systems

if TYPE_CHECKING:
    from scoref.cli.types import Commands

_DESCRIPTION = """\
Measure the agreement of annotators, none of whom is the key: F1 of each pair, and
Krippendorff's alpha of all, with Passonneau's and with the MASI distance.

Documents that not all of them have are left out, with a note.
"""


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "agreement",
        help="measure how far annotators agree",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="a file or directory for each; or NAME=FILE"
    )
    add_metrics(parser)
    add_output(parser)
    add_digits(parser)
    add_format(parser)
    add_check_words(parser)
    add_jobs(parser)
    add_resampling(parser)
    add_policy(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print notes, and the agreement."""
    import scoref

    policy, _ = policy_of(arguments)
    found = scoref.agreement(
        name_systems(arguments.files),
        metrics_of(arguments),
        policy,
        format=arguments.format,
        encoding=arguments.encoding,
        check_words=arguments.check_words,
        **resampling_of(arguments),
    )
    print_notes(found.notes)
    print(found.render(arguments.output, digits=arguments.digits))
    return 0
