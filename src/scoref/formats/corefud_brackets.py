"""The brackets of `Entity=` values, parsed together as one array of bytes.

A value is a row of brackets: `(e1-person-1-` opens a mention, `e1)` closes one, `(e2--1-)` is
a mention of one token. Fields are told by their hyphens. Nothing here touches a value as text;
the few that do something unusual are left to the reader.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoref.arrays import Bools, Bytes, Ints
from scoref.formats.brackets import CLOSE, OPEN, SINGLE, Cells, alternating
from scoref.formats.ids import Ids

_OPEN, _CLOSE, _BAR, _HYPHEN, _PART, _COMMA = b"()|-[,"
_NOTHING = -1


@dataclass(frozen=True, slots=True, eq=False)
class Chunks:
    """Brackets in the order of the file: the value each stands in, what it does, where it is."""

    data: Bytes
    value: Ints
    kind: Ints
    start: Ints
    end: Ints
    bad: Ints

    def field(self, number: int, fields: int) -> tuple[Ints, Ints]:
        """Return where a field of each opening bracket starts and ends; the last has the rest."""
        hyphens = np.flatnonzero(self.data == _HYPHEN)
        ends = np.append(hyphens, [len(self.data)] * (fields + 1))
        first = np.searchsorted(hyphens, self.start)
        start = self.start if number == 0 else ends[first + number - 1] + 1
        end = self.end if number == fields - 1 else np.minimum(ends[first + number], self.end)
        start = np.minimum(start, self.end)
        return start, np.maximum(end, start)

    def numbers(self, start: Ints, end: Ints) -> Ints:
        """Read whole numbers, up to a comma; -1 for nothing, -2 for what is no number."""
        number = np.zeros(len(start), dtype=np.int64)
        open_ = np.ones(len(start), dtype=bool)
        wrong = np.zeros(len(start), dtype=bool)
        for offset in range(int((end - start).max(initial=0))):
            at = np.flatnonzero((end - start > offset) & open_)
            byte = self.data[start[at] + offset]
            open_[at[byte == _COMMA]] = False
            digit = (byte >= ord("0")) & (byte <= ord("9"))
            wrong[at[~digit & (byte != _COMMA)]] = True
            number[at[digit]] = number[at[digit]] * 10 + (byte[digit] - ord("0"))
        number[start == end] = _NOTHING
        number[wrong] = -2
        return number

    def texts(self, start: Ints, end: Ints) -> NDArray[np.str_]:
        """Return fields as text."""
        ids = Ids()
        codes, number = np.unique(ids.encode(self.data, start, end), return_inverse=True)
        decoded = np.array([ids.decode(int(code)) if code else "" for code in codes])
        return decoded[number] if len(codes) else np.zeros(0, dtype="U1")

    def has_parts(self) -> Bools:
        """Mark the brackets of discontinuous mentions."""
        places = np.flatnonzero(self.data == _PART)
        low, high = np.searchsorted(places, self.start), np.searchsorted(places, self.end)
        return high > low


def parse(data: Bytes, start: Ints, end: Ints) -> Chunks:
    """Find the brackets of some values."""
    gathered, owner = Cells.gather(data, start, end)
    is_break = (gathered == _OPEN) | (gathered == _CLOSE) | (gathered == _BAR)
    places = np.flatnonzero(is_break)
    left, right = places[:-1], places[1:]
    opens, closes = gathered[left] == _OPEN, gathered[right] == _CLOSE
    empty = right == left + 1
    kind = np.where(opens, np.where(closes, SINGLE, OPEN), np.where(closes, CLOSE, _NOTHING))
    bad = (empty & (opens | closes)) | (~empty & ~opens & ~closes)
    rows = np.flatnonzero((kind != _NOTHING) & ~bad)
    value = owner[left[rows]]
    return Chunks(
        gathered, value, kind[rows], left[rows] + 1, right[rows], np.unique(owner[left[bad]])
    )


@dataclass(frozen=True, slots=True, eq=False)
class Names:
    """The entity of each bracket, as a number that stands for its name."""

    code: Ints
    ids: Ids
    is_missing: bool

    @classmethod
    def of(cls, chunks: Chunks, header: Sequence[str]) -> Names:
        """Read the name of each bracket: a field of what opens, all of what closes."""
        number = next(at for at, name in enumerate(header) if name in ("eid", "GRP"))
        start, end = chunks.field(number, len(header))
        closes = chunks.kind == CLOSE
        start, end = np.where(closes, chunks.start, start), np.where(closes, chunks.end, end)
        ids = Ids()
        return cls(ids.encode(chunks.data, start, end), ids, bool(np.any(start == end)))

    def text(self, code: int) -> str:
        """Return a name as it is written."""
        return self.ids.decode(code)


def pair_brackets(chunks: Chunks, entity: Ints) -> tuple[Ints, Ints, Ints]:
    """Pair opening and closing brackets, in the order in which they open; list unusual ones.

    Unusual are those of discontinuous mentions, and those of an entity with a mention inside
    another of its own, or with a bracket that has no partner.
    """
    parts = chunks.has_parts()
    single = np.flatnonzero((chunks.kind == SINGLE) & ~parts)
    paired = np.flatnonzero((chunks.kind != SINGLE) & ~parts)
    paired = paired[np.argsort(entity[paired], kind="stable")]
    regular = alternating(chunks.kind[paired], entity[paired])
    opening = np.concatenate([single, paired[regular][0::2]])
    closing = np.concatenate([single, paired[regular][1::2]])
    order = np.argsort(opening)
    unusual = np.sort(np.concatenate([paired[~regular], np.flatnonzero(parts)]))
    return opening[order], closing[order], unusual


def bracket_text(chunks: Chunks, number: int) -> str:
    """Write one bracket as it stands in its file."""
    content = chunks.data[chunks.start[number] : chunks.end[number]].tobytes().decode()
    kind = chunks.kind[number]
    return ("" if kind == CLOSE else "(") + content + ("" if kind == OPEN else ")")
