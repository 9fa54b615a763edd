"""`scoref validate FILE...`: everything that is wrong with some files, a line each."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from scoref.base.phrases import counted
from scoref.cli.arguments import add_files, add_format, print_notes
from scoref.exceptions import ScorefError

if TYPE_CHECKING:
    from scoref.cli.types import Commands

_DESCRIPTION = """\
Check files, and print every problem with its file and line.

Problems are what `scoref score` refuses (brackets that do not match, tokens outside a
document, two documents of one name) and mentions that stand in two entities or twice.
Exit code 0: no problem, 1: problems, 2: a file that cannot be read.
"""


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "validate",
        help="list everything that is wrong with some files",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_files(parser)
    add_format(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the problems of each file, or one line that says there are none."""
    from scoref.formats import inspect
    from scoref.preparation.duplicates_and_singletons import duplicate_problems

    problems = documents = mentions = entities = unread = 0
    for file in arguments.files:
        try:
            corpus, found = inspect(file, arguments.format, encoding=arguments.encoding)
        except ScorefError as error:
            print(f"scoref: error: {error}", file=sys.stderr)
            unread += 1
            continue
        found = sorted([*found, *duplicate_problems(corpus)])
        for problem in found:
            print(f"{problem} (hint: {problem.hint})" if problem.hint else problem)
        print_notes(corpus.notes)
        problems += len(found)
        documents += len(corpus.documents)
        mentions += len(corpus)
        entities += corpus.entity_count
    read = ", ".join(
        [
            counted(len(arguments.files) - unread, "file"),
            counted(documents, "document"),
            counted(mentions, "mention"),
            counted(entities, "entity", "entities"),
        ]
    )
    if problems:
        print(f"{read}: {counted(problems, 'problem')}", file=sys.stderr)
    elif not unread:
        print(f"{read}: no problems")
    return 2 if unread else int(problems > 0)
