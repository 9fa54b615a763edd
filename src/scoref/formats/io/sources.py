"""Where bytes come from: files, directories, gzip, standard input."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from os import PathLike
from pathlib import Path
from typing import BinaryIO, NamedTuple, TypeGuard, cast

from scoref.base.limits import proportion_problem
from scoref.exceptions import FormatError, Problem, UsageError
from scoref.formats.io.lines import Stream
from scoref.formats.io.text import HEAD, PeekableStream, converted

STANDARD_INPUT = "-"
PARQUET = b"PAR1"
_GZIP = b"\x1f\x8b"
_LARGE = 1 << 28
_MOST_EXPANSION = 100
"""Gzip shrinks annotated text to about a tenth, and can expand a thousand times at most."""

_COMPANIONS = {
    ".ann": (".txt",),
    ".entities": (".tokens", ".book", ".book.html", ".quotes", ".supersense"),
    ".apf.xml": (".sgm", ".ag.xml", ".tab"),
}
"""The suffixes of the files that tools write next to a file of mentions, by its suffix."""


_LONGEST_PATH = 4096
_SHOWN = 40
_peeked: dict[BinaryIO, PeekableStream] = {}
"""Standard input whose first bytes were looked at: reading starts with them."""


class Source(NamedTuple):
    """One stream of bytes: its path, its name in messages, and its name within a directory.

    Standard input has no path. A table in several files has them in `parts`.
    """

    path: Path | None
    shown: str
    stem: str = ""
    parts: tuple[Path, ...] = ()


def sources(path: str | PathLike[str]) -> list[Source]:
    """List the sources of a path: standard input, a file, or all files of a directory.

    A directory of Parquet files is one table, in parts.
    """
    if str(path) == STANDARD_INPUT:
        return [Source(None, "standard input")]
    path = checked_path(path)
    if not path.is_dir():
        return [Source(path, str(path))]
    files = _files(path)
    if parts := _parts(path, files):
        return [Source(path, str(path), parts=parts)]
    found = [
        Source(file, str(file), _stem(file.relative_to(path)))
        for file in _without_companions(files)
    ]
    if not found:
        raise UsageError(f"{path}: found an empty directory, expected files to read")
    return found


def checked_path(path: object) -> Path:
    """Return a path, or refuse what cannot be the name of a file, such as the content of one."""
    if not isinstance(path, str | PathLike):
        message = f"a path is a {type(path).__name__}, but must be a string or a Path"
        raise UsageError(message, "pass the name of a file")
    name = str(path)
    shown = f"{name[:_SHOWN]!r}{'...' * (len(name) > _SHOWN)}"
    if len(name) > _LONGEST_PATH or "\n" in name or "\0" in name:
        message = f"found {shown} in place of a path, which looks like the content of a file"
        raise UsageError(message, "pass the name of a file, or a Corpus")
    try:
        os.fsencode(name)
    except UnicodeEncodeError:
        raise UsageError(f"{shown} cannot be the name of a file", "rename the file") from None
    return Path(name)


def files_read(path: str | PathLike[str]) -> list[Path]:
    """List every file that reading a path may open, with those that belong to another file."""
    path = Path(path)
    if path.is_dir():
        return [Path(folder, name) for folder, _, names in os.walk(path) for name in names]
    beside = [
        path.with_name(path.name.removesuffix(suffix) + other)
        for suffix, others in _COMPANIONS.items()
        if path.name.endswith(suffix)
        for other in others
    ]
    return [path, *beside]


def table_parts(path: str | PathLike[str]) -> tuple[Path, ...]:
    """Return the files of a Parquet table, or nothing if a path is not a Parquet table."""
    path = checked_path(path)
    if path.is_dir():
        return _parts(path, _files(path))
    return (path,) if path.is_file() and _is_parquet_file(path) else ()


def _parts(directory: Path, files: list[Path]) -> tuple[Path, ...]:
    """Return the files of a directory if all of them are Parquet.

    Programs that write a table in parts also write files such as `_SUCCESS`, which are ignored.
    """
    parts = tuple(file for file in files if not _has_part(file, directory, "_"))
    return parts if all(map(_is_parquet_file, parts)) else ()


def _files(directory: Path) -> list[Path]:
    """List the files of a directory and its subdirectories, without hidden ones."""
    files = filter(Path.is_file, sorted(directory.rglob("*")))
    return [file for file in files if not _has_part(file, directory, ".")]


def _has_part(file: Path, directory: Path, mark: str) -> bool:
    """Whether the file, or one of its directories, has a name that starts with a mark."""
    return any(part.startswith(mark) for part in file.relative_to(directory).parts)


def total_size(found: Iterable[Source]) -> int | None:
    """Return how many bytes sources have, or None if it is not known before reading."""
    paths = [path for source in found for path in source.parts or (source.path,)]
    if any(path is None or path.suffix == ".gz" for path in paths):
        return None
    try:
        return sum(path.stat().st_size for path in paths if path is not None) or None
    except OSError:  # reading reports the error
        return None


def _without_companions(files: list[Path]) -> list[Path]:
    """Leave out files that belong to another file, such as the text of an annotation."""
    beside = {
        file.with_name(file.name.removesuffix(suffix) + other)
        for file in files
        for suffix, others in _COMPANIONS.items()
        if file.name.endswith(suffix)
        for other in others
    }
    return [file for file in files if file not in beside and file.suffix != ".dtd"]


def is_parquet(path: object) -> TypeGuard[str | PathLike[str]]:
    """Whether a path is a Parquet table, whose rows can be read in parts."""
    return isinstance(path, str | PathLike) and bool(table_parts(path))


def _is_parquet_file(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            return stream.read(len(PARQUET)) == PARQUET
    except OSError:  # reading reports the error
        return False


@contextmanager
def open_source(source: Source, encoding: str | None = None) -> Iterator[Stream]:
    """Open a source for reading; the bytes of another encoding are converted to UTF-8.

    Gzip is detected from the first bytes, and decompressed.
    """
    try:
        with source.path.open("rb") if source.path else nullcontext(_standard_input()) as stream:
            yield from converted(_decompressed(stream, source.shown), source.shown, encoding)
    except OSError as error:
        raise UsageError(f"cannot read {source.shown}: {error.strerror or error}") from None


def head_of(source: Source) -> bytes:
    """Return the first bytes of a source, decompressed; reading it later has them too."""
    if source.path is not None:
        with open_source(source) as stream:
            return PeekableStream(stream).head
    stdin = sys.stdin.buffer
    if stdin not in _peeked:
        try:
            _peeked[stdin] = PeekableStream(cast("Stream", stdin))
        except OSError:  # reading reports the error
            return b""
    head = _peeked[stdin].head
    if not head.startswith(_GZIP):
        return head
    import zlib  # noqa: PLC0415  # only compressed input needs it

    try:
        return zlib.decompressobj(wbits=31).decompress(head, HEAD)
    except zlib.error:  # reading reports the error
        return b""


def _standard_input() -> BinaryIO:
    """Return standard input from its first byte, also after a look at its head."""
    peeked = _peeked.pop(sys.stdin.buffer, None)
    return sys.stdin.buffer if peeked is None else cast("BinaryIO", io.BufferedReader(peeked))


@contextmanager
def open_bytes(data: io.BytesIO, shown: str, encoding: str | None = None) -> Iterator[Stream]:
    """Open bytes in memory as `open_source` opens a file."""
    buffered = cast("BinaryIO", io.BufferedReader(cast("io.RawIOBase", data)))
    yield from converted(_decompressed(buffered, shown), shown, encoding)


def _decompressed(stream: BinaryIO, shown: str) -> Iterator[Stream]:
    # `peek` belongs to the buffered streams that open() and sys.stdin give.
    if not stream.peek(2).startswith(_GZIP):  # type: ignore[attr-defined]
        yield cast("Stream", stream)
        return
    import gzip  # noqa: PLC0415  # only compressed files need it
    import zlib  # noqa: PLC0415

    counted = _CountedStream(stream)
    try:
        with gzip.GzipFile(fileobj=cast("BinaryIO", counted)) as decompressed:
            yield _LimitedStream(cast("Stream", decompressed), counted, shown)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        problem = Problem(shown, 0, f"damaged gzip data ({error})", "a complete gzip file")
        raise FormatError([problem]) from None


class _CountedStream:
    """Compressed bytes, counted as they are read; a pipe does not know how many it has."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.bytes = 0

    def read(self, size: int = -1) -> bytes:
        """Read up to so many bytes."""
        data = self._stream.read(size)
        self.bytes += len(data)
        return data


class _LimitedStream:
    """Decompressed bytes, up to a limit in proportion to the compressed ones."""

    def __init__(self, decompressed: Stream, compressed: _CountedStream, shown: str) -> None:
        self._decompressed, self._compressed, self._shown = decompressed, compressed, shown
        self._bytes = 0

    def readinto(self, buffer: memoryview, /) -> int | None:
        """Fill the buffer; refuse more bytes than text expands to."""
        got = self._decompressed.readinto(buffer) or 0
        self._bytes += got
        found = f"gzip data that expands to {self._bytes:,} bytes or more"
        sizes = self._bytes, self._compressed.bytes
        limits = {"free": _LARGE, "per_byte": _MOST_EXPANSION}
        if problem := proportion_problem(*sizes, found, self._shown, **limits):
            raise FormatError([problem])
        return got


def _stem(file: Path) -> str:
    """Return the relative path without suffixes, which files of two directories share."""
    return str(file.with_name(file.name.split(".")[0] or file.name).as_posix())
