"""Fixes of annotation files: changes that preserve every mention, every entity and every word.

Fixes of text concern byte order marks, line ends, trailing blanks and the final newline; fixes of
CoNLL columns missing ends of documents, and mentions that an entity has twice.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import NamedTuple

from scoref.formats.conll.lines import BEGIN, END
from scoref.formats.io.text import BYTE_ORDER_MARK

_JSON = frozenset({"jsonl", "clusters", "corenlp"})
_LINES = _JSON | {"conll", "corefud", "conllua", "brat"}
"""Formats in which a line end is only a line end. In CSV it can be a part of a value."""

_CONLL = frozenset({"conll"})
_LINE_END = re.compile(rb"\r+\n")
_BLANKS = re.compile(rb"(?<![ \t])[ \t]++(?=\r?\n|\Z)")
_BRACKET = rb"\([^()|\s]+\)|\([^()|\s]+|[^()|\s]+\)"
_CELL = re.compile(rb"(?:%b)(?:\|(?:%b))*" % (_BRACKET, _BRACKET))
_END = b"#end document"


class FixedLines(NamedTuple):
    """The bytes of a file after a fix, and the lines that it changed, counted from 1."""

    data: bytes
    lines: list[int]


class Fix(NamedTuple):
    """A named fix, and the formats whose files it may change."""

    name: str
    about: str
    formats: frozenset[str]
    apply: Callable[[bytes], FixedLines]


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


def add_document_ends(data: bytes) -> FixedLines:
    """Write `#end document` where a document lacks it."""
    lines, changed = data.split(b"\n"), []
    written: list[bytes] = []
    is_open = False
    for line in lines:
        if BEGIN.match(line):
            if is_open:
                written.append(_END + _return_of(line))
                changed.append(len(written))
            is_open = True
        elif END.match(line):
            is_open = False
        written.append(line)
    if is_open:
        if written[-1]:  # the last line is not ended
            written.append(b"")
        written[-1:] = [_END + _return_of(lines[0]), b""]
        changed.append(len(written) - 1)
    return FixedLines(b"\n".join(written), changed) if changed else FixedLines(data, [])


def _return_of(line: bytes) -> bytes:
    """Return the carriage return that ends the lines of a file, if they have one."""
    return b"\r" if line.endswith(b"\r") else b""


def remove_repeated_mentions(data: bytes) -> FixedLines:
    """Remove the brackets of a mention that the same entity has already."""
    lines = data.split(b"\n")
    changed: dict[int, list[bytes]] = {}
    for brackets in _documents(lines):
        for bracket in _repetitions(brackets):
            parts = changed.setdefault(bracket.line, _cell(lines[bracket.line]))
            parts.remove(bracket.text)
    for at, parts in changed.items():
        columns = lines[at].rstrip()
        blanks = lines[at][len(columns) :]
        lines[at] = columns.removesuffix(_last_word(columns)) + b"|".join(parts) + blanks
    return FixedLines(b"\n".join(lines), sorted(at + 1 for at in changed))


class _Bracket(NamedTuple):
    """A bracket of an entity: the number of its line, counted from 0, and its text."""

    line: int
    text: bytes

    @property
    def entity(self) -> bytes:
        return self.text.strip(b"()")


def _documents(lines: list[bytes]) -> Iterator[list[_Bracket]]:
    """Yield the brackets of each document; a document with unusual cells is left out."""
    brackets: list[_Bracket] = []
    is_usual = True
    for at, line in enumerate([*lines, b"#begin document"]):
        if BEGIN.match(line):
            if is_usual:
                yield brackets
            brackets, is_usual = [], True
        elif (cell := _last_word(line)) and (b"(" in cell or b")" in cell):
            parts = _cell(line)
            brackets += [_Bracket(at, text) for text in parts]
            is_usual = is_usual and bool(parts)


def _cell(line: bytes) -> list[bytes]:
    """Return the brackets in the last column of a line; none if it has anything else."""
    cell = _last_word(line)
    return cell.split(b"|") if _CELL.fullmatch(cell) else []


def _last_word(line: bytes) -> bytes:
    columns = [] if line.startswith(b"#") else line.rsplit(None, 1)
    return columns[-1] if columns else b""


def _repetitions(brackets: list[_Bracket]) -> Iterator[_Bracket]:
    """Yield the brackets of mentions that an entity has already, in the same document."""
    open_brackets: dict[bytes, list[_Bracket]] = defaultdict(list)
    seen: set[tuple[bytes, int, int]] = set()
    for bracket in brackets:
        start, end = bracket, bracket
        if not bracket.text.endswith(b")"):
            open_brackets[bracket.entity].append(bracket)
            continue
        if not bracket.text.startswith(b"("):
            if not open_brackets[bracket.entity]:
                continue  # the file is not valid, which its reader says
            start = open_brackets[bracket.entity].pop()
        mention = bracket.entity, start.line, end.line
        if mention in seen:
            yield start
            if start is not end:
                yield end
        seen.add(mention)


FIXES = (
    Fix("byte-order-mark", "remove the byte order mark", _LINES, remove_byte_order_mark),
    Fix("final-newline", "end the last line", _LINES, add_final_newline),
    Fix("line-ends", "end lines with LF instead of CR LF", _LINES, convert_line_ends),
    Fix(
        "trailing-blanks",
        "remove spaces and tabs at the ends of lines",
        _JSON | _CONLL,
        remove_trailing_blanks,
    ),
    Fix("document-ends", "write `#end document` where it is missing", _CONLL, add_document_ends),
    Fix(
        "repeated-mentions",
        "remove a mention that the same entity has already",
        _CONLL,
        remove_repeated_mentions,
    ),
)
