"""`scoref score KEY RESPONSE`: scores, and the signature that makes them citable."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from scoref.cli.arguments import (
    add_check_words,
    add_digits,
    add_format,
    add_jobs,
    add_memory,
    add_metrics,
    add_output,
    add_sides,
    check_sides,
    metrics_of,
    print_notes,
)
from scoref.cli.engines import add_engine, scored
from scoref.cli.policies import add_policy, policy_of, replay_notes
from scoref.cli.resampling import add_resampling, resampling_of
from scoref.exceptions import UsageError

if TYPE_CHECKING:
    from scoref.cli.types import Commands

_DESCRIPTION = """\
Score a response against a key.

KEY and RESPONSE are files, directories of files, or - for standard input, gzipped or not, in
any format that `scoref convert --help` and the manual list; it is told from the content, and
need not be the same on both sides. RESPONSE can also be a counts file (`scoref count`).
Documents are paired by name and part.
"""
_EPILOG = """\
examples:
  scoref score key.conll response.conll
  scoref score key.conll response.conll -m muc -m 'blanc(alpha=0.2)' --singletons drop
  scoref score key/ response/ --per-document --output csv > scores.csv
  scoref score key.conll response.conll --intervals
  scoref score -q -m conll key.conll response.conll
  scoref score key.conll response.conll --like 'scoref|key:d5995bee|match:exact|...'
  scoref score key.conll response.conll -m my_metrics:exact_entities
"""


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "score",
        help="score a response against a key",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_sides(parser)
    add_metrics(parser)
    add_output(parser)
    parser.add_argument("--per-document", action="store_true", help="also score each document")
    add_digits(parser)
    parser.add_argument(
        "-q",
        "--quiet",
        action="store_true",
        help="print only the F1 in percent of one metric (default: conll);"
        " notes still go to standard error",
    )
    parser.add_argument(
        "--intervals",
        "--ci",
        action="store_true",
        help="show a confidence interval with every score, by resampling documents",
    )
    parser.add_argument(
        "--ceaf-time-limit",
        type=float,
        metavar="SECONDS",
        help="let each CEAF measure look for the best alignment of entities only so long, and show"
        " bounds if that is not enough (default: no limit, all scores are exact)",
    )
    add_format(parser)
    parser.add_argument(
        "--deixis",
        action="store_true",
        help="score the discourse deixis of CoNLL-UA files: the same as --format conllua-deixis"
        " --split-antecedents score",
    )
    add_check_words(parser)
    add_jobs(parser)
    add_memory(parser)
    add_engine(parser)
    add_policy(parser)
    add_resampling(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Score, print notes, print the result."""
    _check(arguments)
    if arguments.deixis:
        _choose_deixis(arguments)
    policy, like = policy_of(arguments)
    metrics = metrics_of(arguments) or (["conll"] if arguments.quiet else None)
    result = scored(arguments, metrics, policy)
    print_notes([*result.notes, *replay_notes(like, result.signature)])
    found = result.intervals(**resampling_of(arguments)) if arguments.intervals else None
    if found and arguments.output == "csv":  # it has no place for them
        print_notes(found.cautions)
    if arguments.quiet:
        (only,) = result.scores.values()
        print(f"{100 * only.f1:.{arguments.digits}f}")
    else:
        shown = result.render(
            arguments.output,
            per_document=arguments.per_document,
            digits=arguments.digits,
            intervals=found,
        )
        print(shown)
    return 0


def _choose_deixis(arguments: argparse.Namespace) -> None:
    """Set the two options that score discourse deixis, or refuse others in their place."""
    for name, value in (("format", "conllua-deixis"), ("split_antecedents", "score")):
        if getattr(arguments, name) not in (None, value):
            flag = f"--{name.replace('_', '-')}"
            raise UsageError(
                f"--deixis stands for {flag} {value}, not {getattr(arguments, name)}",
                f"leave out {flag}, or --deixis",
            )
        setattr(arguments, name, value)


def _check(arguments: argparse.Namespace) -> None:
    check_sides(arguments)
    if arguments.quiet and len(arguments.metrics or []) > 1:
        raise UsageError("-q prints one number, but several metrics are asked for", "use one -m")
    if arguments.intervals and arguments.ceaf_time_limit is not None:
        raise UsageError("--intervals need exact scores, and so no --ceaf-time-limit")
    more = arguments.per_document or arguments.intervals
    if arguments.quiet and (arguments.output != "text" or more):
        raise UsageError(
            "-q prints one number and takes none of --output, --per-document, --intervals"
        )
