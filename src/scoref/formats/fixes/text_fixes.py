"""Fixes of text in general: the byte order mark, line ends, trailing blanks, the final newline."""

from __future__ import annotations

import re

from scoref.formats.fixes.fix import Fix, FixedLines
from scoref.formats.io.text import BYTE_ORDER_MARK

_JSON = frozenset({"jsonl", "clusters", "corenlp"})
_LINES = _JSON | {"conll", "corefud", "conllua", "brat"}
"""Formats in which a line end is only a line end. In CSV it can be a part of a value."""

_LINE_END = re.compile(rb"\r+\n")
_BLANKS = re.compile(rb"(?<![ \t])[ \t]++(?=\r?\n|\Z)")


def remove_byte_order_mark(data: bytes) -> FixedLines:
    """Remove the byte order mark of UTF-8."""
    if not data.startswith(BYTE_ORDER_MARK):
        return FixedLines(data, [])
    return FixedLines(data.removeprefix(BYTE_ORDER_MARK), [1])


def convert_line_ends(data: bytes) -> FixedLines:
    """End lines with a line feed alone."""
    return _replace(_LINE_END, b"\n", data)


def remove_trailing_blanks(data: bytes) -> FixedLines:
    """Remove spaces and tabs at the ends of lines."""
    return _replace(_BLANKS, b"", data)


def add_final_newline(data: bytes) -> FixedLines:
    """End the last line."""
    if not data or data.endswith(b"\n"):
        return FixedLines(data, [])
    return FixedLines(data + b"\n", [data.count(b"\n") + 1])


def _replace(pattern: re.Pattern[bytes], replacement: bytes, data: bytes) -> FixedLines:
    lines, line, counted = [], 1, 0
    for match in pattern.finditer(data):
        line += data.count(b"\n", counted, match.start())
        counted = match.start()
        lines.append(line)
    return FixedLines(pattern.sub(replacement, data), lines) if lines else FixedLines(data, [])


TEXT_FIXES = (
    Fix("byte-order-mark", "remove the byte order mark", _LINES, remove_byte_order_mark),
    Fix("final-newline", "end the last line", _LINES, add_final_newline),
    Fix("line-ends", "end lines with LF instead of CR LF", _LINES, convert_line_ends),
    Fix(
        "trailing-blanks",
        "remove spaces and tabs at the ends of lines",
        _JSON | {"conll"},
        remove_trailing_blanks,
    ),
)
