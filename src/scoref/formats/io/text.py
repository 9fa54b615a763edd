"""Streams as bytes and as UTF-8 text: their first bytes, and all of them."""

from __future__ import annotations

from pathlib import Path

from scoref.base.progress import Advance
from scoref.exceptions import Problem
from scoref.formats.io.control_characters import control_character, control_character_problem
from scoref.formats.io.lines import Stream
from scoref.formats.io.problems import Problems

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
BLOCK = 1 << 20
_HEAD = 1 << 16
MOST_DIGITS = 18


class PeekableStream:
    """A stream with its first bytes in `head`, which are read again by `readinto`.

    `advance`, if there is one, is called with the size of each read.
    """

    def __init__(self, stream: Stream, advance: Advance | None = None) -> None:
        self._stream = stream
        self._advance = advance
        buffer = memoryview(bytearray(_HEAD))
        filled = 0
        while got := stream.readinto(buffer[filled:]):
            filled += got
        self.head = bytes(buffer[:filled])
        self._left = memoryview(self.head)
        self.size = filled
        """How many bytes were read so far."""

    def readinto(self, buffer: memoryview, /) -> int | None:
        """Fill the buffer as far as possible; 0 means the end."""
        if self._left:
            size = min(len(self._left), len(buffer))
            buffer[:size] = self._left[:size]
            self._left = self._left[size:]
        else:
            size = self._stream.readinto(buffer) or 0
            self.size += size
        if self._advance is not None:
            self._advance(size)
        return size


def read_bytes(stream: Stream) -> bytes:
    """Read all bytes of a stream."""
    buffer = memoryview(bytearray(BLOCK))
    blocks = []
    while got := stream.readinto(buffer):
        blocks.append(bytes(buffer[:got]))
    return b"".join(blocks)


def read_text(stream: Stream, path: str) -> tuple[str, list[Problem]]:
    """Read all of a stream as UTF-8; the problem names the first byte that is not text."""
    return decode(read_bytes(stream).removeprefix(BYTE_ORDER_MARK), path)


def companion(path: str, suffix: str, other: str) -> Path | None:
    """Return the file next to a file of a suffix that ends in another one; None without one."""
    file = Path(path).with_suffix(other) if path.endswith(suffix) else None
    return file if file is not None and file.is_file() else None


def read_companion(problems: Problems, suffix: str, other: str) -> str | None:
    """Read the file next to a file of a suffix that ends in another one; None if it is missing."""
    file = companion(problems.path, suffix, other)
    if file is None:
        return None
    data = file.read_bytes().removeprefix(BYTE_ORDER_MARK)
    text, found = decode(data, str(file), is_plain=True)
    problems += found
    return text


def decode(data: bytes, path: str, *, is_plain: bool = False) -> tuple[str, list[Problem]]:
    """Decode UTF-8; the problem names the first byte that is not, or a control character.

    A text without annotation can have control characters such as form feeds, but not NUL.
    """
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return "", [not_utf8(path, line, error.start, data[error.start])]
    at = control_character(data) if not is_plain or b"\0" in data else None
    if at is not None:
        line = data.count(b"\n", 0, at) + 1
        return "", [control_character_problem(path, line, data[at])]
    return text, []


def not_utf8(path: str, line: int, offset: int, byte: int) -> Problem:
    """Return the problem of a file that is not UTF-8."""
    found = f"byte 0x{byte:02x} at offset {offset}, which is not valid UTF-8"
    hint = "name the encoding, for example --encoding latin-1"
    return Problem(path, line, found, "UTF-8 text", hint)


def split_at_blanks(line: str, most: int = -1) -> list[str]:
    """Split a line at runs of spaces and tabs, at most so many times.

    Words can have other blanks in them, such as U+00A0 and U+3000, at which `str.split` splits.
    """
    if line.isascii():
        return line.split(None, most)
    return [piece.decode() for piece in line.encode().split(None, most)]


def is_whole_number(text: str, most_digits: int = MOST_DIGITS) -> bool:
    """Whether a text is a number from 0 in all formats: up to 18 digits from `0` to `9`.

    Python accepts the digits of other scripts, signs and `1_0` as well, as no other program does.
    """
    return text.isascii() and text.isdecimal() and len(text) <= most_digits


def parse_whole_numbers(*texts: str) -> tuple[int, ...] | None:
    """Return numbers from 0, or None if a text is not such a number; blanks around it are fine."""
    texts = tuple(text.strip(" ") for text in texts)
    return tuple(map(int, texts)) if all(map(is_whole_number, texts)) else None
