"""Characters that belong in no text: NUL and other control characters, and odd blanks in ids.

A control character is the trace of a damaged file, or of a file that is not text. The words of
real corpora contain odd blanks, such as the no-break space U+00A0, and invisible characters, such
as the zero-width space U+200B. In an id or a number, they make two ids of what looks like one.
"""

from __future__ import annotations

import unicodedata

import numpy as np

from scoref.base.arrays import Bools, Bytes
from scoref.exceptions import Problem

_FIRST_PRINTABLE = 32
_TAB, _NEWLINE, _RETURN = b"\t\n\r"
_IS_CONTROL: Bools = np.arange(256) < _FIRST_PRINTABLE
_IS_CONTROL[[_TAB, _NEWLINE, _RETURN]] = False
_HINT = "replace or remove the character; is this the right file, and is it text?"


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
    odd = next(char for char in text if not char.isprintable() or char == " ")
    return f"U+{ord(odd):04X} {unicodedata.name(odd, '')}".rstrip()
