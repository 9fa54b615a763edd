"""Align what a language model wrote with the words of its source.

SOURCE is a file with words in any format, such as the key, or a file without entities. GENERATED is
a text file, a directory of text files, or JSON (lines) with a field such as `completion`. Its
documents are paired with those of SOURCE by name, by order or by content; a note says how.

The markup is detected from the content. Models alter, drop, insert and move words, and forget tags:
mentions are placed on the words of SOURCE nevertheless, and the fidelity is printed.

Markups: crac (CRAC plaintext), crac-json, markdown ([Ann](#1)), brackets ([Ann]#1, [Ann]_1,
[Ann: 1], ...), xml (<m id="1">Ann</m>, <e1>Ann</e1>, ...), quotes (lists of mentions in JSON),
pronouns (she -> Ann), pattern=REGEX, function=MODULE:NAME.

Example commands:
  scoref align key.conllu generated.txt -o response.conllu
  scoref align key.conll completions.jsonl -o response.conll --markup crac --fidelity fidelity.json
  scoref align key.conll texts/ -o response.jsonl --to jsonl --unclosed-tags close-at-sentence
  scoref score key.conllu generated.txt --markup auto
"""

from __future__ import annotations

from scoref.cli import options
from scoref.cli.command import Arguments, Command, Option
from scoref.cli.options import file_keywords
from scoref.cli.output import format_by_ending, print_notes, write_text

COMMAND = Command(
    __doc__,
    Option("SOURCE", "text that the model was given: a file with words, a directory, or -"),
    Option("GENERATED", "what the model wrote: a file, a directory, or -"),
    options.OUT,
    {
        "--to NAME": "format to write (default: by the name of OUT, such as .conll or .conllu)",
        "--markup NAME = auto": "markup of GENERATED",
        "--unclosed-tags drop|close-at-sentence|close-at-end = drop": "a mention that is never"
        " closed: drop it, or close it at the end of its sentence or of the text",
        "--changes": "also list every altered, dropped and inserted word",
        "--fidelity FILE": "also write the fidelity, as .json or .txt",
    },
    options.FORCE,
    *options.FILE_READING,
)


def run(arguments: Arguments) -> int:
    """Align, write the corpus, print the fidelity."""
    import scoref
    from scoref.formats import format_of_name
    from scoref.views.llm_alignment import render_json, render_text

    if arguments.fidelity:
        kind = format_by_ending(
            "--fidelity", arguments.fidelity, ("text", "json"), "rename the file"
        )
    target = arguments.to or format_of_name(arguments.out)
    found = scoref.align(
        arguments.source,
        arguments.generated,
        arguments.markup,
        arguments.unclosed_tags,
        **file_keywords(arguments),
    )
    notes = found.write(arguments.out, target, force=arguments.force)
    print_notes([*found.notes, *notes])
    print(render_text(found, changes=arguments.changes))
    if arguments.fidelity:
        render = {"text": render_text, "json": render_json}[kind]
        write_text(arguments.fidelity, render(found, changes=arguments.changes) + "\n")
    return 0
