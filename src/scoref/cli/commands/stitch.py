"""Join the predictions of chunks of long texts to one document per text.

WORDS is a file with the words of the whole texts in any format, such as the key; its entities are
not read. Each document of CHUNK is a chunk: its name says where it starts, as emma_split1500_S17
(sentence 17 of emma, counted from 0), or its words are searched for. Chunks can overlap. If words
of a chunk differ, as after another tokenisation, its words are aligned with those of the text; a
chunk of which less than 80 % of the words are in the text is refused.

Types, heads and other attributes of mentions and entities are kept if all chunks state them.

Entities that share mentions in an overlap are joined. Without overlap, --join names joins entities
that have a mention with the same proper name. Notes say what was joined, what was not, and what
conflicts.

Example commands:
  scoref stitch key.jsonl chunks.jsonl -o book.jsonl
  scoref stitch key.conll chunks/*.conll -o book.conll --overlap best
  scoref stitch key.jsonl chunks.jsonl -o book.jsonl --join names
  scoref stitch key.jsonl chunks.jsonl -o book.jsonl --names names.csv
"""

from __future__ import annotations

from scoref.cli import options
from scoref.cli.command import Arguments, Command, Option
from scoref.cli.options import file_keywords
from scoref.cli.output import print_notes

COMMAND = Command(
    __doc__,
    Option("WORDS", "words of the whole texts: a file, a directory, or -"),
    Option("CHUNK...", "predictions of chunks: a file, a directory, or -", dest="chunks"),
    options.OUT,
    {
        "--to NAME": "format to write (default: by the name of OUT, such as .conll or .jsonl)",
        "--overlap union|best = union": "join all entities that share a mention (union), or those"
        " of the best one-to-one assignment between two chunks (best)",
        "--join none|names|ids = none": "also join entities that have a mention with the same"
        " proper name (names): a string that starts with a capital, but no pronoun, and no single"
        " word at the start of a sentence; or entities with the same id (ids)",
        "--names TABLE": "join by these names only: a line per entity, with its names separated by"
        " commas",
    },
    options.FORCE,
    {"--format NAME": "format of CHUNK (default: detected from the content)"},
    options.FILE_READING[1],
)


def run(arguments: Arguments) -> int:
    """Stitch, write the corpus, print the notes."""
    import scoref
    from scoref.formats import format_of_name

    target = arguments.to or format_of_name(arguments.out)
    whole = scoref.stitch(
        arguments.words,
        arguments.chunks,
        overlap=arguments.overlap,
        join=arguments.join,
        names=arguments.names,
        **file_keywords(arguments),
    )
    notes = whole.write(arguments.out, target, force=arguments.force)
    print_notes([*whole.notes, *notes])
    return 0
