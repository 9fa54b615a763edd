"""JSON values, one per line, read and parsed a block of the file at a time.

The standard library parses them. orjson saves a fifth of reading, but 4 to 9 % of scoring, and its
import takes longer than it saves on a pair of 2 MB. An index of the file in NumPy is faster by a
fifth if words are not read, and slower by a third if they are, as scoring reads them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from scoref.formats.io.lines import Stream
from scoref.formats.io.problems import Problems
from scoref.formats.io.text import BLOCK, not_utf8
from scoref.formats.json.json_text import (
    DuplicateKeyError,
    lone_surrogate,
    strict_decoder,
    surrogate_problem,
)

_BLANKS = " \t\r"
"""What JSON allows around a value in a line. Python has more blanks, such as form feeds."""


class JsonLine(NamedTuple):
    """A line: its number, its JSON value, and its size."""

    number: int
    value: Any
    size: int


def parse_lines(stream: Stream, problems: Problems) -> Iterator[JsonLine]:
    """Yield each line; a file can also be one list of values, whose lines are not known."""
    decoder = strict_decoder()
    parse = decoder.raw_decode
    lines = _decode_lines(stream, problems)
    is_first = True
    for number, line in lines:
        if not line or (line.isspace() and not line.strip(_BLANKS)):
            continue
        if is_first and line.lstrip().startswith("["):
            text = "\n".join([*[""] * (number - 1), line, *(text for _, text in lines)])
            yield from _parse_list(text, problems)
            return
        is_first = False
        try:
            # As json.loads does, without its search for blanks on either side, which takes a
            # tenth of the time for short lines. Any other line is left to `decode`.
            value, end = parse(line) if line[0] == "{" else (None, 0)
            if end < len(line) and (not end or line[end:].strip(_BLANKS)):
                value = decoder.decode(line)
            escape = lone_surrogate(line, value)
        except DuplicateKeyError as error:
            found = f"the key {str(error)[:80]} twice in one object"
            problems.add(number, found, "each key once", "rename or remove one of them")
            continue
        except (ValueError, RecursionError) as error:
            found = f"a line that is not JSON ({_reason(error)})"
            problems.add(number, found, "a JSON object", "write one document per line")
            continue
        if escape:
            problems.append(surrogate_problem(problems.path, number, escape))
            continue
        yield JsonLine(number, value, len(line))


def _parse_list(text: str, problems: Problems) -> Iterator[JsonLine]:
    if problems:  # the text is not complete
        return
    try:
        values = strict_decoder().decode(text)
        if escape := lone_surrogate(text, values):
            line = text[: text.lower().find(escape)].count("\n") + 1
            problems.append(surrogate_problem(problems.path, line, escape))
            return
        for value in values:
            yield JsonLine(1, value, len(text))
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 0)
        problems.add(line, f"text that is not JSON ({_reason(error)})", "a JSON list")


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


def _reason(error: BaseException) -> str:
    if isinstance(error, RecursionError):
        return "nested too deeply"
    return str(getattr(error, "msg", error))[:80]
