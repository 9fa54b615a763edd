"""The cells of a delimited table as arrays, without an object per cell, and columns made of them.

NumPy splits rows at their delimiters if no cell is quoted, or if quotes are only around whole
cells. If a quoted cell holds a delimiter, a quote or a line end, Python's csv module splits the
whole table, at a fraction of the speed. Both split the same: a row ends at LF or CRLF, a CR
elsewhere must be in quotes, and blanks around a cell are part of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from scoref.base.arrays import Bools, Ints
from scoref.base.lazy_sequences import ASCII_BLANKS, ByteTexts
from scoref.base.phrases import counted
from scoref.exceptions import Problem
from scoref.formats.io.problems import Problems
from scoref.formats.io.text import MOST_DIGITS, is_whole_number

BLOCK = 1 << 18
WORD = 8
_NEWLINE, _RETURN, _QUOTE = 10, 13, 34

PADDING = bytes(WORD)
"""Must follow the bytes of cells, so that eight bytes can be loaded from any place."""

_LONG = 256
"""Texts of more bytes are compared one by one: one long text must not widen arrays of others."""

_MASKS = np.array([(1 << 8 * many) - 1 for many in range(WORD + 1)], dtype=np.uint64)
_NO_NUMBERS: Ints = np.zeros(0, dtype=np.int64)
_MIX = np.uint64(0x9E3779B97F4A7C15)
_HASHES = 1 << 64

Words = np.ndarray[Any, np.dtype[np.uint64]]
"""Eight bytes of each text as an integer."""


class TableCells(NamedTuple):
    """Rows of cells: cell (i, j) is `raw[start[i, j]:end[i, j]]`; `line` is that of each row.

    `raw` ends with PADDING.
    """

    raw: bytes
    start: Ints
    end: Ints
    line: Ints


class TableShape(NamedTuple):
    """The delimiter of a table, its number of columns, its first row's line, and its file."""

    delimiter: str
    width: int
    first_line: int
    path: str


def split_cells(
    data: bytes, at: int, shape: TableShape, odd: list[Problem]
) -> Iterator[TableCells]:
    """Split rows, from the byte `at` up to the PADDING; add rows of another width to `odd`."""
    returns = data.find(b"\r", at) >= 0 and _has_returns_in_rows(data, at)
    if data.find(b'"', at) < 0 and not returns:
        yield from _split_plain(data, at, shape, odd)
        return
    ragged_rows: list[Problem] = []
    blocks = [_unquote(block) for block in _split_plain(data, at, shape, ragged_rows)]
    are_split = data.count(b'"', at) == 2 * sum(quoted for _, quoted in blocks)
    if returns or ragged_rows or not are_split:
        yield _split_quoted(data[at:-WORD], shape, odd)
        return
    yield from (block for block, _ in blocks)


def _has_returns_in_rows(data: bytes, at: int) -> bool:
    """Whether a CR is anywhere but before a LF or at the end."""
    at_ends = data.count(b"\r\n", at) + (data[-WORD - 1 : -WORD] == b"\r")
    return data.count(b"\r", at) > at_ends


def _unquote(cells: TableCells) -> tuple[TableCells, int]:
    """Remove the quotes around cells; also return how many cells have them."""
    view = np.frombuffer(cells.raw, dtype=np.uint8)
    # A cell of one quote, such as either half of `","`, is not a quoted cell.
    quoted = (cells.end - cells.start >= 2) & (view[cells.end - 1] == _QUOTE)
    quoted &= view[cells.start] == _QUOTE
    unquoted = cells._replace(start=cells.start + quoted, end=cells.end - quoted)
    return unquoted, int(np.count_nonzero(quoted))


def _split_plain(
    data: bytes, at: int, shape: TableShape, odd: list[Problem]
) -> Iterator[TableCells]:
    """Split at every delimiter, in blocks of lines."""
    width = shape.width
    view = np.frombuffer(data, dtype=np.uint8)
    line, size = shape.first_line, len(data) - WORD
    while at < size:
        to = data.rfind(b"\n", at, min(at + BLOCK, size)) + 1 or data.find(b"\n", at) + 1 or size
        block = view[at:to]
        is_newline = block == _NEWLINE
        separators = np.flatnonzero(is_newline | (block == ord(shape.delimiter)))
        if not is_newline[-1]:  # the last line of a file can lack its end
            separators = np.append(separators, len(block))
            is_newline = np.append(is_newline, True)
        last = np.flatnonzero(is_newline[separators])
        cells = np.diff(last, prepend=-1)
        newline = separators[last] + at
        row_start = np.concatenate([[at], newline[:-1] + 1])
        lines = line + np.arange(len(last))
        if np.any(cells != width):
            good = cells == width
            wrong = np.stack([row_start, newline, lines, cells])[:, ~good].T.tolist()
            odd += [
                width_problem(number, found, shape)
                for first, end, number, found in wrong
                if found > 1 or data[first:end].strip(b"\r \t")  # a blank line is not a row
            ]
            separators = separators[np.repeat(good, cells)]
            row_start, lines = row_start[good], lines[good]
        ends = separators.reshape(-1, width) + at
        starts = np.empty_like(ends)
        starts[:, 0] = row_start
        starts[:, 1:] = ends[:, :-1] + 1
        ends[:, -1] -= (view[ends[:, -1] - 1] == _RETURN) & (ends[:, -1] > starts[:, -1])
        yield TableCells(data, starts, ends, lines)
        at, line = to, line + len(last)


