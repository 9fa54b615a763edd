"""`scoref report KEY RESPONSE... -o report.html`: one file to open, to send and to print."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from scoref.cli.arguments import add_check_words, add_format, add_metrics, metrics_of, print_notes
from scoref.cli.policies import add_policy, policy_of, replay_notes
from scoref.cli.systems import split_key
from scoref.exceptions import UsageError

if TYPE_CHECKING:
    from scoref.cli.types import Commands

_DESCRIPTION = """\
Write a report on one or several systems as one HTML file that needs no server and no network:
scores with intervals, systems compared, what went wrong and what it costs, and every document
with the entities of both sides.

The words of the documents are written only with --with-text: corpora are often licensed.
"""
_EPILOG = """\
examples:
  scoref report key.conll response.conll -o report.html
  scoref report key.conll base=old.conll ours=new.conll -o report.html --with-text
  scoref report key.conll response.conll -o report.html --figures figures/
"""


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "report",
        help="write a report as one HTML file",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage="scoref report [options] KEY RESPONSE... -o FILE",
    )
    parser.add_argument(
        "files", nargs="+", metavar="KEY RESPONSE", help="the reference, then the systems"
    )
    parser.add_argument("-o", metavar="FILE", dest="path", required=True, help="the file to write")
    parser.add_argument(
        "--with-text", action="store_true", help="put the words of the documents into the file"
    )
    parser.add_argument(
        "--budget",
        type=_megabytes,
        default=8.0,
        metavar="MB",
        help="how much the documents may take; the worst come first (default: 8)",
    )
    parser.add_argument(
        "--figures", metavar="DIR", help="also write the figures as SVG and PNG for a paper"
    )
    add_metrics(parser)
    add_format(parser)
    add_check_words(parser)
    add_policy(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Read, analyse, write, and say where."""
    from scoref.counts.counts_file import is_counts_file
    from scoref.report import report

    key, systems = split_key(arguments.files)
    counts = [path for path in systems.values() if is_counts_file(path)]
    if key is None or counts:
        raise UsageError(
            f"{counts[0]} is a counts file, which has no mentions to report on",
            "name the response itself",
        )
    policy, like = policy_of(arguments)
    made = report(
        key,
        systems,
        metrics_of(arguments),
        policy,
        arguments.format,
        encoding=arguments.encoding,
        check_words=arguments.check_words,
    )
    print_notes([*made.content.notes, *replay_notes(like, made.content.comparison.signature)])
    if arguments.with_text and not made.content.has_words:
        print_notes(["the files have no words, so there are none in the report"])
    made.write(arguments.path, with_text=arguments.with_text, budget=int(arguments.budget * 1e6))
    if arguments.figures:
        for path in made.draw(arguments.figures):
            print(path)
    print(arguments.path)
    return 0


def _megabytes(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 2000:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of megabytes from 0 to 2000")
    return value
