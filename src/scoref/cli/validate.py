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
from scoref.cli import options
from scoref.cli.command import Arguments, Command
from scoref.cli.keywords import file_keywords
from scoref.cli.output import print_notes
from scoref.exceptions import ScorefError

COMMAND = Command(__doc__, options.FILES, options.FILE_READING)


def run(arguments: Arguments) -> int:
    """Print the problems of each file, or one line that says that there are none."""
    from scoref.formats import inspect
    from scoref.formats.io.sources import sources
    from scoref.preparation.duplicates_and_singletons import duplicate_problems

    totals: Counter[str] = Counter()
    problems = unreadable = 0
    for file in arguments.files:
        try:
            corpus, found = inspect(file, **file_keywords(arguments))
        except ScorefError as error:
            print(f"scoref: error: {error}", file=sys.stderr)
            unreadable += 1
            continue
        found = sorted([*found, *duplicate_problems(corpus)])
        for problem in found:
            print(f"{problem} (hint: {problem.hint})" if problem.hint else problem)
        print_notes(corpus.notes)
        problems += len(found)
        totals.update(
            file=len(sources(file)),
            document=len(corpus.documents),
            mention=len(corpus),
            entity=corpus.entity_count,
        )
    names = {"file": "files", "document": "documents", "mention": "mentions", "entity": "entities"}
    checked = ", ".join(counted(totals[one], one, many) for one, many in names.items())
    if problems:
        print(f"{checked}: {counted(problems, 'problem')}", file=sys.stderr)
    elif not unreadable:
        print(f"{checked}: no problems")
    return 2 if unreadable else int(problems > 0)
