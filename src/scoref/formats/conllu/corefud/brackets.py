"""The fields of the brackets in `Entity=` values, parsed as bytes.

A value is a row of brackets: `(e1-person-1-` opens a mention, `e1)` closes one, `(e2--1-)` is a
mention of one node. Hyphens separate fields, and the header `# global.Entity` names them. Fields
become integers, since many are equal.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scoref.base.arrays import Ints
from scoref.formats.brackets.chunks import Chunks
from scoref.formats.brackets.ids import Ids
from scoref.formats.brackets.pairing import CLOSE

_HYPHEN = ord("-")
ID_FIELDS = ("eid", "GRP")


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
