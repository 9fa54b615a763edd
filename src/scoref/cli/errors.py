"""`scoref errors KEY RESPONSE`: what went wrong, what it costs, and where."""

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
from scoref.exceptions import UsageError

if TYPE_CHECKING:
    from scoref.analysis.errors import Errors
    from scoref.cli.types import Commands

_DESCRIPTION = """\
Say what went wrong: errors by kind (Kummerfeld & Klein 2013), what each kind costs every
measure, the most expensive entities, and how well mentions of each kind were resolved.
"""
_EPILOG = """\
examples:
  scoref errors key.conll response.conll
  scoref errors key.conll response.conll --kind divided --type pronoun --output jsonl
  scoref errors key.conll response.conll --show harbour/ferry | less -R
  scoref errors key.conll response.conll --mode kk2013 --singletons drop
"""
_KINDS = (
    "span",
    "conflated",
    "extra_mention",
    "extra_entity",
    "divided",
    "missing_mention",
    "missing_entity",
)


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "errors",
        help="say what went wrong, what it costs, and where",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_sides(parser)
    parser.add_argument(
        "--mode",
        choices=("strict", "kk2013"),
        default="strict",
        help="strict: repairing every error gives the key (default); kk2013: count as the"
        " analyser of Kummerfeld & Klein does, which leaves some behind",
    )
    parser.add_argument("--kind", choices=_KINDS, help="only errors of this kind")
    parser.add_argument(
        "--type", choices=("name", "nominal", "pronoun"), help="only errors of such mentions"
    )
    parser.add_argument("--document", metavar="NAME", help="only errors of this document")
    parser.add_argument(
        "--show", metavar="NAME", help="print a document's text with its mentions and errors"
    )
    add_metrics(parser)
    parser.add_argument(
        "--by", metavar="NAME", help="the measure that prices entities (default: conll)"
    )
    parser.add_argument(
        "--top", type=_number, default=10, metavar="N", help="entities to list (default: 10)"
    )
    parser.add_argument(
        "--output",
        choices=("text", "json", "jsonl", "csv", "latex", "markdown"),
        default="text",
        help="how to show the result (default: text); jsonl and csv list every error",
    )
    add_format(parser)
    add_check_words(parser)
    add_policy(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Find errors, print notes, print the result."""
    from scoref.analysis.errors import errors
    from scoref.analysis.errors.summary import summarise
    from scoref.analysis.views.errors import ErrorsView
    from scoref.metrics import find_metrics
    from scoref.preparation.needs import needs_of

    _check(arguments)
    policy, like = policy_of(arguments)
    metrics = find_metrics(metrics_of(arguments))
    priced = find_metrics([arguments.by]) if arguments.by else ()
    needs = needs_of([*metrics, *priced])
    found = errors(
        arguments.key,
        arguments.response,
        arguments.mode,
        policy,
        arguments.format,
        needs=needs,
        encoding=arguments.encoding,
        check_words=arguments.check_words,
    )
    print_notes([*found.notes, *replay_notes(like, found.signature)])
    if arguments.show is not None:
        print(_shown(found.where(arguments.kind, arguments.type), arguments.show))
        return 0
    listed = found.where(arguments.kind, arguments.type, arguments.document)
    if arguments.output in ("jsonl", "csv"):
        if shown := ErrorsView(listed).render(arguments.output):
            print(shown)
        return 0
    summary = summarise(listed, metrics, arguments.by, arguments.top)
    print(ErrorsView(summary).render(arguments.output))
    return 0


def _shown(errors: Errors, document: str) -> str:
    import os
    import shutil
    import sys

    from scoref.analysis.views.reader import show

    colour = not os.environ.get("NO_COLOR") and (
        sys.stdout.isatty() or bool(os.environ.get("FORCE_COLOR"))
    )
    return show(errors, document, shutil.get_terminal_size().columns, colour=colour)


def _check(arguments: argparse.Namespace) -> None:
    check_sides(arguments)
    if arguments.show is not None and arguments.output != "text":
        raise UsageError("--show prints text and takes no --output")
    if arguments.show is not None and arguments.document is not None:
        raise UsageError("--show names the document itself and takes no --document")


def _number(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
    return int(text)
