"""Brackets in the cells of a file, found in one array of bytes and paired by sorting; their ids.

There is no loop over cells, and no stack. Brackets are counted in the order of the file: an opening
bracket is one level deeper than what is around it. An opening bracket and the bracket that closes
it are then neighbours among the brackets of their level.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Bools, Bytes, Ints, first_of_run
from scoref.base.lazy_sequences import LazySequence

# What a bracket does, in the order in which the reference scorer handles the brackets of a token:
# whole mentions of one token, then openings, then closings. INSIDE is an id without a bracket,
# which some tools write on every token inside a mention.
SINGLE, OPEN, INSIDE, CLOSE = range(4)
_STEP: Ints = np.array([0, 1, 0, -1])
_NONE = -1
_OPEN, _CLOSE, _BAR = b"()|"
_SHORT = 7
_LONG_ID = 1 << 60
_MUCH = 1 << 20


class Chunks(NamedTuple):
    """Texts between brackets in the order of the file.

    `data[start:end]` is the text, `cell` the number of its cell, and `kind` says which brackets
    are around it.
    """

    data: Bytes
    cell: Ints
    kind: Ints
    start: Ints
    end: Ints

    @classmethod
    def find(
        cls,
        cells: tuple[Bytes, Ints, Ints],
        *,
        separator: int = _BAR,
        prefix: int | None = None,
        allowed: int | None = None,
    ) -> tuple[Chunks, Ints]:
        """Find the brackets of cells `data[start:end]`; also list the cells with anything else.

        A bracket without text is wrong, and so is text without a bracket, except for chunks of
        the kind `allowed`. A `separator` has a chunk on both sides. A `prefix` before an opening
        bracket is ignored.
        """
        data, owner = _gather(*cells, separator)
        breaks = np.flatnonzero((data == _OPEN) | (data == _CLOSE) | (data == separator))
        left, right = breaks[:-1], breaks[1:]
        opens, closes = data[left] == _OPEN, data[right] == _CLOSE
        kind = np.where(opens, np.where(closes, SINGLE, OPEN), np.where(closes, CLOSE, INSIDE))
        start, end = left + 1, right
        if prefix is not None and prefix in data:
            end = end - ((data[end - 1] == prefix) & (data[end] == _OPEN))
        has_text, has_bracket = end > start, opens | closes
        wrong = has_text != has_bracket
        if allowed is not None:
            wrong &= kind != allowed
        # Nothing before, after or between separators is what a lost bracket leaves.
        wrong |= ~has_text & (data[left] == separator) & (data[right] == separator)
        rows = np.flatnonzero((has_text | has_bracket) & ~wrong)
        chunks = cls(data, owner[left[rows]], kind[rows], start[rows], end[rows])
        refused = owner[left[wrong]]
        return chunks, refused[first_of_run(refused)]

    def where(self, rows: Bools) -> Chunks:
        """Keep some."""
        return Chunks(self.data, *(column[rows] for column in self[1:]))

    def text(self, row: int) -> bytes:
        """Return one of them."""
        return self.data[self.start[row] : self.end[row]].tobytes()

    def contain(self, marks: Bools) -> Bools:
        """Mark the chunks that contain any marked byte of the data."""
        places = np.flatnonzero(marks)
        if not len(places):
            return np.zeros(len(self.start), dtype=bool)
        first, last = np.searchsorted(places, (self.start, self.end))
        return np.asarray(last > first)


def _gather(data: Bytes, start: Ints, end: Ints, separator: int) -> tuple[Bytes, Ints]:
    """Copy cells into one array, with a separator before each cell and one after the last.

    Also return the cell of each byte.
    """
    length = end - start + 1
    first = np.cumsum(length) - length
    owner = np.repeat(np.arange(len(start)), length)
    index = np.arange(len(owner)) + (start - 1 - first)[owner]
    gathered = np.empty(len(owner) + 1, dtype=np.uint8)
    gathered[:-1] = data[index]
    gathered[first] = separator
    gathered[-1] = separator
    return gathered, owner


class BracketPairs(NamedTuple):
    """Rows of opening and closing brackets in the order of their openings, and their levels.

    A mention of one token in its own brackets is its own partner, on level 0. Other pairs have
    level 1, or more if they are inside another pair. `unmatched` are the rows of other brackets:
    openings, closings, and ids that are not inside a mention.
    """

    opening: Ints
    closing: Ints
    level: Ints
    unmatched: Ints


def pair(kind: Ints, group: Ints) -> BracketPairs:
    """Pair the brackets of each group, which are given in the order of the file.

    A closing bracket closes the latest open one. A group is an entity of a document, or a document
    in formats whose closing brackets have no ids.
    """
    rows = np.flatnonzero(kind != SINGLE)
    rows = rows[np.argsort(group[rows], kind="stable")]
    step = _STEP[kind[rows]]
    first = first_of_run(group[rows])
    number = np.cumsum(first) - 1
    depth = np.cumsum(step)
    depth -= (depth - step)[first][number]
    unmatched = np.zeros(len(rows), dtype=bool)
    if len(rows) and depth.min() < 0:
        unmatched = _take_out_unopened(depth, first, number)
    unmatched |= (step == 0) & (depth == 0)
    level = depth + (step < 0)
    order = np.flatnonzero((step != 0) & ~unmatched)
    deepest = int(level.max(initial=0))
    if deepest > 1:
        order = order[np.argsort((number * (deepest + 1) + level)[order], kind="stable")]
    opens = step[order] > 0
    is_closed = opens & ~np.append(opens, True)[1:]
    unmatched[order[opens & ~is_closed]] = True
    at = np.flatnonzero(is_closed)
    partner = np.where(kind == SINGLE, np.arange(len(kind)), _NONE)
    partner[rows[order[at]]] = rows[order[at + 1]]
    opening = np.flatnonzero(partner != _NONE)  # faster than sorting
    levels = np.zeros(len(kind), dtype=np.int64)
    levels[rows] = level
    return BracketPairs(opening, partner[opening], levels[opening], rows[unmatched])


def _take_out_unopened(depth: Ints, first: Bools, number: Ints) -> Bools:
    """Mark closing brackets that close nothing, and correct the depth behind them in place.

    They are where the depth of a group falls below all earlier ones. Groups are moved apart, so
    that one pass over all finds the lowest depth so far in each.
    """
    apart = number * (2 * len(depth) + 1)
    lowest = np.minimum(np.minimum.accumulate(depth - apart) + apart, 0)
    before = np.roll(lowest, 1)
    before[first] = 0
    depth -= lowest
    return lowest < before


class Ids:
    """Entity ids as integers and back: up to seven bytes are the integer, others are listed."""

    def __init__(self) -> None:
        self.listed: list[bytes] = []
        self.number: dict[bytes, int] = {}

    def encode(self, data: Bytes, start: Ints, end: Ints) -> Ints:
        """Return one integer for each `data[start:end]`."""
        length = end - start
        codes = np.zeros(len(start), dtype=np.int64)
        for offset in range(min(int(length.max(initial=0)), _SHORT)):
            at = np.flatnonzero(length > offset)
            codes[at] = codes[at] * 256 + data[start[at] + offset]
        long = np.flatnonzero(length > _SHORT)
        if len(long):  # slices of bytes cost a tenth of those of an array
            text = data.tobytes()
            spans = zip(start[long].tolist(), end[long].tolist(), strict=True)
            codes[long] = self._list([text[low:high] for low, high in spans])
        return codes

    def code(self, text: bytes) -> int:
        """Return the integer for one text."""
        return int.from_bytes(text, "big") if len(text) <= _SHORT else self._list([text])[0]

    def _list(self, texts: Sequence[bytes]) -> list[int]:
        """Number texts that are too long, as they appear."""
        number, listed = self.number, self.listed
        for text in texts:
            if text not in number:
                number[text] = _LONG_ID + len(listed)
                listed.append(text)
        return [number[text] for text in texts]

    def decode(self, code: int) -> str:
        """Return the id as it was written."""
        if code >= _LONG_ID:
            return self.listed[code - _LONG_ID].decode(errors="backslashreplace")
        return int(code).to_bytes(_SHORT, "big").lstrip(b"\0").decode(errors="backslashreplace")

    def decode_all(self, codes: Ints) -> tuple[list[str], Ints]:
        """Return the distinct texts of codes, and the number of each code's text."""
        different, number = np.unique(codes, return_inverse=True)
        return [self.decode(code) for code in different.tolist()], number

    def column(self, codes: Ints) -> NDArray[Any]:
        """Return the texts of codes as a column."""
        texts, number = self.decode_all(codes)
        return text_column(texts, len(codes))[number]


def text_column(texts: Sequence[str], rows: int) -> NDArray[Any]:
    """Make an array of texts, of which a column with `rows` rows will be made.

    NumPy gives each row the size of the longest text, and reads all of it to compare two. Where
    that would be many megabytes, the rows are Python strings.
    """
    longest = max(map(len, texts), default=0)
    return np.array(texts, dtype=object if longest * rows > _MUCH else np.str_)


def sparse_column(texts: dict[int, str], rows: int) -> NDArray[Any]:
    """Make a column of texts that few rows have."""
    values = text_column([*texts.values(), ""], rows)
    column = np.full(rows, "", dtype=values.dtype)
    column[list(texts)] = values[:-1]
    return column


class EntityNames(LazySequence[str]):
    """Names of entities as integers, decoded on access."""

    def __init__(self, codes: Ints, decode: Callable[[int], str]) -> None:
        self.codes, self.decode = codes, decode

    def __len__(self) -> int:
        return len(self.codes)

    def make(self, at: int) -> str:
        """Decode one of them."""
        return self.decode(int(self.codes[at]))

    def __iter__(self) -> Iterator[str]:
        return map(self.decode, self.codes.tolist())
