"""The values of attributes in MISC, and the fields of brackets in `Entity=`, parsed as bytes.

A value is a row of brackets: `(e1-person-1-` opens a mention, `e1)` closes one, `(e2--1-)` is a
mention of one node. Hyphens separate fields, and the header `# global.Entity` names them. Fields
become integers, since many are equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Bools, Ints
from scoref.formats.brackets.parsing import CLOSE, Chunks, Ids
from scoref.formats.conllu.lines import Lines
from scoref.formats.io.lines import MarkedBytes

_TAB, _BAR, _EQUALS, _HYPHEN = b"\t|=-"
ID_FIELDS = ("eid", "GRP")
MISC = 9
"""The number of tabs before MISC."""


class MiscValues(NamedTuple):
    """Values of an attribute in MISC: where each starts and ends, and its line in the block."""

    start: Ints
    end: Ints
    line: Ints

    @classmethod
    def find(cls, lines: Lines, names: Iterable[bytes]) -> Iterator[MiscValues]:
        """Find the values of each of the named attributes.

        One pass over the bytes finds the equals signs of all attributes. Names are compared from
        their ends, where a few letters rule out most of the equals signs.
        """
        data = lines.block.data
        equals = np.flatnonzero(data == _EQUALS)
        is_tab = data == _TAB
        tabs = MarkedBytes(is_tab)
        breaks = np.append(np.flatnonzero(is_tab | (data == _BAR)), len(data))
        for name in names:
            at = equals
            for offset, letter in enumerate(reversed(name), 1):
                at = at[data[at - offset] == letter]
            before = data[at - len(name) - 1]
            start = at[(before == _TAB) | (before == _BAR)] + 1
            line = np.searchsorted(lines.block.start, start, side="right") - 1
            # A word can look like an attribute, in a column before MISC.
            first, here, last = map(
                tabs.before, (lines.block.start[line], start, lines.block.full_end[line])
            )
            in_misc = (here - first >= MISC) | (last - first < MISC)
            in_misc &= ~lines.is_comment[line]
            start, line = start[in_misc], line[in_misc]
            end = np.minimum(breaks[np.searchsorted(breaks, start)], lines.block.end[line])
            yield cls(start, np.maximum(start, end), line)

    def where(self, rows: Bools | slice) -> MiscValues:
        """Keep some."""
        return MiscValues._make(column[rows] for column in self)

    def repeated(self) -> Ints:
        """Return the rows whose line has an earlier value of the attribute."""
        return np.flatnonzero(self.line[1:] == self.line[:-1]) + 1

    def text(self, lines: Lines, row: int) -> str:
        """Return one value as it is written."""
        return lines.raw[self.start[row] : self.end[row]].decode()


def parse_fields(chunks: Chunks, header: Sequence[str], ids: Ids) -> tuple[Ints, dict[str, Ints]]:
    """Return the entity of each bracket, and the other fields of opening brackets."""
    where = dict(zip(header, _split(chunks, len(header)), strict=True))
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
    return name, fields


def _split(chunks: Chunks, count: int) -> list[tuple[Ints, Ints]]:
    """Return where each field of each chunk starts and ends; the last field has the rest."""
    hyphens = np.flatnonzero(chunks.data == _HYPHEN)
    ends = np.append(hyphens, [len(chunks.data)] * (count + 1))
    first = np.searchsorted(hyphens, chunks.start)
    found, start = [], chunks.start
    for number in range(count - 1):
        end = np.minimum(ends[first + number], chunks.end)
        found.append((start, end))
        start = np.minimum(end + 1, chunks.end)
    return [*found, (start, chunks.end)]
