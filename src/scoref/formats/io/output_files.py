"""Output files: complete or absent, never an input, and all files of one output together.

    with all_or_nothing():
        with write_whole("x.ann") as stream: ...
        with write_whole("x.txt") as stream: ...

A file is written under a temporary name, which states the machine and the process, and is renamed
at the end of the outermost block. After an error or an interruption, older files are unchanged. If
a process is killed, the next one that writes into the directory removes its temporary files.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from os import PathLike
from pathlib import Path
from typing import BinaryIO

from scoref.exceptions import ScorefError, UsageError

written: list[str] = []
"""The files that this process has written, for messages about what it left behind."""

FileId = tuple[int, int]
"""The device and the number of a file, which all its names share."""

_TEMPORARY = re.compile(r"\.scoref-(?P<host>[0-9a-f]{8})-(?P<process>\d+)-[0-9a-f]+\.tmp")


@dataclass(slots=True)
class _Outputs:
    """The files of one output that are not renamed yet, and what is appended to others."""

    inputs: Callable[[], frozenset[FileId]]
    renames: list[tuple[Path, Path, str]] = field(default_factory=list)
    appended: list[tuple[Path, bytes]] = field(default_factory=list)
    temporary: list[Path] = field(default_factory=list)

    def new_name(self, directory: Path) -> Path:
        """Return a temporary name, which is known before the file exists: a signal may come."""
        path = directory / f".scoref-{_host()}-{os.getpid()}-{os.urandom(6).hex()}.tmp"
        self.temporary.append(path)
        return path

    def commit(self) -> None:
        """Rename all files and append, or leave everything as it was."""
        saved: list[tuple[Path, Path | None]] = []
        several = len(self.renames) + len(self.appended) > 1
        try:
            for temporary, place, shown in self.renames:
                with _cannot_write(shown):
                    old = self._save(place) if several and place.exists() else None
                    saved.append((place, old))
                    temporary.replace(place)
            for path, data in self.appended:
                with _cannot_write(path), path.open("ab") as stream:
                    stream.write(data)
        except BaseException:
            for (place, old), (temporary, _, _) in zip(saved, self.renames, strict=False):
                if old is not None:
                    old.replace(place)
                elif not temporary.exists():  # it was renamed
                    place.unlink(missing_ok=True)
            raise
        written.extend(shown for _, _, shown in self.renames)

    def _save(self, place: Path) -> Path:
        """Keep an old file under another name until all files are in their places."""
        old = self.new_name(place.parent)
        try:
            os.link(place, old)
        except OSError:  # some file systems have no links
            shutil.copy2(place, old)
        return old

    def clean(self) -> None:
        """Remove temporary files."""
        for path in self.temporary:
            with suppress(OSError):
                path.unlink(missing_ok=True)


_current: ContextVar[_Outputs | None] = ContextVar("outputs", default=None)


@contextmanager
def all_or_nothing(
    inputs: Callable[[], frozenset[FileId]] = frozenset,
) -> Iterator[None]:
    """Let the files that are written inside appear together at the end, or none of them.

    `inputs` returns the files that must not be replaced. It is called if a file exists already.
    """
    if _current.get() is not None:  # the outermost block decides
        yield
        return
    outputs = _Outputs(inputs)
    token = _current.set(outputs)
    try:
        yield
        outputs.commit()
    finally:
        _current.reset(token)
        outputs.clean()


@contextmanager
def write_whole(path: str | PathLike[str]) -> Iterator[BinaryIO]:
    """Write a file that appears, or replaces an older file, only when it is complete.

    A replaced file keeps its permissions, and a link stays a link. A pipe or a device cannot be
    replaced, and is written directly.
    """
    path = Path(path)
    with all_or_nothing(), _cannot_write(path):
        outputs = _current.get()
        assert outputs is not None  # noqa: S101  # all_or_nothing has set it
        refuse_input(path)
        place = _resolve(path)
        mode = place.stat().st_mode if place.exists() else None
        if mode is not None and not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            with place.open("wb") as stream:
                yield stream
            return
        if place.is_dir():
            raise IsADirectoryError(0, "Is a directory")
        _remove_leftovers(place.parent)
        temporary = outputs.new_name(place.parent)
        with temporary.open("xb") as stream:
            yield stream
        if mode is not None:
            temporary.chmod(stat.S_IMODE(mode))
        outputs.renames.append((temporary, place, str(path)))


def append(path: str | PathLike[str], data: bytes) -> None:
    """Append to a file that other programs append to as well."""
    refuse_input(path)
    with all_or_nothing():
        outputs = _current.get()
        assert outputs is not None  # noqa: S101
        outputs.appended.append((Path(path), data))


def refuse_input(path: str | PathLike[str]) -> None:
    """Refuse to replace a file that the command reads, by whatever name."""
    outputs, found = _current.get(), file_id(path)
    if outputs is not None and found is not None and found in outputs.inputs():
        raise UsageError(
            f"writing {path} would replace an input of this command",
            "choose another name for the output",
        )


def file_id(path: str | PathLike[str]) -> FileId | None:
    """Identify a file, or return None if it does not exist or is a pipe or a device."""
    try:
        found = os.stat(path)  # noqa: PTH116  # pathlib loads slowly
    except (OSError, ValueError):
        return None
    is_file = stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)
    return (found.st_dev, found.st_ino) if is_file else None


@contextmanager
def _cannot_write(path: str | PathLike[str]) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ScorefError(f"cannot write {path}: {error.strerror or error}") from None


def _resolve(path: Path) -> Path:
    """Follow links to the file to write."""
    place = Path(os.path.realpath(path))  # resolve() raises for a loop, or not, by its version
    if place.is_symlink():
        raise OSError(0, "its symbolic links form a loop")
    return place


@cache
def _remove_leftovers(directory: Path) -> None:
    """Remove the temporary files of processes of this machine that have ended."""
    with suppress(OSError):
        for name in os.listdir(directory):  # noqa: PTH208  # names are enough
            found = _TEMPORARY.fullmatch(name)
            if found and found["host"] == _host() and not _is_running(int(found["process"])):
                with suppress(OSError):
                    (directory / name).unlink()


def _is_running(process: int) -> bool:
    """Return whether a process exists; where this is not known, it might."""
    if os.name != "posix":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


@cache
def _host() -> str:
    """Return a short name of this machine: another one may write to the same directory."""
    import platform  # noqa: PLC0415  # only who writes needs it

    return f"{zlib.crc32(platform.node().encode(errors='replace')):08x}"
