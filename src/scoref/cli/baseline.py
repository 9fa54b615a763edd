"""`scoref baseline KIND KEY -o OUT`: the response of a baseline, to compare systems with."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from scoref.cli.arguments import add_format, print_notes

if TYPE_CHECKING:
    from scoref.cli.types import Commands

KINDS = ("all-singletons", "one-entity", "head-match", "string-match")
_DESCRIPTION = """\
Write the response of a baseline: the mentions of KEY, each alone (all-singletons), together
(one-entity), by equal words (string-match) or by equal head words (head-match). Pronouns stay
alone where words decide.
"""
_EPILOG = """\
example:
  scoref baseline head-match key.conll -o head.conll && scoref score key.conll head.conll
"""


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "baseline",
        help="write the response of a baseline",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("kind", choices=KINDS, metavar="KIND", help=f"one of: {', '.join(KINDS)}")
    parser.add_argument("key", metavar="KEY", help="the reference annotation")
    parser.add_argument("-o", "--out", required=True, metavar="OUT", help="the file to write")
    parser.add_argument(
        "--to", metavar="NAME", help="the format to write (default: that of KEY, conll from -)"
    )
    parser.add_argument(
        "--types",
        choices=("auto", "columns", "words"),
        default="auto",
        help="how pronouns are told: by tag and parse columns, or by English words"
        " (default: auto, the first that the key has)",
    )
    add_format(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Read the key, make the response, write it."""
    from scoref.analysis.baselines import baseline
    from scoref.formats import format_of_file, read

    target = arguments.to or arguments.format or format_of_file(arguments.key)
    key = read(arguments.key, arguments.format, words=True, encoding=arguments.encoding)
    print_notes(key.notes)
    baseline(arguments.kind, key, arguments.types).write(arguments.out, target)
    return 0
