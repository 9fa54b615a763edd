"""`scoref convert IN OUT`: any format into any that can hold it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from scoref.cli.arguments import add_format, print_notes

if TYPE_CHECKING:
    from scoref.cli.types import Commands

_DESCRIPTION = """\
Read a file or a directory, and write it in another format. Mentions and entities are kept, or
the conversion is refused; words and what else the other format cannot hold are named.
"""
_EPILOG = """\
examples:
  scoref convert key.conll key.jsonl --to jsonl
  scoref convert key.conllu key.conll
  scoref convert annotations/ all.jsonl --to jsonl

Without --to, the name of OUT says the format: .conll, .conllu, .jsonl and so on. Read and
written are conll, corefud, jsonl, csv, tsv, parquet, clusters, conllua and brat; read only are
apf, booknlp, corenlp, webanno and spacy.
"""


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "convert",
        help="turn a file into another format",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("source", metavar="IN", help="a file, a directory, or -")
    parser.add_argument("out", metavar="OUT", help="the file to write")
    parser.add_argument("--to", metavar="NAME", help="the format to write")
    parser.add_argument(
        "--predicted",
        action="store_true",
        help="take the predicted entities of a file that has gold ones too",
    )
    add_format(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Read, name what will be lost, write."""
    from scoref.formats import format_of_name, read, unsupported, write

    target = arguments.to or format_of_name(arguments.out)
    corpus = read(
        arguments.source,
        arguments.format,
        words=True,
        predicted=arguments.predicted,
        encoding=arguments.encoding,
    )
    write(corpus, arguments.out, target)
    print_notes(corpus.notes)
    if left_out := unsupported(corpus, target):
        print_notes([f"{target} does not support: {', '.join(left_out)}"])
    return 0
