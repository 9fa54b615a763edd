"""`scoref stats FILE...`: what some files are made of."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from scoref.cli.arguments import add_files, add_format, add_output, print_notes

if TYPE_CHECKING:
    from scoref.cli.types import Commands

_DESCRIPTION = """\
Count what files are made of: documents, mentions, entities by size (as in Recasens & Hovy
2011, Table 2), singletons, mentions by length, by type where it can be told, and how they nest
and cross.
"""


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "stats",
        help="count what files are made of",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_files(parser)
    add_output(parser)
    add_format(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print a column per file."""
    from scoref.analysis.statistics import statistics
    from scoref.analysis.views.statistics import StatisticsView
    from scoref.formats import read
    from scoref.linguistics.types import NEEDED, add_types_if_possible

    corpora = [
        read(file, arguments.format, words=NEEDED, encoding=arguments.encoding)
        for file in arguments.files
    ]
    typed = [add_types_if_possible(corpus) for corpus in corpora]
    print_notes(note for corpus in corpora for note in corpus.notes)
    print_notes(note for _, note in typed if note)
    print(StatisticsView([statistics(corpus) for corpus, _ in typed]).render(arguments.output))
    return 0
