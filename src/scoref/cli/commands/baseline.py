"""Write the response of a simple baseline.

The baseline takes the mentions of KEY and groups them by the rule that KIND names:

  all-singletons  every mention is an entity of its own
  one-entity      all mentions of a document are one entity
  string-match    mentions with the same words are one entity
  head-match      mentions with the same head word are one entity
  lemma           mentions with the same head lemma are one entity, across documents

With string-match and head-match, each pronoun is an entity of its own.

Example commands:
  scoref baseline head-match key.conll -o head.conll && scoref score key.conll head.conll
  scoref baseline lemma key.csv -o lemma.csv --unit topic
"""

from __future__ import annotations

from scoref.cli import options
from scoref.cli.command import Arguments, Command, Option
from scoref.cli.options import file_keywords
from scoref.cli.output import print_notes
from scoref.exceptions import UsageError

_KINDS = ("all-singletons", "one-entity", "head-match", "string-match", "lemma")

COMMAND = Command(
    __doc__,
    Option("KIND", f"one of: {', '.join(_KINDS)}", choices=_KINDS),
    options.KEY,
    options.OUT,
    {
        "--to NAME": "format to write (default: the format of KEY if it can be written, otherwise"
        " by the ending of OUT; conll if KEY is -)",
        "--types auto|columns|words = auto": "how to find pronouns: by tag and parse columns"
        " (columns), by an English word list (words), or by the first of these that KEY allows",
    },
    {
        "--unit NAME": "with lemma: document, corpus, topic or column=N, which entities do not"
        " cross (default: corpus)",
    },
    options.FORCE,
    *options.FILE_READING,
)


def run(arguments: Arguments) -> int:
    """Read the key, make the response, write it."""
    from scoref.analysis.baselines import baseline
    from scoref.corpus.text import COLUMNS
    from scoref.formats import find_format, format_of_file, format_of_name, read
    from scoref.matching.requirements import unit_columns
    from scoref.policy import Policy

    target = arguments.to or arguments.format or format_of_file(arguments.key)
    if not arguments.to and target and find_format(target).write is None:
        target = format_of_name(arguments.out)
    unit = arguments.unit or "corpus"
    if arguments.unit and arguments.kind != "lemma":
        raise UsageError(f"--unit is not available with {arguments.kind}", "leave --unit out")
    columns = [*COLUMNS, *unit_columns(Policy(unit=unit).unit)]
    key = read(arguments.key, words=columns, **file_keywords(arguments))
    print_notes(key.notes)
    response = baseline(arguments.kind, key, arguments.types, unit)
    print_notes(response.write(arguments.out, target, force=arguments.force))
    return 0
