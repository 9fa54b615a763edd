"""Where bytes come from and go to: files, directories, gzip, standard input."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import BinaryIO, NamedTuple, TypeGuard, cast

from scoref.exceptions import FormatError, Problem, ScorefError, UsageError
from scoref.formats.io.lines import Stream
from scoref.formats.io.text import read_bytes

STANDARD_INPUT = "-"
PARQUET = b"PAR1"
_GZIP = b"\x1f\x8b"
_MUCH = 1 << 28
_MOST_TIMES = 300
"""Annotated text shrinks to a tenth or so; gzip can expand a thousand times at most."""

_COMPANIONS = {
    ".ann": (".txt",),
    ".entities": (".tokens", ".book", ".book.html", ".quotes", ".supersense"),
    ".apf.xml": (".sgm", ".ag.xml", ".tab"),
}
"""What tools write beside a file of mentions, by its suffix."""


class Source(NamedTuple):
    """One stream of bytes: how to open it, how to call it, its name within a directory.

    If it is a table in `parts`, these are the files to open.
    """

    path: Path | None
    shown: str
    stem: str = ""
    parts: tuple[Path, ...] = ()


def sources(path: str | PathLike[str]) -> list[Source]:
    """List what a user means by a path: standard input, a file, or all files of a directory.

    A directory of Parquet files is one table, in parts.
    """
    if str(path) == STANDARD_INPUT:
        return [Source(None, "standard input")]
    path = Path(path)
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


def table_parts(path: str | PathLike[str]) -> tuple[Path, ...]:
    """Return the files of a Parquet table, one or many; none if a path does not lead to one."""
    path = Path(path)
    if path.is_dir():
        return _parts(path, _files(path))
    return (path,) if path.is_file() and _is_parquet_file(path) else ()


def _parts(directory: Path, files: list[Path]) -> tuple[Path, ...]:
    """Return the files of a directory if all of them are Parquet.

    Programs that write a table in parts put others beside them, such as `_SUCCESS`.
    """
    parts = tuple(
        file
        for file in files
        if not any(name.startswith("_") for name in file.relative_to(directory).parts)
    )
    return parts if all(map(_is_parquet_file, parts)) else ()


def _files(directory: Path) -> list[Path]:
    """List the files of a directory and those below, but hidden ones."""
    return [
        file
        for file in sorted(directory.rglob("*"))
        if file.is_file() and not any(p.startswith(".") for p in file.relative_to(directory).parts)
    ]


def total_size(given: Iterable[Source]) -> int | None:
    """Return how many bytes will be read, or None if that cannot be known before."""
    paths = [path for source in given for path in source.parts or (source.path,)]
    if any(path is None or path.suffix == ".gz" for path in paths):
        return None
    try:
        return sum(path.stat().st_size for path in paths if path is not None) or None
    except OSError:  # reading will say what is wrong
        return None


def _without_companions(files: list[Path]) -> list[Path]:
    """Leave out files that only go with another one: a text beside its annotation."""
    names = set(files)
    beside = {
        file.with_name(file.name.removesuffix(suffix) + other)
        for file in files
        for suffix, others in _COMPANIONS.items()
        if file.name.endswith(suffix)
        for other in others
    }
    return [file for file in files if file not in beside & names and file.suffix != ".dtd"]


def is_parquet(path: object) -> TypeGuard[str | PathLike[str]]:
    """Whether a path leads to a Parquet table, whose rows can be read piece by piece."""
    return isinstance(path, str | PathLike) and bool(table_parts(path))


def _is_parquet_file(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            return stream.read(len(PARQUET)) == PARQUET
    except OSError:  # which is for the one who reads it to say
        return False


@contextmanager
def open_source(source: Source, encoding: str | None = None) -> Iterator[Stream]:
    """Open a source for reading bytes, as UTF-8 if they have another encoding.

    Gzip is told by its first bytes and undone.
    """
    try:
        if source.path is None:
            yield from _recoded(_unzipped(sys.stdin.buffer, source.shown), source.shown, encoding)
        else:
            with source.path.open("rb") as stream:
                yield from _recoded(_unzipped(stream, source.shown), source.shown, encoding)
    except OSError as error:
        raise UsageError(f"cannot read {source.shown}: {error.strerror or error}") from None


def _recoded(streams: Iterator[Stream], shown: str, encoding: str | None) -> Iterator[Stream]:
    """Turn another encoding into UTF-8."""
    if encoding is None:
        yield from streams
        return
    for stream in streams:
        try:
            text = read_bytes(stream).decode(encoding)
        except LookupError:
            raise UsageError(f"unknown encoding {encoding!r}", "for example latin-1") from None
        except UnicodeDecodeError as error:
            found = f"a byte at offset {error.start} that is no {encoding}"
            problem = Problem(shown, 0, found, f"{encoding} text", "is it another encoding?")
            raise FormatError([problem]) from None
        yield io.BytesIO(text.encode())


def _unzipped(stream: BinaryIO, shown: str) -> Iterator[Stream]:
    # `peek` belongs to the buffered streams that open() and sys.stdin give.
    if not stream.peek(2).startswith(_GZIP):  # type: ignore[attr-defined]
        yield cast("Stream", stream)
        return
    import gzip  # noqa: PLC0415  # costs milliseconds that only zipped files should pay
    import zlib  # noqa: PLC0415

    try:
        with gzip.GzipFile(fileobj=stream) as unzipped:
            yield _Limited(cast("Stream", unzipped), stream, shown)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        problem = Problem(shown, 0, f"damaged gzip data ({error})", "a whole gzip file")
        raise FormatError([problem]) from None


class _Limited:
    """Unzipped bytes, as long as there are not absurdly many of them."""

    def __init__(self, unzipped: Stream, zipped: BinaryIO, shown: str) -> None:
        self._unzipped, self._zipped, self._shown = unzipped, zipped, shown
        self._bytes = 0

    def readinto(self, buffer: memoryview, /) -> int | None:
        """Fill the buffer; refuse what no text expands to."""
        got = self._unzipped.readinto(buffer) or 0
        self._bytes += got
        if self._bytes > _MUCH and not self._zipped.seekable():
            return got  # a pipe does not say how much was read of it
        if self._bytes > _MUCH and self._bytes > _MOST_TIMES * self._zipped.tell():
            found = f"gzip data that expands to {_MOST_TIMES} times its size and more"
            raise FormatError([Problem(self._shown, 0, found, "compressed text")])
        return got


written: list[str] = []
"""The files that this process has written, for whoever must say what it left behind."""


@contextmanager
def write_whole(path: str | PathLike[str]) -> Iterator[BinaryIO]:
    """Write a file that appears only when it is whole, and replaces nothing before.

    Whatever goes wrong, be it a full disk or an interruption, an older file stays as it was, and
    nothing else is left. What cannot be replaced, such as a pipe or a device, is written to.
    """
    path = Path(path)
    temporary: Path | None = None
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            with path.open("wb") as stream:
                yield stream
            return
        place = path.resolve()  # a link stays a link
        # The name is known before there is a file: a signal can come at any moment.
        temporary = place.with_name(f".{place.name[:99]}.{os.urandom(6).hex()}")
        with temporary.open("xb") as stream:
            yield stream
        temporary.replace(place)
        written.append(str(path))
    except OSError as error:
        raise ScorefError(f"cannot write {path}: {error.strerror or error}") from None
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def _stem(file: Path) -> str:
    """Return the relative path without its suffixes: what two directories have in common."""
    return str(file.with_name(file.name.split(".")[0] or file.name).as_posix())
