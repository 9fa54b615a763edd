"""Streams as bytes and as UTF-8 text, and the characters that belong in no text.

A control character is the trace of a damaged file, or of a file that is not text. The words of
real corpora contain odd blanks, such as the no-break space U+00A0, and invisible characters, such
as the zero-width space U+200B. In an id or a number, they make two ids of what looks like one.
"""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from scoref.base.arrays import Bools, Bytes
from scoref.base.progress import Advance
from scoref.exceptions import FormatError, Problem, UsageError
from scoref.formats.io.lines import Stream
from scoref.formats.io.problems import Problems

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
BLOCK = 1 << 20
HEAD = 1 << 16
"""How many of the first bytes of a file are looked at to detect its format."""

MOST_DIGITS = 18
_NO_ENCODINGS = frozenset({"undefined", "punycode", "idna", "unicode-escape", "raw-unicode-escape"})
"""Codecs of Python that escape text or names, and are not encodings of files."""
_FIRST_PRINTABLE = 32
_TAB, _NEWLINE, _RETURN = b"\t\n\r"
_IS_CONTROL: Bools = np.arange(256) < _FIRST_PRINTABLE
_IS_CONTROL[[_TAB, _NEWLINE, _RETURN]] = False
_HINT = "replace or remove the character; is this the right file, and is it text?"


_TAIL = 32


class PeekableStream(io.RawIOBase):
    """A stream with its first bytes in `head`, which are read again by `readinto`.

    `advance`, if there is one, is called with the size of each read.
    """

    def __init__(self, stream: Stream, advance: Advance | None = None) -> None:
        self._stream = stream
        self._advance = advance
        buffer = memoryview(bytearray(HEAD))
        filled = 0
        while got := stream.readinto(buffer[filled:]):
            filled += got
        self.head = bytes(buffer[:filled])
        self._left = memoryview(self.head)
        self.size = filled
        """How many bytes were read so far."""
        self.tail = self.head[-_TAIL:]
        """The last bytes that were read so far."""

    def readable(self) -> bool:
        """Return that it can be read."""
        return True

    def readinto(self, buffer: Any, /) -> int | None:
        """Fill the buffer as far as possible; 0 means the end."""
        if self._left:
            size = min(len(self._left), len(buffer))
            buffer[:size] = self._left[:size]
            self._left = self._left[size:]
        else:
            size = self._stream.readinto(buffer) or 0
            self.size += size
            self.tail = (self.tail + bytes(buffer[max(size - _TAIL, 0) : size]))[-_TAIL:]
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


def converted(streams: Iterator[Stream], shown: str, encoding: str | None) -> Iterator[Stream]:
    """Convert another encoding to UTF-8."""
    if encoding is None:
        yield from streams
        return
    _check_encoding(encoding)
    for stream in streams:
        raw = read_bytes(stream)
        if _is_wide(encoding) and raw and b"\0" not in raw:
            found, hint = (
                f"text that is not {encoding}: it has no zero bytes",
                "leave --encoding out",
            )
            raise FormatError([Problem(shown, 0, found, f"{encoding} text", hint)])
        try:
            data = raw.decode(encoding).encode()
        except UnicodeError as error:
            at = f" at offset {error.start}" if isinstance(error, UnicodeDecodeError) else ""
            hint = "name another encoding with --encoding"
            problem = Problem(
                shown, 0, f"a byte{at} that is not valid {encoding}", f"{encoding} text", hint
            )
            raise FormatError([problem]) from None
        yield io.BytesIO(data)


def _is_wide(encoding: str) -> bool:
    """Whether an encoding has zero bytes in all text with line ends, as UTF-16 and UTF-32 have."""
    return codecs.lookup(encoding).name.startswith(("utf-16", "utf-32"))


def _check_encoding(encoding: str) -> None:
    """Refuse names of codecs that are not encodings of text, such as base64 and punycode."""
    try:
        codec = codecs.lookup(encoding)
        "".encode(encoding)  # refuses codecs from bytes to bytes
        if codec.name.replace("_", "-") not in _NO_ENCODINGS:
            return
    except (LookupError, ValueError):  # a ValueError comes from a name with a NUL byte
        pass
    hint = "use, for example, latin-1, cp1252 or utf-16"
    raise UsageError(f"{encoding!r} is not a known text encoding", hint)


def control_character(data: bytes | Bytes) -> int | None:
    """Return the place of the first control character other than tabs and line ends, or None."""
    array: Bytes = np.frombuffer(data, np.uint8) if isinstance(data, bytes) else data
    allowed = sum(np.count_nonzero(array == byte) for byte in (_TAB, _NEWLINE, _RETURN))
    if np.count_nonzero(array < _FIRST_PRINTABLE) == allowed:  # faster than a table
        return None
    return int(np.argmax(_IS_CONTROL[array]))


def inner_return(data: bytes | Bytes) -> int | None:
    """Return the place of the first carriage return that does not end a line, or None."""
    array: Bytes = np.frombuffer(data, np.uint8) if isinstance(data, bytes) else data
    returns = np.flatnonzero(array == _RETURN)
    after = array[np.minimum(returns + 1, len(array) - 1)]
    inside = returns[(after != _RETURN) & (after != _NEWLINE)]
    return int(inside[0]) if len(inside) else None


def control_character_problem(path: str, line: int, byte: int) -> Problem:
    """Return the problem of a file with a control character."""
    named = {0: "a NUL byte", 13: "a carriage return inside a line"}
    found = named.get(byte, f"the control character 0x{byte:02x}")
    return Problem(path, line, found, "lines of text", _HINT)


def odd_character(text: str) -> str | None:
    r"""Describe the first blank, invisible or control character of an id, or return None.

    >>> odd_character("5") is None
    True
    >>> odd_character("5\u00a0")
    'U+00A0 NO-BREAK SPACE'
    """
    if text.isprintable() and " " not in text:
        return None
    import unicodedata  # noqa: PLC0415  # only such a character needs it

    odd = next(char for char in text if not char.isprintable() or char == " ")
    return f"U+{ord(odd):04X} {unicodedata.name(odd, '')}".rstrip()


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
