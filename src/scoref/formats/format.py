r'''What a format is: how a file of it is recognised, read and written.

A package adds a format without a change in scoref: it builds a `Format`, and declares it as an
entry point. This module, `span_lines.py`, is a complete example::

    """Lines such as `ferry 0-1 anna`, after a first line `%spans`: document, span, entity."""

    import re

    from scoref import CorpusBuilder, Format
    from scoref.formats.text_reader import text_reader

    LINE = re.compile(r"(\S+) (\d+)-(\d+) (\S+)")

    def parse(text, wanted, problems):
        builder = CorpusBuilder(problems.path)
        documents = {}
        for number, line in enumerate(text.splitlines()[1:], 2):
            found = LINE.fullmatch(line)
            if found is None:
                expected = "a document, a span and an entity, such as `ferry 0-1 anna`"
                problems.add(number, f"`{line[:40]}`", expected, "remove the line")
                continue
            name, start, end, entity = found.groups()
            if name not in documents:
                documents[name] = builder.document(name, line=number)
            span = int(start), int(end)
            entity = builder.entity(documents[name], entity)
            builder.mention(documents[name], span, entity, number)
        return builder.corpus()

    def write(corpus, stream):
        stream.write(b"%spans\n")
        for row in range(len(corpus)):
            document = corpus.documents[corpus.document[row]].name
            entity = corpus.entity_names[corpus.entity[row]]
            span = f"{corpus.start[row]}-{corpus.end[row]}"
            stream.write(f"{document} {span} {entity}\n".encode())

    SPAN_LINES = Format(
        name="span-lines",
        title="lines of spans",
        recognise=lambda head: head.startswith(b"%spans"),
        read=text_reader(parse),
        write=write,
        suffix=".spans",
    )

The package declares it in its `pyproject.toml`::

    [project.entry-points."scoref.formats"]
    span-lines = "span_lines:SPAN_LINES"

The name of the entry point is the name of the format. Files are then detected by their content, if
no built-in format recognises them, or read with `--format span-lines`.
'''

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import BinaryIO

from scoref.corpus.corpus import Corpus
from scoref.exceptions import Problem
from scoref.formats.io.lines import Stream

IF_CHEAP = "word if it is cheap"
"""Asks for the words if the reader sees them anyway, and otherwise for the first words."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a caller wants from a file, in addition to mentions and entities.

    * `columns`: The columns of the text to read, such as `word`, `pos` or `speaker`.
    * `predicted`: Whether to read the predicted entities of a file that also has gold ones.
    * `glimpse`: Whether to read the first words of each document.
    """

    columns: frozenset[str] = field(default_factory=frozenset)
    predicted: bool = False
    glimpse: bool = False

    def of(self, format: Format) -> Wanted:  # noqa: A002
        """Return what is wanted from a file of a format, with `IF_CHEAP` decided."""
        if IF_CHEAP not in self.columns:
            return self
        columns = self.columns - {IF_CHEAP}
        if format.sees_words:
            return replace(self, columns=columns | {"word"})
        return replace(self, columns=columns, glimpse="word" not in columns)


Read = Callable[[Stream, str, Wanted], tuple[Corpus, list[Problem]]]
Write = Callable[[Corpus, BinaryIO], None]


@dataclass(frozen=True, slots=True)
class Format:
    """A file format.

    * `name`: The name for `--format` and `scoref.read(path, format=...)`.
    * `title`: A few words that describe the format in messages.
    * `recognise`: Whether a file is of this format, by its first 64 KB, never by its name.
    * `read`: Reads a stream, with the path for messages, and what the caller wants. Returns a
      corpus and all problems of the file; with problems, the corpus can be empty.
    * `write`: Writes a corpus to a stream; None if the format is only read.
    * `suffix`: How the names of files of this format end, for `scoref convert IN OUT`.
    * `supports`: What the format holds in addition to mentions and entities: columns of the text,
      and attributes of mentions and entities. `scoref convert` reports all others.
    * `companions`: Makes the files, by suffix, that belong next to a written file.
    * `sees_words`: Whether the reader has the words at hand in any case, at almost no cost.
    """

    name: str
    title: str
    recognise: Callable[[bytes], bool]
    read: Read
    write: Write | None = None
    suffix: str = ""
    supports: frozenset[str] = frozenset()
    companions: Callable[[Corpus], Mapping[str, bytes]] | None = None
    sees_words: bool = False
