"""List every problem in some files.

Each problem is printed with its file and line. Problems are errors for which `scoref score`
refuses a file, such as brackets that do not match, tokens outside a document, and two documents
with the same name. Mentions that occur in two entities, or twice in one entity, are problems too.

Exit code 0: no problems; 1: problems; 2: a file cannot be read.

Example commands:
  scoref validate key.conll response.conll
  scoref validate corpus/
"""

from __future__ import annotations

import sys
from collections import Counter

from scoref.base.phrases import counted
from scoref.base.visible import visible
from scoref.cli import options
from scoref.cli.command import Arguments, Command
from scoref.cli.keywords import file_keywords
from scoref.cli.output import print_message, print_notes
from scoref.exceptions import Problem, ScorefError

COMMAND = Command(__doc__, options.FILES, options.FILE_READING)


def run(arguments: Arguments) -> int:
    """Print the problems of each file, or one line that says that there are none."""
    from scoref.formats import inspect
    from scoref.formats.io.sources import sources
    from scoref.preparation.duplicates_and_singletons import duplicate_problems
    from scoref.preparation.summary import note_no_links

    totals: Counter[str] = Counter()
    problems: list[Problem] = []
    unreadable = 0
    for file in arguments.files:
        try:
            corpus, found = inspect(file, **file_keywords(arguments))
        except ScorefError as error:
            print_message("error", error.message, error.hint)
            unreadable += 1
            continue
        problems += sorted([*found, *duplicate_problems(corpus)])
        unlinked = note_no_links(len(corpus), corpus.entity_count)
        print_notes([*corpus.notes, *(f"{file} {note}" for note in unlinked)])
        totals.update(
            file=len(sources(file)),
            document=len(corpus.documents),
            mention=len(corpus),
            entity=corpus.entity_count,
        )
    for problem in problems:  # with code 2, standard output has no result, not even a part of it
        shown = f"{problem} (hint: {problem.hint})" if problem.hint else str(problem)
        print(visible(shown), file=sys.stderr if unreadable else sys.stdout)
    names = {"file": "files", "document": "documents", "mention": "mentions", "entity": "entities"}
    checked = ", ".join(counted(totals[one], one, many) for one, many in names.items())
    if problems:
        sys.stdout.flush()  # the problems come first
        print(f"{checked}: {counted(len(problems), 'problem')}", file=sys.stderr)
    elif not unreadable:
        print(f"{checked}: no problems")
    return 2 if unreadable else int(bool(problems))
