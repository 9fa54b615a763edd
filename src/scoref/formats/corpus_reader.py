"""Reading: from a path to a corpus."""

from __future__ import annotations

import io
import os
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from scoref.base.limits import FREE, proportion_problem
from scoref.base.phrases import type_of
from scoref.base.progress import Advance, progress
from scoref.corpus.corpus import Corpus
from scoref.corpus.document import UNKNOWN, Document
from scoref.corpus.text import COLUMNS
from scoref.exceptions import FormatError, Problem, UsageError
from scoref.formats.format import Wanted
from scoref.formats.io.lines import Stream
from scoref.formats.io.problems import NONE, REPAIRS
from scoref.formats.io.sources import Source, open_bytes, open_source, sources, total_size
from scoref.formats.io.text import PeekableStream
from scoref.formats.registry import detect_format, find_reader, with_detected_format

_BY_LINES = frozenset({"conll", "corefud", "conllua", "csv", "tsv", "brat", "webanno", "booknlp"})
"""Formats whose last line can be cut without an effect on the lines before it."""
_END_OF_DOCUMENT = b"#end document"


def read(
    path: Any,
    format: str | None = None,  # noqa: A002
    *,
    words: bool | Collection[str] = False,
    predicted: bool = False,
    encoding: str | None = None,
    repair: str = NONE,
) -> Corpus:
    """Read a file, a directory of files, standard input (`-`), or any object that can be scored.

    * `path`: A path, `-`, or any object that `scoref.score` takes.
    * `format`: The name of the format, by default detected from the content.
    * `words`: Whether to read the words and their annotation into `corpus.text`; a collection names
      the columns to read.
    * `predicted`: Whether to read the predicted entities, if a file also has annotated ones.
    * `encoding`: The text encoding, by default UTF-8.
    * `repair`: `none` or `drop-brackets`, as in `Policy`; the notes of the corpus list repairs.
    """
    path = os.fsdecode(path) if isinstance(path, bytes) else path
    if isinstance(path, Corpus):
        return path
    if not isinstance(path, str | PathLike):
        from scoref.formats.objects import read_object  # noqa: PLC0415  # files do not need it

        return read_object(
            path, "source", format, predicted=predicted, encoding=encoding, repair=repair
        )
    columns = () if words is False else COLUMNS if words is True else words
    wanted = Wanted(frozenset(columns), predicted)
    corpus, problems = inspect(path, format, wanted, encoding=encoding, repair=repair, stop=True)
    if problems:
        raise FormatError(problems, str(path), format)
    return corpus


def inspect(
    path: str | PathLike[str],
    format: str | None = None,  # noqa: A002
    wanted: Wanted | None = None,
    *,
    encoding: str | None = None,
    repair: str = NONE,
    stop: bool = False,
) -> tuple[Corpus, list[Problem]]:
    """Read like `read`, but return all problems, or with `stop` those of the first bad file."""
    if repair not in REPAIRS:
        raise UsageError(f"repair is {repair!r}, but must be one of: {', '.join(REPAIRS)}")
    wanted = (wanted or Wanted())._replace(repair=repair)
    found = sources(path)
    with progress(f"reading {Path(path).name or path}", total_size(found), "B") as advance:
        outcomes = (read_source(source, format, wanted, encoding, advance) for source in found)
        return combine_sources(path, outcomes, stop=stop)


class SourceOutcome(NamedTuple):
    """The corpus of one source, or None if its format is unclear; and its problems."""

    source: Source
    corpus: Corpus | None
    problems: list[Problem]


def read_source(
    source: Source,
    format: str | None,  # noqa: A002
    wanted: Wanted,
    encoding: str | None,
    advance: Advance | None = None,
) -> SourceOutcome:
    """Read one source of a path; `advance` is called with the size of each read."""
    if source.parts:
        from scoref.formats.table import parquet  # noqa: PLC0415  # it needs pyarrow

        if format not in (None, parquet.FORMAT.name):
            found, expected = "a directory of Parquet files", f"files of the format {format}"
            hint = f"leave --format out, or name a directory of {format} files"
            return SourceOutcome(source, None, [Problem(source.shown, 0, found, expected, hint)])
        return SourceOutcome(source, *parquet.read_parts(source.parts, source.shown))
    with open_source(source, encoding) as stream:
        return read_stream(stream, source, format, wanted, advance)


def read_stream(
    stream: Stream,
    source: Source,
    format: str | None,  # noqa: A002
    wanted: Wanted,
    advance: Advance | None = None,
) -> SourceOutcome:
    """Read the stream of a source, whose format is detected unless it is given."""
    peekable = PeekableStream(stream, advance)
    chosen = find_reader(format) if format else detect_format(peekable.head, source.shown)
    if isinstance(chosen, Problem):
        return SourceOutcome(source, None, [chosen])
    corpus, problems = chosen.read(peekable, source.shown, wanted.of(chosen))
    if problems and format and not chosen.recognise(peekable.head):
        problems = with_detected_format(problems, peekable.head, source.shown)
    if not problems:
        problems = _distant_mention(corpus, peekable.size, source.shown)
        if cut := _possible_cut(chosen.name, peekable.tail):
            corpus = replace(corpus, notes=(*corpus.notes, f"{source.shown}: {cut}"))
    return SourceOutcome(source, corpus, problems)


