"""Convert a file to another format.

Mentions and entities are always kept: if the other format cannot hold them, the conversion is
refused. Names that the other format cannot hold are changed, with a note. A note lists everything
else that the other format does not support.

Formats that can be read and written: conll, corefud, jsonl, csv, tsv, parquet, clusters, conllua,
brat. Formats that can only be read: apf, booknlp, corenlp, webanno, spacy.

Example commands:
  scoref convert key.conll key.jsonl --to jsonl
  scoref convert key.conllu key.conll
  scoref convert annotations/ all.jsonl --to jsonl
"""

from __future__ import annotations

from scoref.cli import options
from scoref.cli.command import Arguments, Command, Option
from scoref.cli.keywords import file_keywords
from scoref.cli.output import print_notes

COMMAND = Command(
    __doc__,
    Option("IN", "a file, a directory, or -", dest="source"),
    Option("OUT", "file to write"),
    {
        "--to NAME": "format to write (default: by the name of OUT, such as .conll, .conllu or"
        " .jsonl)",
        "--predicted": "read the predicted entities of a file that has gold and predicted entities",
    },
    options.FORCE,
    options.FILE_READING,
)


def run(arguments: Arguments) -> int:
    """Read, write, and list what the other format does not support."""
    from scoref.formats import format_of_name, read, unsupported, write

    target = arguments.to or format_of_name(arguments.out)
    corpus = read(
        arguments.source, words=True, predicted=arguments.predicted, **file_keywords(arguments)
    )
    notes = write(corpus, arguments.out, target, force=arguments.force)
    print_notes([*corpus.notes, *notes])
    if left_out := unsupported(corpus, target):
        print_notes([f"{target} does not support: {', '.join(left_out)}"])
    return 0
