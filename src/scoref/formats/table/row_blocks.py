"""The rows of a delimited table in blocks, as they are read: memory does not grow with the file."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from scoref.base.arrays import Ints, expand_ranges
from scoref.corpus import fingerprint
from scoref.corpus.fingerprint import Hashes
from scoref.exceptions import FormatError
from scoref.formats.io.text import BYTE_ORDER_MARK, MOST_DIGITS, PeekableStream
from scoref.formats.table.cells import PADDING, TableCells, TableShape, parse_digits, split_cells
from scoref.formats.table.delimited import split_header, text_problems

_BLOCK = 1 << 24
_ZERO, _MINUS = ord("0"), ord("-")


def row_blocks(stream: PeekableStream, path: str) -> Iterator[TableCells]:
    """Split a table that is read once; no block divides a row."""
    buffered = io.BufferedReader(stream)
    data = buffered.read(_BLOCK).removeprefix(BYTE_ORDER_MARK)
    header = split_header(data)
    at, line, more = header.end, header.line + 1, data
    while more:
        more = buffered.read(_BLOCK)
        end = _end_of_rows(data, at) if more else len(data)
        shape = TableShape(header.delimiter, len(header.names), line, path)
        yield from _split(data[:end], at, shape)
        line += data.count(b"\n", at, end)
        at, data = 0, data[end:] + more


def _end_of_rows(data: bytes, at: int) -> int:
    """Return where the last complete row ends: at a line end that is in no quotes."""
    end = max(data.rfind(b"\n") + 1, at)
    is_quoted = data.count(b'"', at, end) % 2
    while end > at and is_quoted:
        before = max(data.rfind(b"\n", at, end - 1) + 1, at)
        is_quoted ^= data.count(b'"', before, end) % 2
        end = before
    return end


def _split(data: bytes, at: int, shape: TableShape) -> Iterator[TableCells]:
    odd = [
        replace(one, line=one.line + shape.first_line - 1)
        for one in text_problems(data[at:], shape.path)
    ]
    if not odd:
        for cells in split_cells(data + PADDING, at, shape, odd):
            if odd:
                break
            yield cells
    if odd:
        raise FormatError(odd, shape.path)


def hash_cells(cells: TableCells, column: int) -> Hashes:
    """Hash the ids of a column as a fingerprint does: numerals as integers, others as texts."""
    start, end = cells.start[:, column], cells.end[:, column]
    value, is_number = parse_digits(cells, column)
    view, length = np.frombuffer(cells.raw, dtype=np.uint8), end - start
    is_number &= (length == 1) | (view[start] != _ZERO)
    hashes = fingerprint.of_numbers(value)
    rest: Ints = np.flatnonzero(~is_number)
    if not len(rest):
        return hashes
    _, places = expand_ranges(start[rest], end[rest])
    hashes[rest] = fingerprint.of_bytes(view[places], length[rest])
    is_odd = (view[start[rest]] == _MINUS) | (length[rest] > MOST_DIGITS)
    for row in rest[is_odd & (length[rest] <= MOST_DIGITS + 2)].tolist():
        text = cells.raw[start[row] : end[row]].decode()
        if fingerprint.is_numeral(text):
            hashes[row] = fingerprint.of_numbers(np.array([int(text)]))[0]
    return hashes
