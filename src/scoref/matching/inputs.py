"""Inputs: what a user can pass as a key or a response, and how it becomes a corpus."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from os import PathLike
from typing import IO, Any, NamedTuple, Protocol, TypeVar

from scoref.corpus.corpus import Corpus
from scoref.exceptions import FormatError, ScorefError, UsageError
from scoref.formats.corpus_reader import read
from scoref.formats.io.problems import NONE
from scoref.formats.io.sources import STANDARD_INPUT
from scoref.matching.same_text import AUTO, CHECKS, Checks
from scoref.policy import Policy, PolicyLike

T = TypeVar("T")

_SIDES = ("key", "response")
_FLAG = re.compile(r"(?<![\w-])(leave )?--(encoding|format)\b")
_COMMAND = re.compile("(`[^`]*`)")


OneOrTwo = str | tuple[str | None, str | None] | None
"""A choice for both sides, or one for the key and one for the response; None is the default."""


class ReadOptions(NamedTuple):
    """How the files of both sides are read, and when their words are compared.

    If a `format` is None, it is detected from the content. If an `encoding` is None, it is UTF-8.
    `check_words` is `auto`, `always`, `note` or `never`. `repair` is that of the policy.
    """

    format: OneOrTwo = None
    encoding: OneOrTwo = None
    check_words: Checks = AUTO
    repair: str = NONE

    @classmethod
    def under(
        cls,
        policy: PolicyLike | None,
        format: OneOrTwo = None,  # noqa: A002  # what the command line calls it
        encoding: OneOrTwo = None,
        check_words: Checks = AUTO,
    ) -> ReadOptions:
        """Return the options of a caller, with the repair that the policy states."""
        if check_words not in CHECKS:
            known = ", ".join(CHECKS)
            raise UsageError(f"check_words is {check_words!r}, but must be one of: {known}")
        return cls(format, encoding, check_words, Policy.of(policy).repair)

    @property
    def of_one_side(self) -> list[str]:
        """The names of the options that differ between the sides."""
        return [one for one in ("format", "encoding") if isinstance(getattr(self, one), tuple)]

    def of_side(self, side: str) -> tuple[str | None, str | None]:
        """Return the format and the encoding of `key`, `response` or any other name."""
        at = int(side == "response")
        chosen = (self.format, self.encoding)
        of_format, of_encoding = (one[at] if isinstance(one, tuple) else one for one in chosen)
        return of_format, of_encoding


class CachedInput:
    """An input that is read once, and whose corpus caches what is computed from it."""

    def __init__(self, source: Input) -> None:
        self.source = as_path(source)
        self._corpora: dict[frozenset[str], Corpus] = {}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        for corpus in self._corpora.values():
            corpus.enable_cache()

    def corpus(self, side: str, options: ReadOptions, columns: Collection[str]) -> Corpus:
        """Return the corpus with some columns of its text, if it has a text."""
        # Only a file can be read again, for columns that were not requested before.
        is_file = isinstance(self.source, str | PathLike) and self.source != STANDARD_INPUT
        requested = frozenset(columns) if is_file else frozenset()
        if requested not in self._corpora:
            corpus = as_corpus(self.source, side, options, columns)
            self._corpora[requested] = corpus.enable_cache()
            if not isinstance(self.source, str | PathLike):
                self.source = corpus  # another process is sent the corpus alone
        return self._corpora[requested]

    def prefetch(self, side: str, options: ReadOptions, columns: Collection[str]) -> None:
        """Start to read columns that will be requested next, if the input supports it."""


class ArrowTable(Protocol):
    """A table of pandas, polars, Arrow, DuckDB or others that share tables with Arrow."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return the rows."""


class DocumentBin(Protocol):
    """spaCy's DocBin."""

    def get_docs(self, vocab: Any) -> Iterable[Any]:
        """Return the documents."""


class WithChains(Protocol):
    """A document of Stanza."""

    @property
    def coref(self) -> Any:
        """The chains."""


