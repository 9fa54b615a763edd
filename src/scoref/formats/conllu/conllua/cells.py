"""The cells of CoNLL-UA, and their brackets, parsed together as one array of bytes.

    (EntityID=1|MarkableID=m1|Min=2(EntityID=2|MarkableID=m2)   opens a mention, and has another
    )                                                           closes the latest that is open
    m1)                                                         closes the one of that id

Nothing here touches a cell as text; what fields say is kept as codes of `Ids`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from scoref.base.arrays import Bools, Bytes, Ints
from scoref.formats.brackets.ids import Ids
from scoref.formats.brackets.pairing import CLOSE, OPEN, SINGLE, Cells
from scoref.formats.conllu.lines import Lines
from scoref.formats.io.lines import IS_BLANK

_OPEN, _CLOSE, _BAR, _EQUALS, _AT, _NEWLINE, _TAB, _I, _D = b"()|=@\n\tID"
_NOTHING = -1
_TABS = 9
_IS_NULL: Bools = np.zeros(256, dtype=bool)
_IS_NULL[list(b"_-")] = True


def looked_at(lines: Lines) -> Ints:
    """Return the rows that have a bracket or a field `...ID=`: others say nothing of mentions."""
    data = lines.block.data
    equals = np.flatnonzero(data == _EQUALS)
    equals = equals[(data[equals - 1] == _D) & (data[equals - 2] == _I)]
    brackets = np.flatnonzero((data == _OPEN) | (data == _CLOSE))
    marked = np.zeros(len(lines.is_word), dtype=bool)
    for places in (equals, brackets):
        marked[np.searchsorted(lines.block.start, places, side="right") - 1] = True
    return np.flatnonzero(marked & (lines.is_word | lines.is_empty))


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Some rows of a block: where each starts and ends, and how many cells it has.

    Rows with many tabs have a cell between any two of them; in other rows, which are `spaced`,
    cells have blanks between them. `first` is the first tab or cell of a row among all of the
    block, so that its columns need no search.
    """

    data: Bytes
    start: Ints
    end: Ints
    count: Ints
    first: Ints
    spaced: Ints
    tabs: Ints
    cells: tuple[Ints, Ints]

    @classmethod
    def of(cls, lines: Lines, rows: Ints) -> Rows:
        """Find the cells of some rows."""
        data, low, high = lines.block.data, lines.block.start[rows], lines.block.full_end[rows]
        tabs = np.flatnonzero(data == _TAB)
        first = np.searchsorted(tabs, low)
        count = np.searchsorted(tabs, high) - first + 1
        spaced = np.flatnonzero(count <= _TABS + 1)
        starts = stops = np.zeros(0, dtype=np.int64)
        if len(spaced):
            blank = IS_BLANK[data]
            blank[lines.block.full_end] = True
            edges = np.flatnonzero(np.diff(blank, prepend=True))  # a block ends with a blank
            starts, stops = edges[0::2], edges[1::2]
            first[spaced] = np.searchsorted(starts, low[spaced])
            count[spaced] = np.searchsorted(starts, high[spaced]) - first[spaced]
        return cls(data, low, high, count, first, spaced, tabs, (starts, stops))

    def column(self, column: int) -> tuple[Ints, Ints]:
        """Return where the cells of a column start and end, without blanks around them.

        Where a row has no such cell, it is empty.
        """
        ends = np.append(self.tabs, [len(self.data)] * (column + 2))
        at = np.minimum(self.first, len(self.tabs))
        start = ends[at + column - 1] + 1 if column else self.start
        start, end = np.minimum(start, self.end), np.minimum(ends[at + column], self.end)
        if len(self.spaced):
            there = column < self.count[self.spaced]
            at = np.where(there, self.first[self.spaced] + column, 0)
            starts, stops = (np.append(edge, 0)[at] for edge in self.cells)
            start[self.spaced] = np.where(there, starts, self.end[self.spaced])
            end[self.spaced] = np.where(there, stops, self.end[self.spaced])
        return _stripped(self.data, start, end)


