"""Streams whose first bytes can be looked at before they are read."""

from __future__ import annotations

from scoref.base.progress import Advance
from scoref.formats.io.lines import Stream

HEAD = 1 << 16


class PeekableStream:
    """A stream with its first bytes in `head`, which are read again by `readinto`.

    `advance`, if there is one, is called with the size of each read.
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


def _fill(stream: Stream, size: int) -> bytes:
    buffer = bytearray(size)
    filled = 0
    while filled < size:
        got = stream.readinto(memoryview(buffer)[filled:]) or 0
        if not got:
            break
        filled += got
    return bytes(memoryview(buffer)[:filled])
