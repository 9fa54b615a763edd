"""JSON text: the value of a whole file, and the keys with which a file begins."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from scoref.exceptions import Problem

if TYPE_CHECKING:
    from json import JSONDecoder

SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
"""The escape of half a character."""
_HINT = "is this the right file?"
# A list without lists in it is one piece: it has no keys, and most of a file is in such lists.
_PIECE = re.compile(r'\[(?:[^\[\]{}"]++|"[^"\\]*+")*+\]|"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{}:]')


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Create many objects without searching them for garbage, which doubles the time."""
    import gc  # noqa: PLC0415

    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class DuplicateKeyError(ValueError):
    """An object has a key twice."""


@cache
def strict_decoder() -> JSONDecoder:
    """Return the decoder of all JSON: an object has each key once, and NaN is not JSON."""
    from json import JSONDecoder  # noqa: PLC0415  # a reader of columns does not need it

    return JSONDecoder(object_pairs_hook=_distinct, parse_constant=_refuse)


def lone_surrogate(text: str, value: Any) -> str | None:
    r"""Return the escape of half a character in a JSON text, such as `\ud800`, or None.

    No file in UTF-8 can hold it, and no terminal can show it. `value` is the value of the text.
    """
    if "\\u" not in text or not SURROGATE.search(text):
        return None
    import json  # noqa: PLC0415  # a reader of columns does not need it

    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        return f"\\u{ord(error.object[error.start]):04x}"
    return None


def surrogate_problem(path: str, line: int, escape: str) -> Problem:
    """Return the problem of half a character."""
    found = f"`{escape}`, which is half a character"
    hint = "write both halves, or the character itself"
    return Problem(path, line, found, "complete characters in JSON strings", hint)


def nested_problem(path: str) -> Problem:
    """Return the problem of a value that is nested more deeply than Python can follow."""
    return Problem(path, 0, "JSON nested too deeply", "documents, entities, mentions", _HINT)


def parse_json(text: str, path: str) -> tuple[Any, list[Problem]]:
    """Parse a JSON value; a key that occurs twice in an object is a problem too."""
    import json  # noqa: PLC0415  # a reader of columns does not need it

    try:
        value = strict_decoder().decode(text)
        if (escape := lone_surrogate(text, value)) is None:
            return value, []
        line = text[: text.lower().find(escape)].count("\n") + 1
        problem = surrogate_problem(path, line, escape)
    except json.JSONDecodeError as error:
        found = f"invalid JSON in column {error.colno} ({error.msg})"
        hint = "is the file complete?"
        problem = Problem(path, error.lineno, found, "a complete JSON value", hint)
    except RecursionError:
        problem = nested_problem(path)
    except DuplicateKeyError as error:
        found = f"the key {str(error)[:80]} twice in one object"
        problem = Problem(path, 0, found, "each key once", "rename or remove one of them")
    except ValueError as error:
        found = f"an invalid value ({str(error)[:80]})"
        problem = Problem(path, 0, found, "JSON values", _HINT)
    return None, [problem]


def _distinct(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object of some pairs, each key of which occurs once."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise DuplicateKeyError(repr(next(key for key in keys if keys.count(key) > 1)))
    return found


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


@lru_cache(maxsize=1)  # three formats ask for the keys of the same file
def first_keys(head: bytes) -> frozenset[str] | None:
    """Return the keys of the object that a file begins with, as far as they are in `head`.

    The result is None if the file does not begin with an object.
    """
    text = head.decode(errors="replace").removeprefix("\ufeff").lstrip()
    if not text.startswith("{"):
        return None
    keys: set[str] = set()
    depth, last = 0, ""
    for piece in _PIECE.findall(text):
        if piece in "[{":
            depth += 1
        elif piece in "]}":
            depth -= 1
            if depth == 0:
                break
        elif piece == ":" and depth == 1:
            keys.add(last[1:-1])
        last = piece
    return frozenset(keys)