def _stripped(data: Bytes, start: Ints, end: Ints) -> tuple[Ints, Ints]:
    """Leave out the blanks around texts."""
    start, end = start.copy(), end.copy()
    at = np.flatnonzero(start < end)
    while len(at := at[IS_BLANK[data[start[at]]]]):
        start[at] += 1
        at = at[start[at] < end[at]]
    at = np.flatnonzero(start < end)
    while len(at := at[IS_BLANK[data[end[at] - 1]]]):
        end[at] -= 1
        at = at[start[at] < end[at]]
    return start, end


def says_something(data: Bytes, start: Ints, end: Ints) -> Bools:
    """Mark the cells that are not empty, `_` or `-`."""
    told = end > start
    single = np.flatnonzero(end - start == 1)
    told[single] = ~_IS_NULL[data[start[single]]]
    return told


@dataclass(frozen=True, slots=True, eq=False)
class Brackets:
    """Brackets in the order of the file: the cell each stands in, what it does, its text.

    `bad` are the cells that have something else than brackets; of such a cell, only the
    brackets before it are there.
    """

    data: Bytes
    cell: Ints
    kind: Ints
    start: Ints
    end: Ints
    bad: Ints

    @classmethod
    def of(cls, data: Bytes, start: Ints, end: Ints) -> Brackets:
        """Find the brackets of some cells."""
        gathered, owner = Cells.gather(data, start, end, _NEWLINE)
        owner = np.append(owner, len(start))
        if _AT in gathered:  # an `@` may stand before an opening bracket, and says nothing
            keep = (gathered != _AT) | (np.append(gathered[1:], _NEWLINE) != _OPEN)
            gathered, owner = gathered[keep], owner[keep]
        is_break = (gathered == _OPEN) | (gathered == _CLOSE) | (gathered == _NEWLINE)
        places = np.flatnonzero(is_break)
        left, right = places[:-1], places[1:]
        opens, closes = gathered[left] == _OPEN, gathered[right] == _CLOSE
        kind = np.where(opens, np.where(closes, SINGLE, OPEN), np.where(closes, CLOSE, _NOTHING))
        bad = (right > left + 1) & (kind == _NOTHING)
        if _AT in gathered:
            bad[np.searchsorted(places, np.flatnonzero(gathered == _AT)) - 1] = True
        wrong = np.flatnonzero(bad)
        cells, first = np.unique(owner[left[wrong]], return_index=True)
        up_to = np.full(len(start) + 1, len(gathered))
        up_to[cells] = left[wrong[first]]
        rows = np.flatnonzero((kind != _NOTHING) & (left < up_to[owner[left]]))
        return cls(gathered, owner[left[rows]], kind[rows], left[rows] + 1, right[rows], cells)

    def text(self, row: int) -> str:
        """Return what stands in a bracket, or before a closing one."""
        return self.data[self.start[row] : self.end[row]].tobytes().decode()

    def ids(self, ids: Ids) -> tuple[Ints, Ints]:
        """Return what stands before each closing bracket, and of that what follows a `=`; or 0."""
        whole = np.zeros(len(self.kind), dtype=np.int64)
        value = np.zeros(len(self.kind), dtype=np.int64)
        for row in np.flatnonzero((self.kind == CLOSE) & (self.end > self.start)).tolist():
            text = self.text(row)
            whole[row] = ids.code(text.encode())
            value[row] = ids.code(text.rpartition("=")[2].encode())
        return whole, value

    def fields(self, names: Iterable[str], ids: Ids) -> tuple[dict[str, Ints], Ints]:
        """Return what opening brackets say in some fields, and those that are not made of fields.

        A field is a name, `=`, and a value, up to the next bar; of two of one name, the second
        counts.
        """
        opens = np.flatnonzero(self.kind != CLOSE)
        bars = np.flatnonzero(self.data == _BAR)
        low, high = np.searchsorted(bars, self.start[opens]), np.searchsorted(bars, self.end[opens])
        many = high - low + 1
        owner = np.repeat(np.arange(len(opens)), many)
        order = np.arange(len(owner)) - (np.cumsum(many) - many)[owner]
        bounds = np.append(bars, len(self.data))
        start = np.where(order == 0, self.start[opens][owner], bounds[low[owner] + order - 1] + 1)
        end = np.minimum(bounds[low[owner] + order], self.end[opens][owner])
        there = end > start
        owner, start, end = owner[there], start[there], end[there]
        signs = np.append(np.flatnonzero(self.data == _EQUALS), len(self.data))
        equals = signs[np.searchsorted(signs, start)]
        wrong = np.ones(len(opens), dtype=bool)
        wrong[owner] = False
        wrong[owner[equals >= end]] = True
        whole = equals < end
        owner, end, equals = owner[whole], end[whole], equals[whole]
        name_start, name_end = _stripped(self.data, start[whole], equals)
        value = _stripped(self.data, equals + 1, end)
        found = {}
        for name in names:
            at = _equal(self.data, name_start, name_end, name.encode())
            found[name] = np.zeros(len(self.kind), dtype=np.int64)
            found[name][opens[owner[at]]] = ids.encode(self.data, value[0][at], value[1][at])
        return found, opens[wrong]


