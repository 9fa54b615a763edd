"""`scoref explain KEY RESPONSE`: how scores come about, term by term, in exact fractions."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from scoref.cli.arguments import (
    add_check_words,
    add_format,
    add_metrics,
    add_sides,
    check_sides,
    metrics_of,
    print_notes,
)
from scoref.cli.policies import add_policy, policy_of, replay_notes
from scoref.explanation.views import OUTPUTS

if TYPE_CHECKING:
    from scoref.cli.types import Commands

_DESCRIPTION = """\
Walk through the computation of measures on one document, as on a blackboard: the entities
of both sides, what they share, each term as an exact fraction, the sums, and recall,
precision and F1. Without --document it is the first document that has mentions, and the
sums over all documents follow.
"""
_EPILOG = """\
examples:
  scoref explain key.conll response.conll -m b3
  scoref explain key.conll response.conll -m muc -m 'blanc(alpha=0.2)' --document wsj_0001
  scoref explain key.conll response.conll -m ceafe --limit 0 --output latex > ceafe.tex
"""


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "explain",
        help="walk through the computation of measures on a document",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_sides(parser)
    add_metrics(parser)
    parser.add_argument("--document", metavar="NAME", help="the document to explain")
    parser.add_argument(
        "--limit",
        type=_limit,
        default=10,
        metavar="N",
        help="show the N largest terms of each table, and the exact sum of the others;"
        " 0 shows all (default: 10)",
    )
    parser.add_argument(
        "--no-words",
        dest="words",
        action="store_false",
        help="show mentions by the positions of their tokens alone, for texts that must not be"
        " passed on",
    )
    parser.add_argument(
        "--output", choices=OUTPUTS, default="text", help="how to show it (default: text)"
    )
    add_format(parser)
    add_check_words(parser)
    add_policy(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print notes, then the walk-through."""
    import scoref

    check_sides(arguments)
    policy, like = policy_of(arguments)
    explanation = scoref.explain(
        arguments.key,
        arguments.response,
        metrics_of(arguments),
        policy,
        arguments.document,
        arguments.format,
        encoding=arguments.encoding,
        check_words=arguments.check_words,
        limit=arguments.limit,
        words=arguments.words,
    )
    print_notes([*explanation.notes, *replay_notes(like, explanation.signature)])
    print(explanation.render(arguments.output))
    return 0


def _limit(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 on")
    return int(text)
