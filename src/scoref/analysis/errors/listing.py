"""Errors as columns: which kind, which rows, in the order of the text."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from scoref.analysis.errors import kinds as k
from scoref.analysis.aligned_mentions import AlignedMentions
from scoref.base.arrays import Bools, Ints, first_of_run
from scoref.overlap.table import NOWHERE


@dataclass(frozen=True, eq=False)
class Listing:
    """Errors as columns; the rows of error i are `rows[first[i]:first[i + 1]]`."""

    kind: Ints
    first: Ints
    rows: Ints
    meant: Ints

    @classmethod
    def of(cls, reading: AlignedMentions, found: k.Found, spans: tuple[Ints, Ints]) -> Listing:
        """List errors in the order of the text."""
        cell = reading.cell
        row = np.arange(len(cell))
        wrong, right = spans
        meant = np.full(len(cell), NOWHERE, dtype=np.int64)
        meant[wrong] = right
        marked = {
            k.SPAN: (row, marked_at(wrong, len(cell))),
            k.CONFLATED: (cell, np.append(found.conflated, False)[cell]),
            k.DIVIDED: (cell, np.append(found.divided, False)[cell]),
            k.EXTRA_MENTION: (row, found.extra_mention),
            k.EXTRA_ENTITY: (reading.res, found.extra_entity),
            k.MISSING_MENTION: (row, found.missing_mention),
            k.MISSING_ENTITY: (reading.key, found.missing_entity),
        }
        columns = []
        for number, kind in enumerate(k.KINDS):
            label, rows = marked[kind][0], np.flatnonzero(marked[kind][1])
            rows = rows[np.lexsort((reading.order[rows], label[rows]))]
            starts = first_of_run(label[rows])
            columns.append((np.full(int(starts.sum()), number), np.diff(_bounds(starts)), rows))
        kind_of, size = (np.concatenate([c[at] for c in columns]) for at in (0, 1))
        listing = cls(kind_of, _offsets(size), np.concatenate([c[2] for c in columns]), meant)
        place = reading.order[listing.rows[listing.first[:-1]]]
        return listing.take(np.lexsort((kind_of, place)))

    def __len__(self) -> int:
        return len(self.kind)

    def take(self, errors: Ints) -> Listing:
        """Return some errors, in this order."""
        size = np.diff(self.first)[errors]
        first = _offsets(size)
        at = np.arange(int(first[-1])) + np.repeat(self.first[:-1][errors] - first[:-1], size)
        return replace(self, kind=self.kind[errors], first=first, rows=self.rows[at])


def marked_at(rows: Ints, size: int) -> Bools:
    """Mark some of so many."""
    marked = np.zeros(size, dtype=bool)
    marked[rows] = True
    return marked


def _bounds(starts: Bools) -> Ints:
    return np.append(np.flatnonzero(starts), len(starts))


def _offsets(sizes: Ints) -> Ints:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