def width_problem(line: int, found: int, shape: TableShape) -> Problem:
    """Return the problem of a row with more or fewer cells than the header."""
    expected = f"{shape.width} cells as in the header"
    hint = "put quotes around cells that hold a delimiter"
    return Problem(shape.path, line, f"a row of {counted(found, 'cell')}", expected, hint)


def _split_problem(line: int, error: str, shape: TableShape) -> Problem:
    """Return the problem of a row that Python's csv module cannot split."""
    if error.startswith("new-line"):
        found, expected = "a carriage return inside a row", "LF or CRLF at the end of each row"
        hint = "put quotes around a cell that holds a carriage return"
    else:
        found, expected = f"a row that cannot be split ({error})", "quotes around whole cells"
        hint = "write a quote inside of a quoted cell twice"
    return Problem(shape.path, line, found, expected, hint)


def _split_quoted(data: bytes, shape: TableShape, odd: list[Problem]) -> TableCells:
    import csv  # noqa: PLC0415  # only odd tables need it
    import io  # noqa: PLC0415

    text = io.StringIO(data.decode(), newline="\n")
    reader = csv.reader(text, delimiter=shape.delimiter, strict=True)
    texts: list[bytes] = []
    lines: list[int] = []
    begins = shape.first_line
    longest = csv.field_size_limit(max(len(data), 1))  # for this process, so it is set back
    try:
        for row in reader:
            if len(row) == shape.width:
                texts.extend(cell.encode() for cell in row)
                lines.append(begins)
            elif len(row) > 1 or "".join(row).strip("\r \t"):  # a blank line is not a row
                odd.append(width_problem(begins, len(row), shape))
            begins = shape.first_line + reader.line_num
    except csv.Error as error:
        odd.append(_split_problem(begins, str(error), shape))
    finally:
        csv.field_size_limit(longest)
    sizes = np.array([len(text) for text in texts], dtype=np.int64)
    end = np.cumsum(sizes).reshape(-1, shape.width)
    start = end - sizes.reshape(end.shape)
    return TableCells(b"".join([*texts, PADDING]), start, end, np.array(lines, dtype=np.int64))


def parse_digits(cells: TableCells, column: int) -> tuple[Ints, Bools]:
    """Return the number in each cell, and whether the cell is nothing but its digits."""
    start, end = cells.start[:, column], cells.end[:, column]
    view = np.frombuffer(cells.raw, dtype=np.uint8)
    length = end - start
    value = np.zeros(len(start), dtype=np.int64)
    fine = (length > 0) & (length <= MOST_DIGITS)
    for back in range(min(int(length.max(initial=0)), MOST_DIGITS)):
        there = length > back
        digit = view[end - 1 - back * there] - np.uint8(48)  # below 0 wraps to above 9
        fine &= ~there | (digit <= 9)
        value += digit * (there * 10**back)
    return value, fine


class NumberColumn:
    """A column of whole numbers; an empty cell is -1, and an invalid one -2."""

    def __init__(self, column: int, name: str, path: str) -> None:
        self.column, self.name = column, name
        self.parts = [_NO_NUMBERS]
        self.problems = Problems(path)

    def add(self, cells: TableCells) -> None:
        """Add the cells of a block."""
        start, end = cells.start[:, self.column], cells.end[:, self.column]
        value, fine = parse_digits(cells, self.column)
        value[~fine] = -1
        for row in np.flatnonzero(~fine & (end > start)).tolist():
            text = cells.raw[start[row] : end[row]].decode()
            value[row] = parse_number(text)
            if text.strip(ASCII_BLANKS) and value[row] < 0:
                value[row] = -2
                found = f"`{text[:40]}` in the column `{self.name}`"
                line = int(cells.line[row])
                hint = "write offsets in the text, counted from 0"
                self.problems.add(line, found, "a whole number from 0", hint)
        self.parts.append(value)

    def all(self) -> Ints:
        """Return all values."""
        return np.concatenate(self.parts)


