"""Write the response of a simple baseline.

The baseline takes the mentions of KEY and groups them by the rule that KIND names:

  all-singletons  every mention is an entity of its own
  one-entity      all mentions of a document are one entity
  string-match    mentions with the same words are one entity
  head-match      mentions with the same head word are one entity

With string-match and head-match, each pronoun is an entity of its own.

Example commands:
  scoref baseline head-match key.conll -o head.conll && scoref score key.conll head.conll
"""

from __future__ import annotations

from scoref.cli import options
from scoref.cli.command import Arguments, Command, Option
from scoref.cli.options import file_keywords
from scoref.cli.output import print_notes

_KINDS = ("all-singletons", "one-entity", "head-match", "string-match")

COMMAND = Command(
    __doc__,
    Option("KIND", f"one of: {', '.join(_KINDS)}", choices=_KINDS),
    options.KEY,
    options.OUT,
    {
        "--to NAME": "format to write (default: the format of KEY, or conll if KEY is -)",
        "--types auto|columns|words = auto": "how to find pronouns: by tag and parse columns"
        " (columns), by an English word list (words), or by the first of these that KEY allows",
    },
    options.FORCE,
    *options.FILE_READING,
)


def run(arguments: Arguments) -> int:
    """Read the key, make the response, write it."""
    from scoref.analysis.baselines import baseline
    from scoref.formats import format_of_file, read

    target = arguments.to or arguments.format or format_of_file(arguments.key)
    key = read(arguments.key, words=True, **file_keywords(arguments))
    print_notes(key.notes)
    response = baseline(arguments.kind, key, arguments.types)
    print_notes(response.write(arguments.out, target, force=arguments.force))
    return 0
