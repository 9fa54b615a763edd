"""What a format is: how a file of it is recognised, read and written.

A package adds a format without a change in scoref: it builds a `Format`, and declares it in the
entry-point group `scoref.formats`. The name of the entry point is the name of the format. Files are
then detected by their content, if no built-in format recognises them, or read with `--format`. The
manual page `docs/guides/write-a-format.md` has a complete example, `span_lines.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from scoref.corpus.corpus import Corpus
from scoref.exceptions import Problem
from scoref.formats.io.lines import Stream
from scoref.formats.io.problems import Problems
from scoref.formats.io.text import control_character_problem, inner_return, read_text

if TYPE_CHECKING:
    from scoref.formats.written_names import WrittenNames  # only writing needs it

IF_CHEAP = "word if it is cheap"
"""Asks for the words if the reader sees them anyway, and otherwise for the first words."""


class Wanted(NamedTuple):
    """What a caller asks for from a file, in addition to mentions and entities.

    * `columns`: The columns of the text to read, such as `word`, `pos` or `speaker`.
    * `predicted`: Whether to read the predicted entities of a file that also has annotated
      entities.
    * `glimpse`: Whether to read the first words of each document.
    * `repair`: The repair of broken files, as in `Policy.repair`.
    * `strict`: Whether to note what may be missing from a file, as `scoref validate` does.
    """

    columns: frozenset[str] = frozenset()
    predicted: bool = False
    glimpse: bool = False
    repair: str = "none"
    strict: bool = False

    def of(self, format: Format) -> Wanted:  # noqa: A002
        """Return what is wanted from a file of a format, with `IF_CHEAP` decided."""
        if IF_CHEAP not in self.columns:
            return self
        columns = self.columns - {IF_CHEAP}
        if format.sees_words:
            return self._replace(columns=columns | {"word"})
        return self._replace(columns=columns, glimpse="word" not in columns)


Read = Callable[[Stream, str, Wanted], tuple[Corpus, list[Problem]]]
Write = Callable[[Corpus, BinaryIO], None]
Parse = Callable[[str, Wanted, Problems], Corpus]
"""Parses a text to a corpus; what is wrong with the text is added to the problems."""


@dataclass(frozen=True, slots=True)
class Format:
    """A file format.

    * `name`: The name for `--format` and `scoref.read(path, format=...)`.
    * `title`: A few words that describe the format in messages.
    * `recognise`: Whether a file is of this format, by its first 64 KB, never by its name. Any true
      value means yes, such as the result of a `match`.
    * `read`: Reads a stream, with the path for messages, and what the caller asks for. Returns a
      corpus and all problems of the file; with problems, the corpus can be empty.
    * `write`: Writes a corpus to a stream; None if the format is only read.
    * `suffix`: How the names of files of this format end, for `scoref convert IN -o OUT`.
    * `supports`: What the format holds in addition to mentions and entities: columns of the text,
      and attributes of mentions and entities. `scoref convert` reports all others.
    * `companions`: Makes the files that belong next to a written file: a function for each suffix.
      It returns None if a corpus has nothing for this file.
    * `sees_words`: Whether the reader has the words at hand in any case, at almost no cost.
    * `names`: Which names the format can hold. Others are renamed before `write` is called; without
      `names`, `write` must write every string so that `read` reads it back, or refuse it.
    """

    name: str
    title: str
    recognise: Callable[[bytes], object]
    read: Read
    write: Write | None = None
    suffix: str = ""
    supports: frozenset[str] = frozenset()
    companions: Mapping[str, Callable[[Corpus], bytes | None]] = field(default_factory=dict)
    sees_words: bool = False
    names: WrittenNames | None = None

    def extra_paths(self, path: str | PathLike[str]) -> dict[str, Path]:
        """Return the files, by suffix, that writing a file may write in addition to it."""
        return {suffix: Path(path).with_suffix(suffix) for suffix in self.companions}


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
        corpus = Corpus.without_mentions((), path) if problems else parse(text, wanted, problems)
        return (Corpus.without_mentions((), path) if problems else corpus), problems

    return read
