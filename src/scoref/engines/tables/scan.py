"""A first look at a table: its documents, in the order of the file, and their rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from scoref import fingerprint
from scoref.arrays import Growing, Ints, first_of_run, number_by_appearance
from scoref.corpus import UNKNOWN, Document
from scoref.engines.tables.parquet import ParquetSide
from scoref.engines.tables.values import Values
from scoref.exceptions import FormatError, Problem
from scoref.fingerprint import Hashes
from scoref.formats.tables import EMPTY_DOCUMENT
from scoref.lazy import Lazy
from scoref.progress import progress

_UNNAMED = Document("#1", ("", 1))


class Scan:
    """The documents of a side, as they appear: their names, and the rows that each has.

    Ids that are whole numbers and only rise, as in a sorted table, are new by that, and nothing is
    looked up: a million documents take a fraction of a second.
    """

    def __init__(self, path: str) -> None:
        self.path, self.is_named = path, True
        self.names: list[str] = []
        self.is_contiguous = True
        self._line, self._rows = Growing(), np.zeros(1024, dtype=np.int64)
        self._hashes: list[Hashes] = []
        self._only_rises, self._highest, self._last = True, -1, 0

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

    @cached_property
    def number(self) -> dict[str, int]:
        """The number of each document, by its name."""
        return {name: at for at, name in enumerate(self.names)}

    def documents(self, numbers: Ints) -> Documents:
        """Return some documents."""
        return Documents(self, numbers)

    def add(self, values: Values, at: int) -> None:
        """Note the documents of some rows, the first of which is in a row of the file."""
        runs = Runs.of(values)
        known = len(self)
        found = values._replace(numbers=values.numbers[runs.first])
        number = self._numbers(found)
        new = number >= known
        self._line.extend(at + 1 + runs.first[new])
        self._hashes.append(fingerprint.as_documents(found.hashes()[new]))
        while len(self) > len(self._rows):
            self._rows = np.concatenate([self._rows, np.zeros_like(self._rows)])
        of_run = number[runs.document]
        np.add.at(self._rows, of_run, runs.rows)
        # Documents are numbered as they appear: only a return to one falls back.
        rises = of_run[0] >= self._last and (of_run[1:] >= of_run[:-1]).all()
        self.is_contiguous &= bool(rises)
        self._last = int(of_run[-1])

    def _numbers(self, found: Values) -> Ints:
        """Return the numbers of different documents, and give new ones to those not met before."""
        ids, known = found.numbers, len(self)
        rises = found.texts is None and int(ids[0]) >= self._highest and (ids[1:] > ids[:-1]).all()
        self._only_rises &= bool(rises)
        if self._only_rises:
            first = known - (int(ids[0]) == self._highest)  # which may go on from rows before
            self._highest = int(ids[-1])
            self.names += found.texts_of(ids[known - first :])
            return np.arange(first, len(self))
        number, names = self.number, found.texts_of(ids)
        numbers = [number.setdefault(name, len(number)) for name in names]
        self.names += [name for name, at in zip(names, numbers, strict=True) if at >= known]
        return np.array(numbers, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Documents(Lazy[Document]):
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


class Runs(NamedTuple):
    """The rows of a column, as runs of equal ids.

    `first` is the first row of each different id, as they appear; `document` is the place of each
    run's id among these, and `rows` the length of each run.
    """

    first: Ints
    document: Ints
    rows: Ints

    @classmethod
    def of(cls, values: Values) -> Runs:
        """Find the runs of a column."""
        heads = np.flatnonzero(first_of_run(values.numbers))
        document, first = number_by_appearance(values.numbers[heads])
        return cls(heads[first], document, np.diff(heads, append=len(values.numbers)))


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
