"""The rows of a delimited table in blocks, as they are read: memory does not grow with the file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from scoref.base.arrays import Ints, expand_ranges
from scoref.corpus import fingerprint
from scoref.corpus.fingerprint import Hashes
from scoref.exceptions import FormatError, Problem
from scoref.formats.io.lines import Stream
from scoref.formats.io.text import BYTE_ORDER_MARK, MOST_DIGITS
from scoref.formats.table.cells import PADDING, NumberColumn, TableCells, TableShape, split_cells
from scoref.formats.table.columns import EMPTY_DOCUMENT
from scoref.formats.table.delimited import split_header, text_problems

_BLOCK = 1 << 24
_ZERO, _MINUS = ord("0"), ord("-")


class RowBlocks:
    """A table that is read once, from its header to its end; no block divides a row."""

    def __init__(self, stream: Stream, path: str) -> None:
        self._stream, self.path = stream, path
        self._data = self._fill(b"").removeprefix(BYTE_ORDER_MARK)
        self.header = split_header(self._data)

    def _fill(self, rest: bytes) -> bytes:
        """Return what is left of a block, and the next bytes; nothing more means the end."""
        buffer = memoryview(bytearray(_BLOCK))
        filled = 0
        while filled < _BLOCK and (got := self._stream.readinto(buffer[filled:])):
            filled += got
        return rest + bytes(buffer[:filled])

    def __iter__(self) -> Iterator[TableCells]:
        header = self.header
        at, line, data = header.end, header.line + 1, self._data
        while True:
            more = self._fill(b"")
            end = _end_of_rows(data, at) if more else len(data)
            yield from self._split(data[:end], at, line)
            if not more:
                return
            line += data.count(b"\n", at, end)
            at, data = 0, data[end:] + more

    def _split(self, data: bytes, at: int, line: int) -> Iterator[TableCells]:
        header, odd = self.header, text_problems(data[at:], self.path)
        odd = [replace(one, line=one.line + line - 1) for one in odd]
        if not odd:
            shape = TableShape(header.delimiter, len(header.names), line, self.path)
            for cells in split_cells(data + PADDING, at, shape, odd):
                if odd:
                    break
                yield cells
        if odd:
            raise FormatError(odd, self.path)


def _end_of_rows(data: bytes, at: int) -> int:
    """Return where the last complete row ends: at a line end that is in no quotes."""
    end = max(data.rfind(b"\n") + 1, at)
    is_quoted = data.count(b'"', at, end) % 2
    while end > at and is_quoted:
        before = max(data.rfind(b"\n", at, end - 1) + 1, at)
        is_quoted ^= data.count(b'"', before, end) % 2
        end = before
    return end


def hash_cells(cells: TableCells, column: int) -> Hashes:
    """Hash the ids of a column as a fingerprint does: numerals as integers, others as texts."""
    start, end = cells.start[:, column], cells.end[:, column]
    view, length = np.frombuffer(cells.raw, dtype=np.uint8), end - start
    value = np.zeros(len(start), dtype=np.int64)
    is_number = (length > 0) & (length <= MOST_DIGITS)
    for back in range(min(int(length.max(initial=0)), MOST_DIGITS)):
        there = is_number & (length > back)
        digit = view[(end - 1 - back) * there] - np.uint8(_ZERO)  # below 0 wraps to above 9
        is_number &= ~there | (digit <= 9)
        value += digit * (there * 10**back)
    is_number &= (length == 1) | (view[start] != _ZERO)
    hashes = fingerprint.of_numbers(value)
    rest = np.flatnonzero(~is_number)
    if len(rest):
        _, places = expand_ranges(start[rest], end[rest])
        hashes[rest] = fingerprint.of_bytes(view[places], length[rest])
        is_odd = (view[start[rest]] == _MINUS) | (length[rest] > MOST_DIGITS)
        for row in rest[is_odd & (length[rest] <= MOST_DIGITS + 2)].tolist():
            text = cells.raw[start[row] : end[row]].decode()
            if fingerprint.is_numeral(text):
                hashes[row] = fingerprint.of_numbers(np.array([int(text)]))[0]
    return hashes


def span_cells(cells: TableCells, at: Mapping[str, int], path: str) -> tuple[Ints, Ints]:
    """Return the starts and the inclusive ends of mentions."""
    found = []
    for role in ("start_character", "start", "end_character", "end", "stop"):
        if role in at:
            column = NumberColumn(at[role], role, path)
            column.add(cells)
            values = column.all()
            if (values < 0).any():
                line = int(cells.line[int(np.argmax(values < 0))])
                raise FormatError(column.problems or [empty_cell(path, line, "mention")], path)
            found.append(values - (role == "stop"))
    return found[0], found[1]


_EMPTY = {
    "document": EMPTY_DOCUMENT,
    "mention": ("an empty mention cell", "the id of a mention", "remove the row"),
    "entity": (
        *("a mention without an entity", "an entity for each mention"),
        "remove rows without an entity, or give each mention an entity of its own",
    ),
}


def empty_cell(path: str, line: int, role: str) -> Problem:
    """Return the problem of a row without a document, a mention or an entity."""
    return Problem(path, line, *_EMPTY[role])
