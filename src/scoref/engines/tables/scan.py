"""A first look at a table: its documents, in the order of the file, and their rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count, repeat
from typing import Any

import numpy as np

from scoref import fingerprint
from scoref.arrays import Ints, first_of_run, number_by_appearance
from scoref.corpus import UNKNOWN, Document
from scoref.engines.tables.parquet import ParquetSide
from scoref.engines.tables.values import Values
from scoref.exceptions import FormatError, Problem
from scoref.fingerprint import Hashes
from scoref.formats.tables import EMPTY_DOCUMENT
from scoref.progress import progress


@dataclass(slots=True)
class Scan:
    """The documents of a side by name, the rows of each, and the line where it begins."""

    number: dict[str, int] = field(default_factory=dict)
    line: list[int] = field(default_factory=list)
    hashes: list[Hashes] = field(default_factory=list)
    rows: Ints = field(default_factory=lambda: np.zeros(1024, dtype=np.int64))
    is_contiguous: bool = True
    documents: tuple[Document, ...] = ()

    @classmethod
    def of(cls, side: ParquetSide) -> Scan:
        """Read the column of documents."""
        scan = cls()
        problems: list[Problem] = []
        at, last = 0, 0
        with progress(f"looking at {side.path}", side.rows) as advance:
            for batch in side.batches(["document"]):
                column = batch.column(0)
                problems += _empty_cells(column, side, at)
                if not problems and len(column):
                    document = scan.add(Values.of(column), at)
                    # Documents are numbered as they appear: only a return to one falls back.
                    rises = document[0] >= last and (document[1:] >= document[:-1]).all()
                    scan.is_contiguous &= bool(rises)
                    last = int(document[-1])
                at += len(column)
                advance(len(column))
        if problems:
            raise FormatError(problems, side.path)
        scan.rows = scan.rows[: len(scan.number)].copy()
        names = scan.number
        unknown, path = repeat(UNKNOWN), repeat(side.path)
        scan.documents = tuple(map(Document, names, names, unknown, path, scan.line))
        scan.line.clear()
        scan.hashes = [np.concatenate([np.zeros(0, dtype=np.uint64), *scan.hashes])]
        return scan

    def add(self, values: Values, at: int) -> Ints:
        """Number the documents of some rows, the first of which is in a row of the file."""
        names, first, local = appearing(values)
        found = values._replace(numbers=values.numbers[first])
        known = len(self.number)
        self.number.update(zip([n for n in names if n not in self.number], count(known)))
        number = np.fromiter(map(self.number.__getitem__, names), dtype=np.int64, count=len(names))
        new = number >= known
        self.line += (at + 1 + first[new]).tolist()
        self.hashes.append(fingerprint.as_documents(found.hashes()[new]))
        while len(self.number) > len(self.rows):
            self.rows = np.concatenate([self.rows, np.zeros_like(self.rows)])
        self.rows[number] += np.bincount(local, minlength=len(number))
        return number[local]


def appearing(values: Values) -> tuple[list[str], Ints, Ints]:
    """Return different ids in the order in which they appear, their first rows, and all rows'."""
    starts = first_of_run(values.numbers)
    heads = np.flatnonzero(starts)
    local, first = number_by_appearance(values.numbers[heads])
    names = values.texts_of(values.numbers[heads[first]])
    return names, heads[first], local[np.cumsum(starts) - 1]


def _empty_cells(column: Any, side: ParquetSide, at: int) -> list[Problem]:
    """List the rows of a batch that do not say in which document they are."""
    if not column.null_count and not Values.of(column).has_any([""]):
        return []
    texts = column.cast(side.arrow.string()).fill_null("").to_pylist()
    found, expected, hint = EMPTY_DOCUMENT
    return [
        Problem(side.path, at + row + 1, found, expected, hint)
        for row, text in enumerate(texts)
        if not text
    ]
