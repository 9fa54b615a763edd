"""Count the documents, mentions and entities of files.

Entities are counted by size (as in Recasens & Hovy 2011, Table 2), mentions by length and by
type. Singletons and mentions that nest or cross are counted too. Mention types are shown if the
file states them or if they can be inferred from its words.

Example commands:
  scoref stats key.conll
  scoref stats train/ dev/ test/ -o table.tex
"""

from __future__ import annotations

from scoref.cli import options
from scoref.cli.command import Arguments, Command
from scoref.cli.options import file_keywords
from scoref.cli.output import print_notes

COMMAND = Command(__doc__, options.FILES, options.OUTPUT, *options.FILE_READING)


def run(arguments: Arguments) -> int:
    """Print a column per file."""
    from scoref.analysis.statistics import statistics
    from scoref.formats import read
    from scoref.linguistics.types import NEEDED, add_types_if_possible
    from scoref.views.statistics import StatisticsView

    keywords = file_keywords(arguments)
    corpora = [read(file, words=NEEDED, **keywords) for file in arguments.files]
    typed = [add_types_if_possible(corpus) for corpus in corpora]
    print_notes(note for corpus in corpora for note in corpus.notes)
    print_notes(note for _, note in typed if note)
    print(StatisticsView([statistics(corpus) for corpus, _ in typed]).render(arguments.to))
    return 0
