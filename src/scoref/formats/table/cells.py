"""The cells of a delimited table as arrays: where each starts and ends, without an object per cell.

NumPy splits rows at their delimiters if no cell is quoted, or if quotes are only around whole
cells. If a quoted cell holds a delimiter, a quote or a line end, Python's csv module splits the
whole table, at a fraction of the speed. Both split the same: a row ends at LF or CRLF, a CR
elsewhere must be in quotes, and blanks around a cell are part of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Ints
from scoref.base.phrases import counted
from scoref.exceptions import Problem

BLOCK = 1 << 18
WORD = 8
_NEWLINE, _RETURN, _QUOTE = 10, 13, 34

PADDING = bytes(WORD)
"""Must follow the bytes of cells, so that eight bytes can be loaded from any place."""


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
