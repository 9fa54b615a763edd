"""Cells of a delimited table as arrays: where each starts and ends, without an object per cell.

Rows without quotes, or with quotes around whole cells only, are split at their delimiters by
NumPy. Where a quoted cell holds a delimiter, a quote or a line end, Python's csv module splits
the whole table, at a fraction of the speed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from scoref.base.arrays import Ints
from scoref.base.byte_texts import ByteTexts
from scoref.base.phrases import counted
from scoref.exceptions import Problem

BLOCK = 1 << 18
_NEWLINE, _RETURN, _QUOTE, _SPACE = 10, 13, 34, 32
_DIGITS = 18
_FEW = 16
_WORD = 8
_MASKS = np.array([(1 << 8 * many) - 1 for many in range(_WORD + 1)], dtype=np.uint64)
_MIX = np.uint64(0x9E3779B97F4A7C15)

Words = np.ndarray[Any, np.dtype[np.uint64]]


PADDING = bytes(_WORD)
"""What must stand behind the bytes of cells, so that eight can be looked at from any place on."""


class Cells(NamedTuple):
    """Rows of cells: cell (i, j) is `raw[start[i, j]:end[i, j]]`; `line` is that of each row.

    PADDING stands at the end of `raw`.
    """

    raw: bytes
    start: Ints
    end: Ints
    line: Ints


class Shape(NamedTuple):
    """How a table is laid out: its delimiter, how many columns, and in which file and line."""

    delimiter: str
    width: int
    first_line: int
    path: str


def split(data: bytes, at: int, shape: Shape, odd: list[Problem]) -> Iterator[Cells]:
    """Split the rows from a place on up to the PADDING; list those of more or fewer cells."""
    if data.find(b'"', at) < 0:
        for block in _split_plain(data, at, shape, odd):
            yield Cells(data, block.start, block.end, block.line)
        return
    ragged_rows: list[Problem] = []
    blocks = list(_split_plain(data, at, shape, ragged_rows))
    if ragged_rows or not all(block.unquote(data) for block in blocks):
        yield _split_quoted(data[at:-_WORD], shape, odd)
        return
    yield from (Cells(data, block.start, block.end, block.line) for block in blocks)


@dataclass(slots=True)
class _Block:
    start: Ints
    end: Ints
    line: Ints
    quotes: int

    def unquote(self, data: bytes) -> bool:
        """Take the quotes off cells, if they stand around whole cells only."""
        view = np.frombuffer(data, dtype=np.uint8)
        # A cell of one quote, such as either half of `","`, is not a quoted cell.
        quoted = (self.end - self.start >= 2) & (view[self.end - 1] == _QUOTE)
        quoted &= view[self.start] == _QUOTE
        self.start = self.start + quoted
        self.end = self.end - quoted
        return self.quotes == 2 * np.count_nonzero(quoted)


def _split_plain(data: bytes, at: int, shape: Shape, odd: list[Problem]) -> Iterator[_Block]:
    """Split at every delimiter, a block of lines at a time."""
    width = shape.width
    view = np.frombuffer(data, dtype=np.uint8)
    line, size = shape.first_line, len(data) - _WORD
    while at < size:
        to = data.rfind(b"\n", at, min(at + BLOCK, size)) + 1 or data.find(b"\n", at) + 1 or size
        block = view[at:to]
        is_newline = block == _NEWLINE
        separators = np.flatnonzero(is_newline | (block == ord(shape.delimiter)))
        if not is_newline[-1]:  # the last line of a file may lack its end
            separators = np.append(separators, len(block))
            is_newline = np.append(is_newline, True)
        last = np.flatnonzero(is_newline[separators])
        cells = np.diff(last, prepend=-1)
        newline = separators[last] + at
        row_start = np.concatenate([[at], newline[:-1] + 1])
        lines = line + np.arange(len(last))
        if np.any(cells != width):
            good = cells == width
            at_fault = np.stack([row_start, newline, lines, cells])[:, ~good]
            odd += _ragged(data, at_fault, shape)
            separators = separators[np.repeat(good, cells)]
            row_start, lines = row_start[good], lines[good]
        ends = separators.reshape(-1, width) + at
        starts = np.empty_like(ends)
        starts[:, 0] = row_start
        starts[:, 1:] = ends[:, :-1] + 1
        ends[:, -1] -= (view[ends[:, -1] - 1] == _RETURN) & (ends[:, -1] > starts[:, -1])
        yield _Block(starts, ends, lines, int(np.count_nonzero(block == _QUOTE)))
        at, line = to, line + len(last)


def _ragged(data: bytes, rows: Ints, shape: Shape) -> list[Problem]:
    """List rows that have more or fewer cells; blank lines are no rows."""
    return [
        ragged(line, cells, shape)
        for start, end, line, cells in rows.T.tolist()
        if data[start:end].strip(b"\r \t")
    ]


def ragged(line: int, found: int, shape: Shape) -> Problem:
    """Say that a row has more or fewer cells than the header."""
    return Problem(
        shape.path,
        line,
        f"a row of {counted(found, 'cell')}",
        f"{shape.width} cells as in the header",
        "put quotes around cells that hold a delimiter",
    )


def _split_quoted(data: bytes, shape: Shape, odd: list[Problem]) -> Cells:
    import csv  # noqa: PLC0415  # only odd tables need it
    import io  # noqa: PLC0415

    text = io.StringIO(data.decode(), newline="")
    reader = csv.reader(text, delimiter=shape.delimiter, strict=True)
    texts: list[bytes] = []
    lines: list[int] = []
    begins = shape.first_line
    try:
        for row in reader:
            if len(row) == shape.width:
                texts.extend(cell.encode() for cell in row)
                lines.append(begins)
            elif row:
                odd.append(ragged(begins, len(row), shape))
            begins = shape.first_line + reader.line_num
    except csv.Error as error:
        found, expected = f"a row that cannot be split ({error})", "quotes around whole cells"
        hint = "a quote inside a quoted cell is written twice"
        odd.append(Problem(shape.path, begins, found, expected, hint))
    sizes = np.array([len(text) for text in texts], dtype=np.int64)
    end = np.cumsum(sizes).reshape(-1, shape.width)
    start = end - sizes.reshape(end.shape)
    return Cells(b"".join([*texts, PADDING]), start, end, np.array(lines, dtype=np.int64))


class Numbers:
    """Reads a column of whole numbers; an empty cell is -1, one that is no number -2."""

    def __init__(self, column: int, name: str, path: str) -> None:
        self.column, self.name, self.path = column, name, path
        self.parts: list[Ints] = []
        self.problems: list[Problem] = []

    def add(self, cells: Cells) -> None:
        """Read some cells."""
        start, end = cells.start[:, self.column], cells.end[:, self.column]
        view = np.frombuffer(cells.raw, dtype=np.uint8)
        length = end - start
        value = np.zeros(len(start), dtype=np.int64)
        fine = (length > 0) & (length <= _DIGITS)
        for back in range(min(int(length.max(initial=0)), _DIGITS)):
            there = length > back
            digit = view[end - 1 - back * there] - np.uint8(48)  # below 0 wraps to above 9
            fine &= ~there | (digit <= 9)
            value += digit * (there * 10**back)
        value[~fine] = -1
        for row in np.flatnonzero(~fine & (length > 0)).tolist():
            text = cells.raw[start[row] : end[row]].decode()
            value[row] = whole_number(text)
            if text.strip() and value[row] < 0:
                value[row] = -2
                found = f"`{text[:40]}` in the column `{self.name}`"
                line = int(cells.line[row])
                hint = "spans are places in the text, counted from 0"
                self.problems.append(Problem(self.path, line, found, "a whole number from 0", hint))
        self.parts.append(value)

    def all(self) -> Ints:
        """Return what was read."""
        return np.concatenate([np.zeros(0, dtype=np.int64), *self.parts])


def whole_number(text: str) -> int:
    """Read a number that has blanks around it or `.0` behind it; -1 means that it is none."""
    head, dot, tail = text.strip().partition(".")
    if head.isascii() and head.isdecimal() and len(head) <= _DIGITS and not tail.strip("0"):
        return int(head) if tail or not dot else -1
    return -1


class Labels:
    """Reads a column of texts that are decoded only when they are asked for."""

    def __init__(self, column: int) -> None:
        self.column = column
        self.start: list[Ints] = []
        self.end: list[Ints] = []
        self.raw = b""

    def add(self, cells: Cells) -> None:
        """Read some cells."""
        start, end = trimmed(cells, self.column)
        self.raw = cells.raw
        self.start.append(start)
        self.end.append(end)

    def all(self) -> ByteTexts:
        """Return what was read."""
        nothing = np.zeros(0, dtype=np.int64)
        starts, ends = [nothing, *self.start], [nothing, *self.end]
        return ByteTexts(self.raw, np.concatenate(starts), np.concatenate(ends))


class Texts:
    """Reads a column of texts as numbers, equal ones for equal texts.

    Equal neighbours are found by comparing their bytes, eight at a time. The first of each run
    is hashed; these are sorted by their hashes and compared with the first of their number, so
    that different texts of one hash are found out.
    """

    def __init__(self, column: int) -> None:
        self.column = column
        self.runs = 0
        self.run: list[Ints] = []
        self.start: list[Ints] = []
        self.end: list[Ints] = []
        self.hash: list[Words] = []
        self.raw = b""

    def add(self, cells: Cells) -> None:
        """Read some cells."""
        start, end = trimmed(cells, self.column)
        self.raw = cells.raw
        if not len(start):
            return
        length = end - start
        new = np.ones(len(start), dtype=bool)
        np.not_equal(length[1:], length[:-1], out=new[1:])
        words = [
            words_at(cells.raw, start, length, offset)
            for offset in range(0, max(int(length.max()), 1), _WORD)
        ]
        for word in words:
            new[1:] |= word[1:] != word[:-1]
        heads = np.flatnonzero(new)
        self.run.append(np.cumsum(new) + (self.runs - 1))
        self.runs += len(heads)
        self.start.append(start[heads])
        self.end.append(end[heads])
        self.hash.append(_mixed([word[heads] for word in words], length[heads]))

    def all(self) -> tuple[Ints, ByteTexts]:
        """Return the number of each text, and the text of each number."""
        nothing = np.zeros(0, dtype=np.int64)
        start, end = np.concatenate([nothing, *self.start]), np.concatenate([nothing, *self.end])
        heads = ByteTexts(self.raw, start, end)
        hashed = np.concatenate([nothing.astype(np.uint64), *self.hash])
        _, first, number = np.unique(hashed, return_index=True, return_inverse=True)
        if not _same(heads, first[number]):  # different texts of one hash: the sure way
            seen: dict[str, int] = {}
            sure = np.array([seen.setdefault(text, len(seen)) for text in heads], dtype=np.int64)
            _, first, number = np.unique(sure, return_index=True, return_inverse=True)
        return number[np.concatenate([nothing, *self.run])], heads.pick(first)


def trimmed(cells: Cells, column: int) -> tuple[Ints, Ints]:
    """Return where the cells of a column start and end, without blanks around them."""
    start, end = cells.start[:, column], cells.end[:, column]
    view = np.frombuffer(cells.raw, dtype=np.uint8)
    for _ in range(_FEW):
        blank = (view[start] == _SPACE) & (end > start)
        if not blank.any():
            break
        start = start + blank
    for _ in range(_FEW):
        blank = (view[end - 1] == _SPACE) & (end > start)
        if not blank.any():
            break
        end = end - blank
    return start, end


def words_at(raw: bytes, start: Ints, length: Ints, offset: int) -> Words:
    """Return eight bytes of each text from an offset on as an integer; less at its end."""
    words = np.ndarray((len(raw) - _WORD + 1,), dtype="<u8", buffer=raw, strides=(1,))
    found: Words
    if not offset:
        found = words[start] & _MASKS[np.minimum(length, _WORD)]
        return found
    left = np.clip(length - offset, 0, _WORD)
    found = words[np.minimum(start + offset, len(words) - 1)] & _MASKS[left]
    return found


def _mixed(words: list[Words], length: Ints) -> Words:
    """Return an integer for each text: up to eight bytes the text itself, else a hash of it."""
    hashed = words[0]
    for number, word in enumerate(words[1:], 1):
        at = np.flatnonzero(length > number * _WORD)
        mixed = (hashed[at] ^ word[at]) * _MIX
        hashed[at] = mixed ^ (mixed >> np.uint64(29))
    return hashed


def _same(texts: ByteTexts, first: Ints) -> bool:
    """Whether each text is equal to the one that is first of its number."""
    length = texts.end - texts.start
    if length.max(initial=0) <= _WORD:
        return True  # their hashes are the texts
    if not np.array_equal(length, length[first]):
        return False
    for offset in range(0, int(length.max(initial=0)), _WORD):
        at = np.flatnonzero(length > offset)
        ours = words_at(texts.raw, texts.start[at], length[at], offset)
        theirs = words_at(texts.raw, texts.start[first[at]], length[at], offset)
        if not np.array_equal(ours, theirs):
            return False
    return True