def _possible_cut(format: str, tail: bytes) -> str:  # noqa: A002
    """Say that a file may have been cut if its last line, or its last sentence, does not end."""
    if format not in _BY_LINES or not tail or tail.endswith(_END_OF_DOCUMENT):
        return ""
    if not tail.endswith((b"\n", b"\r")):
        return "the last line has no line end: is the file complete?"
    if format == "corefud" and not tail.endswith((b"\n\n", b"\n\r\n")):
        return "no blank line ends the last sentence: is the file complete?"
    return ""


def _distant_mention(corpus: Corpus, size: int, path: str) -> list[Problem]:
    """Return the problem of a mention that no text of a file of this size can have.

    A document of a known length has no mention after its end.
    """
    if corpus.labels is not None or not np.any(corpus.end > FREE):
        return []
    texts = corpus.characters or [""] * len(corpus.documents)
    is_known = np.array(
        [bool(text) or d.length != UNKNOWN for text, d in zip(texts, corpus.documents, strict=True)]
    )
    end = np.where(is_known[corpus.document], 0, corpus.end)
    last, line = int(end.max()), corpus.documents[corpus.document[int(np.argmax(end))]].line
    problem = proportion_problem(last, size, f"a mention that ends at {last:,}", path, line)
    return [problem] if problem else []


def combine_sources(
    path: str | PathLike[str], outcomes: Iterable[SourceOutcome], *, stop: bool
) -> tuple[Corpus, list[Problem]]:
    """Make one corpus of the sources of a path; with `stop`, end at the first bad one."""
    found: list[tuple[Source, Corpus]] = []
    problems: list[Problem] = []
    for source, corpus, more in outcomes:
        problems.extend(more)
        if corpus is not None:
            found.append((source, corpus))
        if problems and stop:
            break
    if not found:
        return Corpus.without_mentions((), str(path)), problems
    if len(found) == 1 and not found[0][0].stem:
        return found[0][1], problems
    renamed = [name_after_file(corpus, source.stem) for source, corpus in found]
    problems.extend(_repeated_documents(renamed))
    from scoref.corpus.concatenation import concatenate  # noqa: PLC0415  # directories only

    return concatenate(renamed, str(path)), problems


def name_after_file(corpus: Corpus, stem: str) -> Corpus:
    """Give the unnamed documents of a file in a directory the name of the file."""
    unnamed = sum(document.is_unnamed for document in corpus.documents)

    def renamed(document: Document) -> Document:
        if not document.is_unnamed:
            return document
        name = f"{stem}{document.name}" if unnamed > 1 else stem
        return document._replace(name=name, id=name)

    return replace(corpus, documents=tuple(map(renamed, corpus.documents)))


def _repeated_documents(corpora: Sequence[Corpus]) -> list[Problem]:
    """Return a problem for each document whose name and part occur in an earlier file."""
    first: dict[object, Document] = {}
    problems = []
    for corpus in corpora:
        for document in corpus.documents:
            before = first.setdefault(document.id, document)
            if before.source != document.source:
                where = before.source, before.line
                again = document.source, document.line
                problems.append(repeated_document(document.name, where, again))
    return problems


def repeated_document(name: str, first: tuple[str, int], again: tuple[str, int]) -> Problem:
    """Return the problem of a document in two files, each given with a line."""
    found = f"document {name} again (first in {first[0]}:{first[1]})"
    expected = "documents with different names or parts in the files of a directory"
    hint = "rename one of them, or name a directory that has each document once"
    return Problem(*again, found, expected, hint)


def read_open_file(
    stream: Any,
    side: str,
    format: str | None = None,  # noqa: A002  # what the command line calls it
    *,
    predicted: bool = False,
    encoding: str | None = None,
    repair: str = "none",
) -> Corpus:
    """Return the corpus of an open file, with its words; a text is already decoded."""
    name = getattr(stream, "name", None)
    shown = name if isinstance(name, str) and name else side
    try:
        at = stream.tell() if getattr(stream, "seekable", lambda: False)() else 0
        data = stream.read()
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read {shown}: {error}", "open the file for reading") from None
    if isinstance(data, str):
        data, encoding = data.encode(errors="surrogatepass"), None
    if not isinstance(data, bytes | bytearray):
        found = f"`read` of the {side}, {type_of(stream)}, returned {type_of(data)}"
        raise UsageError(found, "pass a file that is open for reading")
    if not data and at:
        raise UsageError(f"{shown} has been read to its end", "rewind it: file.seek(0)")
    wanted = Wanted(frozenset(COLUMNS), predicted, repair=repair)
    with open_bytes(io.BytesIO(data), shown, encoding) as content:
        _, corpus, problems = read_stream(content, Source(None, shown), format, wanted)
    if problems or corpus is None:
        raise FormatError(problems, shown if name else None, format)
    return corpus
