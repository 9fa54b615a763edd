"""Brackets in the cells of a file, found in one array of bytes and paired by sorting.

There is no loop over cells, and no stack. Brackets are counted in the order of the file: an opening
bracket is one level deeper than what is around it. An opening bracket and the bracket that closes
it are then neighbours among the brackets of their level.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Bools, Bytes, Ints, first_of_run

# What a bracket does, in the order in which the reference scorer handles the brackets of a token:
# whole mentions of one token, then openings, then closings. INSIDE is an id without a bracket,
# which some tools write on every token inside a mention.
SINGLE, OPEN, INSIDE, CLOSE = range(4)
_STEP: Ints = np.array([0, 1, 0, -1])
_NONE = -1
_OPEN, _CLOSE, _BAR = b"()|"


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