def _equal(data: Bytes, start: Ints, end: Ints, text: bytes) -> Ints:
    """Return which of some texts are a given one; most are told by their lengths."""
    at = np.flatnonzero(end - start == len(text))
    for offset, letter in enumerate(text):
        at = at[data[start[at] + offset] == letter]
    return at


@dataclass(slots=True, eq=False)
class Paired:
    """Openings and their closings, as rows of brackets, and the brackets that have no partner."""

    opening: Ints
    closing: Ints
    unopened: Sequence[int]
    unclosed: Sequence[int]


def pair(kind: Ints, document: Ints, closes: Ints, names: Sequence[Ints]) -> Paired:
    """Pair brackets: one without an id closes the latest that is open, one with an id that one.

    `closes` are the ids before closing brackets, `names` those that openings go by. In a document
    whose brackets are all there and nest, an opening and its closing are neighbours among the
    brackets of one depth. Others are walked through, one bracket at a time.
    """
    single = np.flatnonzero(kind == SINGLE)
    others = np.flatnonzero(kind != SINGLE)
    opens = kind[others] == OPEN
    step = np.where(opens, 1, -1)
    depth = np.cumsum(step)
    first = np.flatnonzero(np.diff(document[others], prepend=_NOTHING))
    run = np.repeat(np.arange(len(first)), np.diff(np.append(first, len(others))))
    depth -= (depth[first] - step[first])[run]
    last = np.append(first[1:], len(others))[: len(first)] - 1
    unusual = depth[last] != 0
    unusual[run[depth < 0]] = True
    usual = np.flatnonzero(~unusual[run])
    level = (depth + ~opens)[usual]
    usual = usual[np.lexsort((usual, level, run[usual]))]
    opening, closing = others[usual[0::2]], others[usual[1::2]]
    told = closes[closing] != 0
    fits = np.any([name[opening] == closes[closing] for name in names], axis=0)
    unusual[run[np.searchsorted(others, closing[told & ~fits])]] = True
    kept = ~unusual[run[np.searchsorted(others, opening)]]
    walked = _walk(others[unusual[run]], kind, document, closes, names)
    return Paired(
        np.concatenate([single, opening[kept], walked.opening]),
        np.concatenate([single, closing[kept], walked.closing]),
        walked.unopened,
        walked.unclosed,
    )


def _walk(rows: Ints, kind: Ints, document: Ints, closes: Ints, names: Sequence[Ints]) -> Paired:
    pairs: list[tuple[int, int]] = []
    unopened = []
    waiting: dict[int, list[int]] = {}
    for row in rows.tolist():
        stack = waiting.setdefault(int(document[row]), [])
        if kind[row] == OPEN:
            stack.append(row)
            continue
        for at in reversed(range(len(stack))):
            if not closes[row] or any(name[stack[at]] == closes[row] for name in names):
                pairs.append((stack.pop(at), row))
                break
        else:
            unopened.append(row)
    found = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    unclosed = [row for stack in waiting.values() for row in stack]
    return Paired(found[:, 0], found[:, 1], unopened, unclosed)
