"""JSON text: the value of a whole file, values one per line, and the keys of a file's first object.

The standard library parses all JSON. orjson saves a fifth of reading JSON lines, but 4 to 9 % of
scoring them, and its import takes longer than it saves on a pair of 2 MB.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from scoref.exceptions import Problem
from scoref.formats.io.lines import Stream
from scoref.formats.io.problems import Problems
from scoref.formats.io.text import BLOCK, not_utf8

if TYPE_CHECKING:
    from json import JSONDecoder

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
"""The escape of half a character."""
_HINT = "is this the right file?"
_BLANKS = " \t\r\n"
"""What JSON allows around a value. Python has more blanks, such as form feeds."""
_TYPES = {
    dict: "object",
    list: "array",
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    type(None): "null",
}
MENTION_MARKS = frozenset({"cluster_id", "coref_chain"})
"""Fields of an object per mention, in a mention list; with `doc_id`, no other format has them."""
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


def parse_json(
    text: str,
    path: str,
    line: int = 0,
    expected: str = "a complete JSON value",
    hint: str = "is the file complete?",
) -> tuple[Any, list[Problem]]:
    """Parse JSON strictly: an object has each key once, and NaN and half characters are problems.

    * `line`: The line of the file that the text is, or 0 for a text of several lines.
    """
    import json  # noqa: PLC0415  # a reader of columns does not need it

    try:
        value = _decode(text)
        if (escape := _lone_surrogate(text, value)) is None:
            return value, []
        at = max(line, 1) + text[: text.lower().find(escape)].count("\n")
        found = f"`{escape}`, which is half a character"
        halves = "write both halves, or the character itself"
        problem = Problem(path, at, found, "complete characters in JSON strings", halves)
    except json.JSONDecodeError as error:
        found = f"invalid JSON in column {error.colno} ({error.msg})"
        problem = Problem(path, max(line, 1) + error.lineno - 1, found, expected, hint)
    except RecursionError:
        problem = nested_problem(path, line)
    except _DuplicateKeyError as error:
        found = f"the key {str(error)[:80]} twice in one object"
        problem = Problem(path, line, found, "each key once", "rename or remove one of them")
    except ValueError as error:
        found = f"an invalid value ({str(error)[:80]})"
        problem = Problem(path, line, found, "JSON values", _HINT)
    return None, [problem]


def _decode(text: str) -> Any:
    """Decode as the decoder does, without its search for blanks on either side of an object.

    That search takes a tenth of the time for short lines.
    """
    decoder = _decoder()
    if text.startswith("{"):
        value, end = decoder.raw_decode(text)
        if not text[end:].strip(_BLANKS):
            return value
    return decoder.decode(text)


@cache
def _decoder() -> JSONDecoder:
    from json import JSONDecoder  # noqa: PLC0415  # a reader of columns does not need it

    return JSONDecoder(object_pairs_hook=_distinct, parse_constant=_refuse)


class _DuplicateKeyError(ValueError):
    """An object has a key twice."""


def _distinct(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object of some pairs, each key of which occurs once."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _DuplicateKeyError(repr(next(key for key in keys if keys.count(key) > 1)))
    return found


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _lone_surrogate(text: str, value: Any) -> str | None:
    r"""Return the escape of half a character in a JSON text, such as `\ud800`, or None.

    No file in UTF-8 can hold it, and no terminal can show it. `value` is the value of the text.
    """
    if "\\u" not in text or not _SURROGATE.search(text):
        return None
    import json  # noqa: PLC0415  # a reader of columns does not need it

    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        return f"\\u{ord(error.object[error.start]):04x}"
    return None


def nested_problem(path: str, line: int = 0) -> Problem:
    """Return the problem of a value that is nested more deeply than Python can follow."""
    return Problem(path, line, "JSON nested too deeply", "documents, entities, mentions", _HINT)


def json_type(value: Any) -> str:
    """Return what a JSON value is, as JSON calls it: `a JSON object`, `a JSON array`, ...

    >>> json_type(None), json_type(True), json_type([])
    ('a JSON null', 'a JSON boolean', 'a JSON array')
    """
    return f"a JSON {_TYPES[type(value)]}"


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


class JsonLine(NamedTuple):
    """A line: its number, its JSON value, and its size."""

    number: int
    value: Any
    size: int


def parse_lines(stream: Stream, problems: Problems) -> Iterator[JsonLine]:
    """Yield each line; a file can also be one list of values, whose lines are not known."""
    lines = _decode_lines(stream, problems)
    is_first = True
    for number, line in lines:
        if not line or (line.isspace() and not line.strip(_BLANKS)):
            continue
        if is_first and line.lstrip().startswith("["):
            text = "\n".join([*[""] * (number - 1), line, *(text for _, text in lines)])
            if problems:  # the text is not complete
                return
            values, found = parse_json(text, problems.path, expected="a JSON list")
            problems += found
            yield from (JsonLine(1, value, len(text)) for value in values or ())
            return
        is_first = False
        value, found = parse_json(
            line, problems.path, number, "a JSON object", "write one document per line"
        )
        if found:
            problems += found
        else:
            yield JsonLine(number, value, len(line))


def _decode_lines(stream: Stream, problems: Problems) -> Iterator[tuple[int, str]]:
    """Yield the number and the text of each line, up to the first that is not UTF-8."""
    offset = 0
    for number, data in enumerate(_split_lines(stream), 1):
        try:
            text = data.decode()
        except UnicodeDecodeError as error:
            at = error.start
            problems.append(not_utf8(problems.path, number, offset + at, data[at]))
            return
        yield number, text.removeprefix("\ufeff") if number == 1 else text
        offset += len(data) + 1


def _split_lines(stream: Stream) -> Iterator[bytes]:
    """Yield the bytes of each line."""
    buffer = memoryview(bytearray(BLOCK))
    unfinished: list[bytes] = []
    while got := stream.readinto(buffer):
        first, *others = bytes(buffer[:got]).split(b"\n")
        unfinished.append(first)
        for piece in others:
            yield b"".join(unfinished)
            unfinished = [piece]
    yield b"".join(unfinished)
