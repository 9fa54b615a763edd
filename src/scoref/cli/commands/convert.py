"""Convert a file to another format.

Mentions and entities are always kept: if the other format cannot hold them, the conversion is
refused. What is written is read back: if anything is lost that changes a score, a note says what is
lost and which scores change. Names that the other format cannot hold are changed, with a note. A
note lists everything else that the other format does not support.

Formats that can be read and written: conll, corefud, jsonl, csv, tsv, parquet, clusters, conllua,
brat. Formats that can only be read: apf, ecbplus, booknlp, corenlp, mentionlist, webanno,
spacy.

Markups that can be written, as prompts for language models and as targets to train them on:
crac, crac-json, markdown, brackets, brackets-underscore, brackets-colon, xml, quotes,
quotes-context. If OUT is a directory (`prompts/`), each document becomes a file; if it ends in
.jsonl, each line has `doc_id`, `prompt` and `completion`; otherwise, each line is a document.

Example commands:
  scoref convert key.conllu -o key.conll
  scoref convert annotations/ -o all.jsonl
  scoref convert key.conll --to csv | head
  scoref convert key.conll -o test.conll --blind --words-only
  scoref convert key.conllu -o prompts/ --to crac --blind
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from scoref.cli import options
from scoref.cli.command import Arguments, Command, Option
from scoref.cli.options import file_keywords
from scoref.cli.output import print_file, print_notes
from scoref.exceptions import UsageError

if TYPE_CHECKING:
    from scoref.corpus.corpus import Corpus

COMMAND = Command(
    __doc__,
    Option("IN", "a file, a directory, or -", dest="source"),
    {
        "-o, --out OUT": "file to write (default: standard output, with --to)",
        "--to NAME": "format to write (default: by the name of OUT, such as .conll, .conllu or"
        " .jsonl)",
        "--blind": "write the text without mentions, to hand out a test set or as prompts",
        "--words-only": "with --blind, also leave out tags, parses, lemmas, speakers and named"
        " entities",
        "--predicted": "read the predicted entities if a file has annotated entities too",
    },
    options.FORCE,
    *options.FILE_READING,
)


def run(arguments: Arguments) -> int:
    """Read, write, and list what the other format does not support."""
    from scoref.formats import format_of_name, read
    from scoref.formats.corpus_writer import encode, unsupported_notes, write
    from scoref.llm.markups import is_markup

    if arguments.words_only and not arguments.blind:
        raise UsageError("--words-only requires --blind", "add --blind")
    if arguments.to and is_markup(arguments.to):
        return _write_markup(arguments)
    if not (arguments.to or arguments.out):
        raise UsageError(
            "standard output has no name that states a format", "name the format with --to"
        )
    target = arguments.to or format_of_name(arguments.out)
    words = {"word"} if arguments.words_only else True
    keywords = {"predicted": arguments.predicted, **file_keywords(arguments)}
    corpus = read(arguments.source, words=words, **keywords)
    if arguments.blind:
        corpus = _without_annotation(corpus, target)
    if arguments.out:
        notes = write(corpus, arguments.out, target, force=arguments.force)
    else:
        content, notes = encode(corpus, target)
        print_file(content)
    print_notes([*corpus.notes, *notes, *unsupported_notes(corpus, target)])
    return 0


def _without_annotation(corpus: Corpus, target: str) -> Corpus:
    """Return the words of a corpus, and nothing that says which mentions it has."""
    from scoref.corpus.corpus import Corpus
    from scoref.formats.corpus_writer import unsupported

    text = Corpus.without_mentions(corpus.documents, corpus.source)
    text = replace(text, text=corpus.text, characters=corpus.characters)
    if corpus.text is None and not corpus.characters:
        raise UsageError(f"{corpus.source} has no words, which --blind writes", "use another file")
    if "word" in unsupported(text, target):
        hint = "name a format with words, such as --to conll, --to corefud or --to jsonl"
        raise UsageError(f"{target} does not support words, which --blind writes", hint)
    return text


def _write_markup(arguments: Arguments) -> int:
    """Write prompts or targets for a language model."""
    from scoref.formats import read
    from scoref.llm.prompts import write_markup

    if not arguments.out:
        raise UsageError("a markup cannot go to standard output", "name a file or a directory")
    columns = {"words": {"word"}, "predicted": arguments.predicted}
    corpus = read(arguments.source, **columns, **file_keywords(arguments))
    notes = write_markup(corpus, arguments.out, arguments.to, blind=arguments.blind)
    print_notes([*corpus.notes, *notes])
    return 0
