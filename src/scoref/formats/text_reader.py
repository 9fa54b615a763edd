"""Readers of formats that are parsed as one text."""

from __future__ import annotations

from collections.abc import Callable

from scoref.corpus.builder import CorpusBuilder
from scoref.corpus.corpus import Corpus
from scoref.exceptions import Problem
from scoref.formats.format import Read, Wanted
from scoref.formats.io.lines import Stream
from scoref.formats.io.problems import Problems
from scoref.formats.io.text import control_character_problem, inner_return, read_text

Parse = Callable[[str, Wanted, Problems], Corpus]
"""Parses a text to a corpus; what is wrong with the text is added to the problems."""


def text_reader(parse: Parse, *, by_lines: bool = False) -> Read:
    """Return the reader of a format whose files are parsed as one text.

    The reader decodes a file as UTF-8. A file with problems gives an empty corpus. With `by_lines`,
    a carriage return can only be part of a line end.
    """

    def read(stream: Stream, path: str, wanted: Wanted) -> tuple[Corpus, list[Problem]]:
        text, found = read_text(stream, path)
        problems = Problems(path, found)
        if by_lines and "\r" in text and (at := inner_return(text.encode())) is not None:
            line = text.encode().count(b"\n", 0, at) + 1
            problems.append(control_character_problem(path, line, ord("\r")))
        corpus = CorpusBuilder(path).corpus() if problems else parse(text, wanted, problems)
        return (CorpusBuilder(path).corpus() if problems else corpus), problems

    return read
