"""Streams whose first bytes can be looked at before they are read, and text that is UTF-8."""

from __future__ import annotations

from scoref.base.progress import Advance
from scoref.exceptions import Problem
from scoref.formats.io.lines import Stream

HEAD = 1 << 16
MARK = b"\xef\xbb\xbf"
_CHUNK = 1 << 20


class Peeked:
    """A stream and its first bytes, which are read again after they were looked at.

    `advance` is told of all bytes that are read.
    """

    def __init__(self, stream: Stream, advance: Advance | None = None) -> None:
        self._stream = stream
        self._advance = advance
        self.head = _fill(stream, HEAD)
        self._left = memoryview(self.head)

    def readinto(self, buffer: memoryview, /) -> int | None:
        """Fill the buffer as far as possible; 0 means the end."""
        if self._left:
            size = min(len(self._left), len(buffer))
            buffer[:size] = self._left[:size]
            self._left = self._left[size:]
        else:
            size = self._stream.readinto(buffer) or 0
        if self._advance is not None:
            self._advance(size)
        return size


def read_bytes(stream: Stream) -> bytes:
    """Read all that a stream has."""
    room = memoryview(bytearray(_CHUNK))
    parts = []
    while got := stream.readinto(room):
        parts.append(bytes(room[:got]))
    return b"".join(parts)


def _fill(stream: Stream, size: int) -> bytes:
    buffer = bytearray(size)
    filled = 0
    while filled < size:
        got = stream.readinto(memoryview(buffer)[filled:]) or 0
        if not got:
            break
        filled += got
    return bytes(memoryview(buffer)[:filled])


def read_text(stream: Stream, path: str) -> tuple[str, list[Problem]]:
    """Read all of a stream as UTF-8, or say at which byte it is something else."""
    return as_text(read_bytes(stream).removeprefix(MARK), path)


def as_text(data: bytes, path: str) -> tuple[str, list[Problem]]:
    """Decode UTF-8, or say at which byte it is something else."""
    try:
        return data.decode(), []
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return "", [not_utf8(path, line, error.start, data[error.start])]


def not_utf8(path: str, line: int, offset: int, byte: int) -> Problem:
    """Say that a file is not UTF-8."""
    return Problem(
        path,
        line,
        f"the byte 0x{byte:02x} at offset {offset}, which is no UTF-8",
        "UTF-8 text",
        "--encoding names another, such as --encoding latin-1",
    )
