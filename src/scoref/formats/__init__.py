"""Every format, by name, and the way from a path to a corpus."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import BinaryIO

from scoref.corpus import Corpus, Document
from scoref.exceptions import FormatError, Problem, UsageError
from scoref.formats import conll
from scoref.formats.sources import Source, open_source, sources, write_whole
from scoref.text import COLUMNS

__all__ = ["FORMATS", "Format", "inspect", "read", "write"]


@dataclass(frozen=True, slots=True)
class Format:
    """A format: how to read it, with a list of all that is wrong, and how to write it."""

    name: str
    read: Callable[..., tuple[Corpus, list[Problem]]]
    write: Callable[[Corpus, BinaryIO], None]


FORMATS = {"conll": Format("conll", conll.read, conll.write)}


def read(
    path: str | PathLike[str],
    format: str | None = None,  # noqa: A002
    *,
    words: bool | Collection[str] = False,
) -> Corpus:
    """Read a file, a directory of files, or standard input (`-`).

    With `words`, also read the words and what the file says of each, or only the named
    columns of these: `corpus.text`.
    """
    columns = () if words is False else COLUMNS if words is True else words
    corpus, problems = inspect(path, format, columns=columns, stop=True)
    if problems:
        raise FormatError(problems, str(path))
    return corpus


def inspect(
    path: str | PathLike[str],
    format: str | None = None,  # noqa: A002
    *,
    columns: Collection[str] = (),
    stop: bool = False,
) -> tuple[Corpus, list[Problem]]:
    """Read like `read`, but return all problems, or with `stop` those of the first bad file."""
    chosen = _format(format)
    found: list[tuple[Source, Corpus]] = []
    problems: list[Problem] = []
    for source in sources(path):
        with open_source(source) as stream:
            corpus, more = chosen.read(stream, source.shown, columns=columns)
        problems.extend(more)
        found.append((source, corpus))
        if problems and stop:
            break
    if len(found) == 1 and not found[0][0].stem:
        return found[0][1], problems
    renamed = [_name_after_file(corpus, source.stem) for source, corpus in found]
    problems.extend(_repeated(renamed))
    return Corpus.concatenate(renamed, str(path)), problems


def write(corpus: Corpus, path: str | PathLike[str], format: str | None = None) -> None:  # noqa: A002
    """Write a corpus to a file, which appears only when it is whole."""
    chosen = _format(format)
    with write_whole(path) as stream:
        chosen.write(corpus, stream)


def _format(name: str | None) -> Format:
    if name is None:
        return FORMATS["conll"]
    if name not in FORMATS:
        raise UsageError(f"unknown format {name!r}", f"one of: {', '.join(FORMATS)}")
    return FORMATS[name]


def _name_after_file(corpus: Corpus, stem: str) -> Corpus:
    """Give the unnamed documents of a directory's file the name of the file."""
    unnamed = sum(document.is_unnamed for document in corpus.documents)

    def renamed(document: Document) -> Document:
        if not document.is_unnamed:
            return document
        name = f"{stem}{document.name}" if unnamed > 1 else stem
        return document._replace(name=name, id=name)

    return replace(corpus, documents=tuple(map(renamed, corpus.documents)))


def _repeated(corpora: Sequence[Corpus]) -> list[Problem]:
    """List documents of one name and part that stand in several files."""
    first: dict[object, Document] = {}
    problems = []
    for corpus in corpora:
        for document in corpus.documents:
            before = first.setdefault(document.id, document)
            if before.source != document.source:
                found = f"document {document.name} again (first in {before.source}:{before.line})"
                expected = "documents of different names or parts in the files of a directory"
                hint = "rename one, or name a directory that has each document once"
                problems.append(Problem(document.source, document.line, found, expected, hint))
    return problems