class WithCorpus(Protocol):
    """A Key, or aligned generated text."""

    @property
    def corpus(self) -> Corpus:
        """The corpus."""


Input = (
    str
    | bytes
    | PathLike[Any]
    | IO[Any]
    | Corpus
    | Mapping[Any, Any]
    | Iterable[Any]
    | ArrowTable
    | DocumentBin
    | WithChains
    | WithCorpus
    | CachedInput
)
"""A path or an open file, a corpus, or an object that `scoref.formats.objects` understands."""


def as_path(source: T) -> T | str:
    """Return a path of bytes as a string, and anything else as it is."""
    return os.fsdecode(source) if isinstance(source, bytes) else source


def read_objects(source: Input, side: str, options: ReadOptions, *, texts: bool = False) -> Input:
    """Convert an object to a corpus, and leave paths as they are, to be read when it is clear how.

    With `texts`, generated texts are left too. An iterator can be converted only once.
    """
    source = as_path(source)
    if isinstance(source, str | PathLike | Corpus | CachedInput):
        return source
    if texts and isinstance(source, Mapping | list | tuple):
        values = source.values() if isinstance(source, Mapping) else source
        if all(isinstance(value, str) for value in values):
            return source
    return as_corpus(source, side, options)


def as_corpus(
    source: Input,
    side: str,
    options: ReadOptions | None = None,
    columns: Collection[str] = (),
) -> Corpus:
    """Return the corpus of an input, with some columns of its text.

    If a file has annotated and predicted entities, the predicted entities are read for the
    response.
    """
    options, source = options or ReadOptions(), as_path(source)
    if isinstance(source, CachedInput):
        with hints_for_side(side, options.of_one_side):
            return source.corpus(side, options, columns)
    if isinstance(source, Corpus):
        return source
    if hasattr(source, "counts"):
        raise UsageError(
            f"the {side} is a result, which has counts instead of mentions",
            "pass what was scored; results can be compared with scoref.compare",
        )
    predicted, repair = side == "response", options.repair
    format, encoding = options.of_side(side)  # noqa: A001  # what the command line calls it
    if isinstance(source, str | PathLike):
        with hints_for_side(side, options.of_one_side):
            return read(
                source,
                format,
                words=columns or False,
                predicted=predicted,
                encoding=encoding,
                repair=repair,
            )
    from scoref.formats.objects import read_object  # noqa: PLC0415  # files do not need it

    return read_object(source, side, format, predicted=predicted, encoding=encoding, repair=repair)


def is_read_once(source: Input) -> bool:
    """Whether an input is standard input, which cannot be read again."""
    source = source.source if isinstance(source, CachedInput) else source
    return isinstance(source, str) and source == STANDARD_INPUT


@contextmanager
def hints_for_side(side: str, used: Collection[str] = ()) -> Iterator[None]:
    """Let the hints of errors name the flags of a side.

    A reader says `--encoding utf-16`. If only the response is in UTF-16, that flag would make the
    key unreadable; the flag that helps is `--response-encoding utf-16`.

    `used` are the flags of the side, `encoding` or `format`, that the user has used: `leave
    --format out` means the flag of both sides unless `format` is one of them.
    """
    try:
        yield
    except FormatError as error:
        if side not in _SIDES:
            raise
        problems = [replace(one, hint=_for_side(one.hint, side, used)) for one in error.problems]
        raise FormatError(problems, *error.named) from None
    except ScorefError as error:
        if side not in _SIDES or not _FLAG.search(error.hint):
            raise
        raise type(error)(error.message, _for_side(error.hint, side, used)) from None


def _for_side(hint: str, side: str, used: Collection[str]) -> str:
    """Change flags, but not those of commands that the hint quotes."""

    def flag(found: re.Match[str]) -> str:
        leave, name = found[1] or "", found[2]
        return found[0] if leave and name not in used else f"{leave}--{side}-{name}"

    parts = _COMMAND.split(hint)
    parts[::2] = [_FLAG.sub(flag, part) for part in parts[::2]]
    return "".join(parts)
