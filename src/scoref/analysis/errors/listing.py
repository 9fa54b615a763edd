"""Errors as columns: the kind and the rows of each error, in the order of the text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from scoref.analysis.aligned_mentions import AlignedMentions
from scoref.analysis.errors import kinds as k
from scoref.base.arrays import Bools, Ints, first_of_run
from scoref.metrics.table import NOWHERE


@dataclass(frozen=True, eq=False)
class Listing:
    """Errors as columns: the rows of error i are `rows[first[i]:first[i + 1]]`.

    `meant` has, for each row with a span error, the row of the key mention that it means.
    """

    kind: Ints
    first: Ints
    rows: Ints
    meant: Ints

    @classmethod
    def of(cls, mentions: AlignedMentions, marked: Mapping[str, Bools], meant: Ints) -> Listing:
        """List the errors in the order of the text, given the rows of each kind of error."""
        cell, row = mentions.cell, np.arange(len(meant))
        marked = {k.SPAN: meant != NOWHERE, **marked}
        # The rows of an error have the same label.
        labels = {k.CONFLATED: cell, k.DIVIDED: cell}
        labels |= {k.EXTRA_ENTITY: mentions.res, k.MISSING_ENTITY: mentions.key}
        columns = []
        for number, kind in enumerate(k.KINDS):
            label, rows = labels.get(kind, row), np.flatnonzero(marked[kind])
            rows = rows[np.lexsort((mentions.order[rows], label[rows]))]
            starts = np.flatnonzero(first_of_run(label[rows]))
            sizes = np.diff(starts, append=len(rows))
            columns.append((np.full(len(starts), number), sizes, rows))
        kind_of, size, rows = (np.concatenate(column) for column in zip(*columns, strict=True))
        listing = cls(kind_of, _offsets(size), rows, meant)
        return listing.take(np.lexsort((kind_of, mentions.order[listing.first_row])))

    def __len__(self) -> int:
        return len(self.kind)

    @property
    def first_row(self) -> Ints:
        """The first row of each error."""
        return self.rows[self.first[:-1]]

    def rows_of(self, error: int) -> list[int]:
        """Return the rows of one error."""
        rows: list[int] = self.rows[self.first[error] : self.first[error + 1]].tolist()
        return rows

    def take(self, errors: Ints) -> Listing:
        """Return the given errors, in the given order."""
        size = np.diff(self.first)[errors]
        first = _offsets(size)
        at = np.arange(int(first[-1])) + np.repeat(self.first[:-1][errors] - first[:-1], size)
        return replace(self, kind=self.kind[errors], first=first, rows=self.rows[at])

    def marked(self, kinds: set[str]) -> dict[str, Bools]:
        """Return the rows of each kind of error that is listed; other kinds have none."""
        kind = np.repeat(self.kind, np.diff(self.first))
        marked = {name: np.zeros(len(self.meant), dtype=bool) for name in k.KINDS}
        for name in kinds:
            marked[name][self.rows[kind == k.KINDS.index(name)]] = True
        return marked


def _offsets(sizes: Ints) -> Ints:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
