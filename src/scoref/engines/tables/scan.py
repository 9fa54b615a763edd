"""A first look at a table: its documents, in the order of the file, and their rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from scoref.base.arrays import GrowingArray, Ints, first_of_run
from scoref.base.lazy_sequences import LazySequence
from scoref.base.progress import progress
from scoref.corpus import fingerprint
from scoref.corpus.document import UNKNOWN, Document
from scoref.corpus.fingerprint import Hashes
from scoref.engines.tables.collisions import Checked
from scoref.engines.tables.numbering import Numbering
from scoref.engines.tables.parquet import ParquetSide
from scoref.engines.tables.values import Values
from scoref.exceptions import FormatError, Problem
from scoref.formats.table.columns import EMPTY_DOCUMENT

_UNNAMED = Document("#1", ("", 1))


class Scan:
    """The documents of a side, as they appear: their names, and the rows that each has."""

    def __init__(self, path: str) -> None:
        self.path, self.is_named = path, True
        self.names: list[str] = []
        self.is_contiguous = True
        self._line, self._rows = GrowingArray(), np.zeros(1024, dtype=np.int64)
        self._hashes: list[Hashes] = []
        self._numbering, self._checked = Numbering(), Checked("document")
        self._last = 0

    @classmethod
    def of(cls, side: ParquetSide) -> Scan:
        """Read the column of documents."""
        scan = cls(side.path)
        problems: list[Problem] = []
        at = 0
        with progress(f"looking at {side.path}", side.rows) as advance:
            for batch in side.batches(["document"]):
                column = batch.column(0)
                problems += _empty_cells(column, side, at)
                if not problems and len(column):
                    scan.add(Values.of(column), at)
                at += len(column)
                advance(len(column))
        if problems:
            raise FormatError(side.placed(problems), side.path)
        return scan

    @classmethod
    def whole(cls, side: ParquetSide) -> Scan:
        """Take a table without documents as one that has no name."""
        scan = cls(side.path)
        scan.is_named, scan.names = False, [_UNNAMED.name]
        scan._line.extend(np.ones(1, dtype=np.int64))
        scan._rows[0] = side.rows
        scan._hashes.append(fingerprint.of_documents([_UNNAMED.id]))
        return scan

    def __len__(self) -> int:
        return len(self.names)

    @property
    def rows(self) -> Ints:
        """The number of rows of each document."""
        return self._rows[: len(self)]

    @cached_property
    def hashes(self) -> Hashes:
        """The hash of each document in a fingerprint."""
        return np.concatenate([np.zeros(0, dtype=np.uint64), *self._hashes])

    @cached_property
    def line(self) -> Ints:
        """The line where each document begins."""
        return self._line.finish()

    def documents(self, numbers: Ints) -> Documents:
        """Return some documents."""
        return Documents(self, numbers)

    def numbers(self, values: Values) -> Ints:
        """Return the number of each row's document."""
        heads, rows = _runs(values)
        return np.repeat(self._numbering.find(_ids(values.at(heads))), rows)

    def add(self, values: Values, at: int) -> None:
        """Note the documents of some rows, the first of which is in a row of the file."""
        heads, rows = _runs(values)
        of_runs, known = values.at(heads), len(self)
        number = self._numbering.add(_ids(of_runs))
        # New documents get rising numbers: the first run of one is above all before.
        highest = np.maximum.accumulate(np.append([known - 1], number))
        first = np.flatnonzero(number > highest[:-1])
        new = of_runs.at(first)
        self.names += new.texts_of(new.numbers)
        self._line.extend(at + 1 + heads[first])
        self._hashes.append(fingerprint.as_documents(new.hashes()))
        self._checked.add(of_runs, number, len(self))
        while len(self) > len(self._rows):
            self._rows = np.concatenate([self._rows, np.zeros_like(self._rows)])
        np.add.at(self._rows, number, rows)
        # Only a return to a document falls back.
        rises = number[0] >= self._last and (number[1:] >= number[:-1]).all()
        self.is_contiguous &= bool(rises)
        self._last = int(number[-1])


def _runs(values: Values) -> tuple[Ints, Ints]:
    """Return where runs of equal ids begin, and how many rows each has."""
    heads = np.flatnonzero(first_of_run(values.numbers))
    return heads, np.diff(heads, append=len(values.numbers))


def _ids(values: Values) -> Ints:
    """Return ids as whole numbers: what they are, or the hashes of texts."""
    return values.numbers if values.texts is None else values.hashes().view(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Documents(LazySequence[Document]):
    """Some documents of a side."""

    scan: Scan
    numbers: Ints

    def __len__(self) -> int:
        return len(self.numbers)

    def make(self, at: int) -> Document:
        """Return one of them."""
        number = int(self.numbers[at])
        name, line = self.scan.names[number], int(self.scan.line[number])
        return Document(
            name, name if self.scan.is_named else _UNNAMED.id, UNKNOWN, self.scan.path, line
        )


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
