"""The brackets of `Entity=` values, parsed together as one array of bytes.

A value is a row of brackets: `(e1-person-1-` opens a mention, `e1)` closes one, `(e2--1-)` is
a mention of one node. Fields are told by their hyphens. Nothing here touches a value as text;
what the fields say is kept as integers, of which many are equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Bools, Bytes, Ints
from scoref.formats.brackets.ids import Ids
from scoref.formats.brackets.pairing import CLOSE, OPEN, SINGLE, Cells, alternating

_OPEN, _CLOSE, _BAR, _HYPHEN, _PART = b"()|-["
_NOTHING = -1
ID_FIELDS = ("eid", "GRP")


@dataclass(frozen=True, slots=True, eq=False)
class Chunks:
    """What stands in brackets, in the order of the file: of which value, what it does, where.

    `bad` are the values that have something else than brackets; of such a value, only the
    brackets before it are there.
    """

    data: Bytes
    value: Ints
    kind: Ints
    start: Ints
    end: Ints
    bad: Ints

    @classmethod
    def of(cls, data: Bytes, start: Ints, end: Ints) -> Chunks:
        """Find the brackets of some values."""
        gathered, owner = Cells.gather(data, start, end)
        is_break = (gathered == _OPEN) | (gathered == _CLOSE) | (gathered == _BAR)
        places = np.flatnonzero(is_break)
        left, right = places[:-1], places[1:]
        opens, closes = gathered[left] == _OPEN, gathered[right] == _CLOSE
        empty = right == left + 1
        kind = np.where(opens, np.where(closes, SINGLE, OPEN), np.where(closes, CLOSE, _NOTHING))
        wrong = np.flatnonzero((empty & (opens | closes)) | (~empty & ~opens & ~closes))
        bad, first = np.unique(owner[left[wrong]], return_index=True)
        up_to = np.full(len(start) + 1, len(gathered))
        up_to[bad] = left[wrong[first]]
        rows = np.flatnonzero((kind != _NOTHING) & (left < up_to[owner[left]]))
        return cls(gathered, owner[left[rows]], kind[rows], left[rows] + 1, right[rows], bad)

    def fields(self, count: int) -> list[tuple[Ints, Ints]]:
        """Return where each field of each chunk starts and ends; the last has the rest."""
        hyphens = np.flatnonzero(self.data == _HYPHEN)
        ends = np.append(hyphens, [len(self.data)] * (count + 1))
        first = np.searchsorted(hyphens, self.start)
        found, start = [], self.start
        for number in range(count - 1):
            end = np.minimum(ends[first + number], self.end)
            found.append((start, end))
            start = np.minimum(end + 1, self.end)
        return [*found, (start, self.end)]

    def in_parts(self) -> Bools:
        """Mark what may be the bracket of a part of a discontinuous mention: `(e7[1/2]`."""
        places = np.flatnonzero(self.data == _PART)
        return np.searchsorted(places, self.end) > np.searchsorted(places, self.start)


class Places(NamedTuple):
    """Where things stand: the node, the sentence and the line of each, counted in the file."""

    node: Ints
    sentence: Ints
    line: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Brackets:
    """Brackets in the order of the file: what each does, to which entity, and where.

    `fields` has what openings say, by the names in the header, as codes of `Ids`; 0 stands for
    nothing.
    """

    kind: Ints
    name: Ints
    in_parts: Bools
    node: Ints
    sentence: Ints
    line: Ints
    fields: dict[str, Ints]

    @classmethod
    def of(cls, chunks: Chunks, header: Sequence[str], ids: Ids, places: Places) -> Brackets:
        """Read the fields of brackets, as a header names them; `places` are those of values."""
        where = dict(zip(header, chunks.fields(len(header)), strict=True))
        closes = chunks.kind == CLOSE
        start, end = where[next(name for name in ID_FIELDS if name in header)]
        start, end = np.where(closes, chunks.start, start), np.where(closes, chunks.end, end)
        name = ids.encode(chunks.data, start, end)
        opens = np.flatnonzero(~closes)
        fields = {}
        for field, (start, end) in where.items():
            if field not in ID_FIELDS:
                fields[field] = np.zeros(len(name), dtype=np.int64)
                fields[field][opens] = ids.encode(chunks.data, start[opens], end[opens])
        node, sentence, line = (column[chunks.value] for column in places)
        return cls(chunks.kind, name, chunks.in_parts(), node, sentence, line, fields)

    @classmethod
    def join(cls, parts: Sequence[Brackets]) -> Brackets:
        """Put the brackets of consecutive blocks together; headers may be different."""
        nothing = np.zeros(0, dtype=np.int64)
        unsaid = [np.zeros(len(part.kind), dtype=np.int64) for part in parts]
        kind, name, node, sentence, line = (
            np.concatenate([nothing, *(getattr(part, column) for part in parts)])
            for column in ("kind", "name", "node", "sentence", "line")
        )
        in_parts = np.concatenate([nothing == 1, *(part.in_parts for part in parts)])
        fields = {
            field: np.concatenate(
                [part.fields.get(field, no) for part, no in zip(parts, unsaid, strict=True)]
            )
            for field in dict.fromkeys(field for part in parts for field in part.fields)
        }
        return cls(kind, name, in_parts, node, sentence, line, fields)


@dataclass(slots=True, eq=False)
class Paired:
    """Openings and their closings, as rows of brackets, and the brackets that have no partner.

    `walked` marks the pairs of entities that do something unusual.
    """

    opening: Ints
    closing: Ints
    walked: Bools
    unopened: list[int]
    unclosed: list[int]


def pair(kind: Ints, entity: Ints) -> Paired:
    """Pair the brackets of each entity: a closing one ends the latest that is open."""
    single = np.flatnonzero(kind == SINGLE)
    others = np.flatnonzero(kind != SINGLE)
    others = others[np.argsort(entity[others], kind="stable")]
    regular = alternating(kind[others], entity[others])
    unopened: list[int] = []
    # Only entities with a mention inside another of their own, or with a bracket that has no
    # partner, are walked through one bracket at a time.
    pairs: list[tuple[int, int]] = []
    waiting: dict[int, list[int]] = {}
    unusual = others[~regular]
    for row, of, what in zip(
        unusual.tolist(), entity[unusual].tolist(), kind[unusual].tolist(), strict=True
    ):
        stack = waiting.setdefault(of, [])
        if what == OPEN:
            stack.append(row)
        elif stack:
            pairs.append((stack.pop(), row))
        else:
            unopened.append(row)
    unclosed = [row for stack in waiting.values() for row in stack]
    walked = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    opening = np.concatenate([single, others[regular][0::2], walked[:, 0]])
    closing = np.concatenate([single, others[regular][1::2], walked[:, 1]])
    is_walked = np.arange(len(opening)) >= len(opening) - len(walked)
    return Paired(opening, closing, is_walked, unopened, unclosed)
