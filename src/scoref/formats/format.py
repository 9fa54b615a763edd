"""What a format is: how to tell a file of it, how to read it, how to write it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import BinaryIO

from scoref.corpus.corpus import Corpus
from scoref.exceptions import Problem
from scoref.formats.io.lines import Stream

IF_CHEAP = "word if it is cheap"
"""Asks for the words of files whose readers see them anyway, and for the first ones of others."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a caller wants of a file besides its mentions and entities.

    `columns` of its text are read as far as they are named. Of a file that has both gold and
    predicted entities, the `predicted` ones are read if that is asked for. A `glimpse` is its
    first words.
    """

    columns: frozenset[str] = field(default_factory=frozenset)
    predicted: bool = False
    glimpse: bool = False

    def of(self, format: Format) -> Wanted:  # noqa: A002
        """Return what is wanted of a file of some format."""
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
    """A format by its name.

    `recognise` tells a file by its first bytes, never by its name. `read` takes a stream and
    its path, and returns a corpus and all that is wrong with the file; with problems, the
    corpus need not be whole. `keeps` names what it can hold besides mentions and entities:
    columns of a text, attributes of mentions and entities. `beside` makes the files, by suffix,
    that belong beside a written one. A format `sees_words` if its reader has them in hand
    whatever is wanted, so that they cost next to nothing.
    """

    name: str
    title: str
    recognise: Callable[[bytes], bool]
    read: Read
    write: Write | None = None
    suffix: str = ""
    keeps: frozenset[str] = frozenset()
    beside: Callable[[Corpus], Mapping[str, bytes]] | None = None
    sees_words: bool = False
