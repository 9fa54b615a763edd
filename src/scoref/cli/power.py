"""`scoref power KEY RESPONSE [RESPONSE]`: what a test set of this size can show."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from scoref.cli.arguments import (
    add_digits,
    add_format,
    add_metrics,
    add_output,
    metrics_of,
    print_notes,
)
from scoref.cli.policies import add_policy, policy_of
from scoref.cli.resampling import add_resampling
from scoref.cli.systems import says_nothing, split_key

if TYPE_CHECKING:
    from scoref.cli.types import Commands

_DESCRIPTION = """\
Tell the smallest difference that a test set of this size can show, and how many documents
like these a given difference needs.

From two responses, by how their difference varies from document to document; from one, for
another system that errs independently. Counts files are taken as in `scoref compare`.
"""


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "power",
        help="tell what a test set of this size can show",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage="scoref power [options] KEY RESPONSE [RESPONSE]",
    )
    parser.add_argument(
        "files", nargs="+", metavar="KEY RESPONSE", help="the reference, then one system or two"
    )
    add_metrics(parser)
    parser.add_argument(
        "--difference",
        type=float,
        metavar="POINTS",
        help="the difference to count documents for (default: the observed one)",
    )
    parser.add_argument(
        "--power",
        type=float,
        default=0.8,
        metavar="P",
        help="the probability of finding a difference (default: 0.8)",
    )
    add_output(parser)
    add_digits(parser)
    add_format(parser)
    add_resampling(parser, only=("level", "blocks", "strata"))
    add_policy(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print notes, and a row per metric."""
    from scoref.comparison.power import power
    from scoref.comparison.systems import score_systems, shared_notes
    from scoref.comparison.views.power import PowerView
    from scoref.preparation.inputs import ReadOptions
    from scoref.resampling.intervals import Sampling

    key, systems = split_key(arguments.files)
    policy, _ = policy_of(arguments)
    results = score_systems(
        key,
        systems,
        metrics_of(arguments),
        None if key is None and says_nothing(arguments) else policy,
        ReadOptions(arguments.format, arguments.encoding),
    )
    print_notes(shared_notes(results))
    sampling = Sampling(level=arguments.level, blocks=arguments.blocks, strata=arguments.strata)
    difference = None if arguments.difference is None else arguments.difference / 100
    found = power(results, sampling, wanted=arguments.power, difference=difference)
    print(PowerView(found, arguments.digits).render(arguments.output))
    return 0
