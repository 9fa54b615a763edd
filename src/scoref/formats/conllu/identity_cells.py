"""The rows, cells and brackets of CoNLL-UA, found as bytes.

(EntityID=1|MarkableID=m1|Min=2(EntityID=2|MarkableID=m2)   opens a mention, and has another
)                                                           closes the latest open mention
m1)                                                         closes the mention of that id
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from scoref.base.arrays import Bools, Bytes, Ints
from scoref.formats.brackets.parsing import CLOSE, OPEN, SINGLE, Chunks, Ids, pair
from scoref.formats.conllu.lines import Lines
from scoref.formats.io.lines import IS_BLANK

_OPEN, _CLOSE, _BAR, _EQUALS, _AT, _TAB, _NEWLINE = b"()|=@\t\n"
TABS = 9
"""Rows with more tabs have a cell between any two tabs; in other rows, blanks separate cells."""
_IS_NULL: Bools = np.zeros(256, dtype=bool)
_IS_NULL[list(b"_-")] = True


@dataclass(frozen=True, slots=True, eq=False)
class ConlluaRows:
    """Rows of a block: where each starts and ends, and how many cells it has.

    `spaced` are the rows in which blanks separate cells. `first` is the first tab of a row, or the
    first cell of a spaced row, among all of the block, so that its columns need no search.
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
    def of(cls, lines: Lines, rows: Ints) -> ConlluaRows:
        """Find the cells of rows."""
        data, low, high = lines.block.data, lines.block.start[rows], lines.block.full_end[rows]
        tabs = np.flatnonzero(data == _TAB)
        first = np.searchsorted(tabs, low)
        count = np.searchsorted(tabs, high) - first + 1
        spaced = np.flatnonzero(count <= TABS + 1)
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

        The cell of a row that is too short is empty.
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
        return strip(self.data, start, end)


def strip(data: Bytes, start: Ints, end: Ints) -> tuple[Ints, Ints]:
    """Strip the blanks around texts."""
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


def has_annotation(data: Bytes, start: Ints, end: Ints) -> Bools:
    """Mark the cells that are not empty, `_` or `-`."""
    marked = end > start
    single = np.flatnonzero(end - start == 1)
    marked[single] = ~_IS_NULL[data[start[single]]]
    return marked


def find_brackets(data: Bytes, start: Ints, end: Ints) -> tuple[Chunks, Ints]:
    """Find the brackets of cells, and list the cells that have anything else.

    An `@` before an opening bracket means nothing; elsewhere it is wrong.
    """
    chunks, wrong = Chunks.find((data, start, end), separator=_NEWLINE, prefix=_AT, allowed=CLOSE)
    marked = chunks.contain(chunks.data == _AT)
    if marked.any():
        wrong = np.union1d(wrong, chunks.cell[marked])
        chunks = chunks.where(~marked)
    return chunks, wrong


def parse_fields(chunks: Chunks, names: Iterable[str], ids: Ids) -> tuple[dict[str, Ints], Ints]:
    """Return the named fields of opening brackets, and the brackets that are not made of fields.

    A field is a name, `=`, and a value, up to the next bar. A bracket has each field once.
    """
    data = chunks.data
    opens = np.flatnonzero(chunks.kind != CLOSE)
    bars = np.flatnonzero(data == _BAR)
    first, last = chunks.start[opens], chunks.end[opens]
    low, high = np.searchsorted(bars, first), np.searchsorted(bars, last)
    many = high - low + 1
    owner = np.repeat(np.arange(len(opens)), many)
    order = np.arange(len(owner)) - (np.cumsum(many) - many)[owner]
    bounds = np.append(bars, len(data))
    start = np.where(order == 0, first[owner], bounds[low[owner] + order - 1] + 1)
    end = np.minimum(bounds[low[owner] + order], last[owner])
    there = end > start
    owner, start, end = owner[there], start[there], end[there]
    signs = np.append(np.flatnonzero(data == _EQUALS), len(data))
    equals = signs[np.searchsorted(signs, start)]
    wrong = np.ones(len(opens), dtype=bool)
    wrong[owner] = False
    wrong[owner[equals >= end]] = True
    whole = equals < end
    owner, end, equals = owner[whole], end[whole], equals[whole]
    name_start, name_end = strip(data, start[whole], equals)
    value_start, value_end = strip(data, equals + 1, end)
    wrong[owner[(name_end <= name_start) & (value_end > value_start)]] = True
    fields = {}
    for name in names:
        at = _equal(data, name_start, name_end, name.encode())
        wrong |= np.bincount(owner[at], minlength=len(opens)) > 1
        fields[name] = np.zeros(len(chunks.kind), dtype=np.int64)
        fields[name][opens[owner[at]]] = ids.encode(data, value_start[at], value_end[at])
    return fields, opens[wrong]


def _equal(data: Bytes, start: Ints, end: Ints, text: bytes) -> Ints:
    """Return which texts are the given one; the length rules out most."""
    at = np.flatnonzero(end - start == len(text))
    for offset, letter in enumerate(text):
        at = at[data[start[at] + offset] == letter]
    return at


def parse_closings(chunks: Chunks, ids: Ids) -> Ints:
    """Return what is before each closing bracket, as codes."""
    names = np.zeros(len(chunks.kind), dtype=np.int64)
    rows = np.flatnonzero((chunks.kind == CLOSE) & (chunks.end > chunks.start))
    names[rows] = ids.encode(chunks.data, chunks.start[rows], chunks.end[rows])
    return names


def pair_by_ids(
    kind: Ints, document: Ints, closes: Ints, ids: Sequence[Ints]
) -> tuple[Ints, Ints, Ints]:
    """Return the rows of opening brackets, of their closing brackets, and of unmatched ones.

    A closing bracket without an id closes the latest open bracket. One with an id `closes` the
    latest open bracket that has this id among its `ids`. Documents in which ids say otherwise than
    nesting are walked through one bracket at a time.
    """
    opening, closing, _, unmatched = pair(kind, document)
    fits = np.any([closes[closing] == 0, *(one[opening] == closes[closing] for one in ids)], axis=0)
    if fits.all():
        return opening, closing, unmatched
    crossing = np.isin(document, document[closing[~fits]])
    pairs, walked = _walk(np.flatnonzero(crossing & (kind != SINGLE)), kind, document, closes, ids)
    kept = ~crossing[opening] | (kind[opening] == SINGLE)
    return (
        np.concatenate([opening[kept], pairs[:, 0]]),
        np.concatenate([closing[kept], pairs[:, 1]]),
        np.concatenate([unmatched[~crossing[unmatched]], walked]),
    )


def _walk(
    rows: Ints, kind: Ints, document: Ints, closes: Ints, ids: Sequence[Ints]
) -> tuple[Ints, Ints]:
    """Return the pairs and the unmatched brackets of documents whose brackets cross."""
    pairs: list[tuple[int, int]] = []
    unmatched: list[int] = []
    waiting: dict[int, list[int]] = {}
    for row in rows.tolist():
        stack = waiting.setdefault(int(document[row]), [])
        if kind[row] == OPEN:
            stack.append(row)
            continue
        for at in reversed(range(len(stack))):
            if not closes[row] or any(one[stack[at]] == closes[row] for one in ids):
                pairs.append((stack.pop(at), row))
                break
        else:
            unmatched.append(row)
    unmatched.extend(row for stack in waiting.values() for row in stack)
    return np.array(pairs, dtype=np.int64).reshape(-1, 2), np.array(unmatched, dtype=np.int64)
