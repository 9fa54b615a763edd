"""Fixes of CoNLL columns: missing ends of documents, and mentions that an entity has twice."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from scoref.formats.conll.last_column import BEGIN, END
from scoref.formats.fixes.fix import Fix, FixedLines

_BRACKET = rb"\([^()|\s]+\)|\([^()|\s]+|[^()|\s]+\)"
_CELL = re.compile(rb"(?:%b)(?:\|(?:%b))*" % (_BRACKET, _BRACKET))
_END = b"#end document"


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


CONLL = frozenset({"conll"})
CONLL_FIXES = (
    Fix("document-ends", "write `#end document` where it is missing", CONLL, add_document_ends),
    Fix(
        "repeated-mentions",
        "remove a mention that the same entity has already",
        CONLL,
        remove_repeated_mentions,
    ),
)
