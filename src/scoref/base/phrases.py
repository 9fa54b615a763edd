"""Short texts: phrases that many messages share, lists of names as users type them, letters."""

from __future__ import annotations

import re
from collections.abc import Sequence

_SHOWN = 3
_BETWEEN_NAMES = re.compile(r",(?![^()]*\))")


def counted(number: int, noun: str, plural: str = "") -> str:
    """Format a number with its noun: `1 document`, `2,000 documents`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def type_of(value: object) -> str:
    """Name the type of a value, with its article: `a list`, `an int`; None is `None`."""
    if value is None:
        return "None"
    name = type(value).__name__
    return f"{'an' if name[:1].lower() in {*'aeiou'} else 'a'} {name}"


def listed(names: Sequence[str]) -> str:
    """Format the first few names: `a, b, c, ...`."""
    shown = ", ".join(names[:_SHOWN])
    return f"{shown}, ..." if len(names) > _SHOWN else shown


def split_names(text: str) -> list[str]:
    """Split at commas outside parentheses: `muc,lea(importance=size,nam=2)` are two names."""
    names = [name for part in _BETWEEN_NAMES.split(text) if (name := part.strip())]
    return names or [text]


def letters(number: int) -> str:
    """Return the letters of a number from 0: a, b, ..., z, aa, ab, ..."""
    name = ""
    number += 1
    while number:
        number, digit = divmod(number - 1, 26)
        name = chr(ord("a") + digit) + name
    return name
