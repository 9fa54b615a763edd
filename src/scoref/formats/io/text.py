"""Whole files as bytes, and as UTF-8 text."""

from __future__ import annotations

from scoref.exceptions import Problem
from scoref.formats.io.lines import Stream

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
BLOCK = 1 << 20


def read_bytes(stream: Stream) -> bytes:
    """Read all bytes of a stream."""
    buffer = memoryview(bytearray(BLOCK))
    blocks = []
    while got := stream.readinto(buffer):
        blocks.append(bytes(buffer[:got]))
    return b"".join(blocks)


def read_text(stream: Stream, path: str) -> tuple[str, list[Problem]]:
    """Read all of a stream as UTF-8; the problem names the first byte that is not."""
    return decode(read_bytes(stream).removeprefix(BYTE_ORDER_MARK), path)


def decode(data: bytes, path: str) -> tuple[str, list[Problem]]:
    """Decode UTF-8; the problem names the first byte that is not."""
    try:
        return data.decode(), []
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return "", [not_utf8(path, line, error.start, data[error.start])]


def not_utf8(path: str, line: int, offset: int, byte: int) -> Problem:
    """Return the problem of a file that is not UTF-8."""
    return Problem(
        path,
        line,
        f"byte 0x{byte:02x} at offset {offset}, which is not valid UTF-8",
        "UTF-8 text",
        "name the encoding, for example --encoding latin-1",
    )