def parse_number(text: str) -> int:
    """Parse a number with blanks around it or `.0` after it; -1 means that it is not a number."""
    head, dot, tail = text.strip(ASCII_BLANKS).partition(".")
    if is_whole_number(head) and not tail.strip("0"):
        return int(head) if tail or not dot else -1
    return -1


class LabelColumn:
    """A column of texts that are decoded only when they are used."""

    def __init__(self, column: int) -> None:
        self.column = column
        self.start = [_NO_NUMBERS]
        self.end = [_NO_NUMBERS]
        self.raw = b""

    def add(self, cells: TableCells) -> None:
        """Add the cells of a block."""
        self.raw = cells.raw
        self.start.append(cells.start[:, self.column])
        self.end.append(cells.end[:, self.column])

    def all(self) -> ByteTexts:
        """Return all values."""
        return ByteTexts(self.raw, np.concatenate(self.start), np.concatenate(self.end))


class CodedTextColumn:
    """A column of texts as numbers: equal numbers for equal texts.

    Equal neighbours are found by comparing their bytes, eight at a time. The first text of each run
    is hashed. Texts with one hash are compared, so that a collision is noticed.
    """

    def __init__(self, column: int) -> None:
        self.heads = LabelColumn(column)
        self.runs = 0
        self.run = [_NO_NUMBERS]
        self.hash: list[Words] = [_NO_NUMBERS.astype(np.uint64)]

    def add(self, cells: TableCells) -> None:
        """Add the cells of a block."""
        column = self.heads.column
        start, end = cells.start[:, column], cells.end[:, column]
        self.heads.raw = cells.raw
        if not len(start):
            return
        length = end - start
        longest = min(int(length.max()), _LONG)
        new = length > _LONG
        new[0] = True
        new[1:] |= length[1:] != length[:-1]
        words = [
            _words_at(cells.raw, start, length, offset)
            for offset in range(0, max(longest, 1), WORD)
        ]
        for word in words:
            new[1:] |= word[1:] != word[:-1]
        heads = np.flatnonzero(new)
        self.run.append(np.cumsum(new) + (self.runs - 1))
        self.runs += len(heads)
        start, end, length = start[heads], end[heads], length[heads]
        self.heads.start.append(start)
        self.heads.end.append(end)
        hashed = _mixed([word[heads] for word in words], length)
        for at in np.flatnonzero(length > _LONG).tolist():
            hashed[at] = hash(cells.raw[start[at] : end[at]]) % _HASHES
        self.hash.append(hashed)

    def all(self) -> tuple[Ints, ByteTexts]:
        """Return the number of each text, and the text of each number."""
        heads, hashed = self.heads.all(), np.concatenate(self.hash)
        _, first, number = np.unique(hashed, return_index=True, return_inverse=True)
        if not _same(heads, first[number]):  # a collision: number the texts one by one
            seen: dict[str, int] = {}
            sure = np.array([seen.setdefault(text, len(seen)) for text in heads], dtype=np.int64)
            _, first, number = np.unique(sure, return_index=True, return_inverse=True)
        return number[np.concatenate(self.run)], heads.pick(first)


def _words_at(raw: bytes, start: Ints, length: Ints, offset: int) -> Words:
    """Return eight bytes of each text, from an offset on, as an integer; fewer at its end."""
    words = np.ndarray((len(raw) - WORD + 1,), dtype="<u8", buffer=raw, strides=(1,))
    left = np.clip(length - offset, 0, WORD)
    found: Words = words[np.minimum(start + offset, len(words) - 1)] & _MASKS[left]
    return found


def _mixed(words: list[Words], length: Ints) -> Words:
    """Return an integer for each text: up to eight bytes the text itself, else a hash of it."""
    hashed = words[0]
    for number, word in enumerate(words[1:], 1):
        at = np.flatnonzero(length > number * WORD)
        mixed = (hashed[at] ^ word[at]) * _MIX
        hashed[at] = mixed ^ (mixed >> np.uint64(29))
    return hashed


def _same(texts: ByteTexts, first: Ints) -> bool:
    """Whether each text is equal to the first text of its number."""
    length = texts.end - texts.start
    if length.max(initial=0) <= WORD:
        return True  # their hashes are the texts
    if not np.array_equal(length, length[first]):
        return False
    for offset in range(0, min(int(length.max(initial=0)), _LONG), WORD):
        at = np.flatnonzero(length > offset)
        words = _words_at(texts.raw, texts.start[at], length[at], offset)
        expected = _words_at(texts.raw, texts.start[first[at]], length[at], offset)
        if not np.array_equal(words, expected):
            return False
    return all(
        texts.raw[texts.start[at] : texts.end[at]]
        == texts.raw[texts.start[first[at]] : texts.end[first[at]]]
        for at in np.flatnonzero(length > _LONG).tolist()
    )
