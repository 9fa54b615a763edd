"""JSON that a language model wrote: after a preamble, cut off at the end, with a trailing comma."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

_START = re.compile(r'[{\[](?=\s*(?:["{\[\]}]|-?\d))')
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
_MOST_STARTS = 50
_MOST_DEPTH = 200
_CLOSING = {"{": "}", "[": "]"}


class FoundJson(NamedTuple):
    """A value of JSON, and whether it was cut off."""

    value: Any
    is_cut: bool


def find_json(text: str) -> FoundJson | None:
    """Return the first object or list of a text that contains more than brackets of the text.

    A value that is cut off is closed after its last complete element. Nothing that the text
    contains can take long or raise an error.

    >>> find_json('Here it is: [["Ann", "she"], ["the man",')
    FoundJson(value=[['Ann', 'she'], ['the man']], is_cut=True)
    """
    for number, match in enumerate(_START.finditer(text)):
        if number == _MOST_STARTS:
            break
        found = _decode(text[match.start() :])
        if found is not None and found.value:
            return found
    return None


def _decode(text: str) -> FoundJson | None:
    end, is_cut = _extent(text)
    if end == 0:
        return None
    for candidate in (text[:end], _TRAILING_COMMA.sub(r"\1", text[:end])):
        value = _loads(candidate if not is_cut else _closed(candidate))
        if isinstance(value, dict | list):
            return FoundJson(value, is_cut)
    return None


def _loads(text: str) -> Any:
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None


def _extent(text: str) -> tuple[int, bool]:
    """Return where the first value ends, or how far it is usable, and whether it is cut off.

    Deeply nested values are not read: no list of mentions is nested deeply.
    """
    depth = 0
    usable = 0
    at, size = 0, len(text)
    tokens = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]', re.DOTALL)
    while at < size:
        match = tokens.search(text, at)
        if match is None:
            break
        found = match[0]
        if found in "{[":
            depth += 1
            if depth > _MOST_DEPTH:
                return 0, False
        elif found in "}]":
            depth -= 1
            usable = match.end()
            if depth == 0:
                return match.end(), False
        elif found == ",":
            usable = match.start()
        at = match.end()
    return usable, True


def _closed(text: str) -> str:
    """Close the objects and lists that are open at the end of a text."""
    waiting: list[str] = []
    for match in re.finditer(r'"(?:[^"\\]|\\.)*"|[{}\[\]]', text, re.DOTALL):
        if match[0] in _CLOSING:
            waiting.append(_CLOSING[match[0]])
        elif match[0] in "}]" and waiting:
            waiting.pop()
    return text.rstrip(", \n\t") + "".join(reversed(waiting))
