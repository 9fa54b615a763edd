"""DocumentIndex: the documents of a table in the order of its file, and the rows of each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from scoref.base.arrays import GrowingArray, Ints, first_of_run, number_by_appearance
from scoref.base.lazy_sequences import BLANKS, LazySequence
from scoref.base.progress import progress
from scoref.corpus import fingerprint
from scoref.corpus.corpus import Corpus
from scoref.corpus.document import UNKNOWN, Document
from scoref.corpus.fingerprint import Hashes
from scoref.engines.tables.id_column import IdColumn, NumberedTexts
from scoref.engines.tables.row_table import UNNAMED, RowTable
from scoref.exceptions import FormatError, Problem
from scoref.formats.table.columns import EMPTY_DOCUMENT

_WIDEST = 1 << 24


class DocumentIndex:
    """The documents of a table as they appear: their names, and the number of their rows.

    `is_contiguous` says whether the rows of each document are consecutive.
    """

    def __init__(self, path: str) -> None:
        self.path, self.is_named = path, True
        self.names: list[str] = []
        self.is_contiguous = True
        self._line, self._rows = GrowingArray(), np.zeros(1024, dtype=np.int64)
        self._hashes: list[Hashes] = []
        self._factorizer, self._texts = Factorizer(), NumberedTexts("document")
        self._last = 0

    @classmethod
    def of(cls, table: RowTable) -> DocumentIndex:
        """Read the column of documents; a table without one is a document without a name."""
        index = cls(table.path)
        if not table.has_documents:
            index.is_named, index.names = False, [UNNAMED.name]
            index._line.extend(np.ones(1, dtype=np.int64))
            index._rows[0] = table.rows
            index._hashes.append(fingerprint.of_documents([UNNAMED.id]))
            return index
        problems: list[Problem] = []
        at = 0
        with progress(f"indexing {table.path}", table.rows) as advance:
            for batch in table.batches(["document"]):
                column, line = batch.column(0), table.lines(at, at + batch.num_rows)
                problems += _empty_cells(column, table, line)
                if not problems and len(column):
                    index.add(IdColumn.of(column), line)
                at += len(column)
                advance(len(column))
        if problems:
            raise FormatError(table.locate(problems), table.path)
        return index

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

    def without_mentions(self) -> Corpus:
        """Return the documents, to be paired."""
        return Corpus.without_mentions(tuple(IndexedDocuments(self, np.arange(len(self)))))

    def find(self, ids: IdColumn) -> Ints:
        """Return the number of each row's document."""
        heads, rows = _runs(ids)
        return np.repeat(self._factorizer.find(_as_integers(ids.at(heads))), rows)

    def add(self, ids: IdColumn, line: Ints) -> None:
        """Add the documents of some rows, which are at these lines of the file."""
        heads, rows = _runs(ids)
        of_runs, known = ids.at(heads), len(self)
        number = self._factorizer.add(_as_integers(of_runs))
        # New documents get rising numbers: the first run of one is above all before.
        highest = np.maximum.accumulate(np.append([known - 1], number))
        first = np.flatnonzero(number > highest[:-1])
        new = of_runs.at(first)
        self.names += new.to_list()
        self._line.extend(line[heads[first]])
        self._hashes.append(fingerprint.as_documents(new.hashes()))
        self._texts.check(of_runs, number, len(self))
        while len(self) > len(self._rows):
            self._rows = np.concatenate([self._rows, np.zeros_like(self._rows)])
        np.add.at(self._rows, number, rows)
        # A number falls only where an earlier document returns.
        rises = number[0] >= self._last and (number[1:] >= number[:-1]).all()
        self.is_contiguous &= bool(rises)
        self._last = int(number[-1])


def _runs(ids: IdColumn) -> tuple[Ints, Ints]:
    """Return where runs of equal ids begin, and how many rows each has."""
    heads = np.flatnonzero(first_of_run(ids.numbers))
    return heads, np.diff(heads, append=len(ids.numbers))


def _as_integers(ids: IdColumn) -> Ints:
    """Return ids as integers: the integers that they are, or the hashes of texts."""
    return ids.numbers if ids.texts is None else ids.hashes().view(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class IndexedDocuments(LazySequence[Document]):
    """Some documents of an index, by their numbers."""

    source: DocumentIndex
    numbers: Ints

    def __len__(self) -> int:
        return len(self.numbers)

    def make(self, at: int) -> Document:
        """Return one of them."""
        number = int(self.numbers[at])
        name, line = self.source.names[number], int(self.source.line[number])
        id_ = name if self.source.is_named else UNNAMED.id
        return Document(name, id_, UNKNOWN, self.source.path, line)


def _empty_cells(column: Any, table: RowTable, line: Ints) -> list[Problem]:
    """List the rows of a batch without a document."""
    if not column.null_count and not IdColumn.of(column).has_any([""]):
        return []
    texts = column.cast(table.arrow.string()).fill_null("").to_pylist()
    found, expected, hint = EMPTY_DOCUMENT
    return [
        Problem(table.path, int(line[row]), found, expected, hint)
        for row, text in enumerate(texts)
        if not text.strip(BLANKS)
    ]


class Factorizer:
    """Numbers integer ids as they appear, like `pandas.factorize` in batches.

    Ids in a narrow range are looked up in an array, others in a sorted list. A dictionary looks up
    one id at a time: in a shuffled table of ten million rows that took longer than all else.
    """

    def __init__(self) -> None:
        self._count = 0
        self._low, self._dense = 0, np.zeros(0, dtype=np.int32)
        self._ids = self._numbers = np.zeros(0, dtype=np.int64)
        self._is_dense = True

    def __len__(self) -> int:
        return self._count

    def add(self, ids: Ints) -> Ints:
        """Return the number of each id; ids that were not met before get the next numbers."""
        found = self.find(ids)
        new = np.flatnonzero(found < 0)
        if len(new):
            number, first = number_by_appearance(ids[new])
            found[new] = self._count + number
            self._insert(ids[new[first]])
        return found

    def find(self, ids: Ints) -> Ints:
        """Return the number of each id, -1 for ids that were not met before."""
        found = np.full(len(ids), -1, dtype=np.int64)
        if self._is_dense:
            inside = np.flatnonzero((ids >= self._low) & (ids < self._low + len(self._dense)))
            found[inside] = self._dense[ids[inside] - self._low]
        elif len(self._ids):
            at = np.minimum(np.searchsorted(self._ids, ids), len(self._ids) - 1)
            there = self._ids[at] == ids
            found[there] = self._numbers[at[there]]
        return found

    def _insert(self, ids: Ints) -> None:
        """Give the next numbers to ids that are all different and new."""
        numbers = np.arange(self._count, self._count + len(ids))
        self._count += len(ids)
        if self._is_dense and not self._widen(int(ids.min()), int(ids.max())):
            known = np.flatnonzero(self._dense >= 0)
            self._ids, self._numbers = known + self._low, self._dense[known].astype(np.int64)
            self._is_dense, self._dense = False, np.zeros(0, dtype=np.int32)
        if self._is_dense:
            self._dense[ids - self._low] = numbers
            return
        order = np.argsort(ids)
        at = np.searchsorted(self._ids, ids[order])
        self._ids = np.insert(self._ids, at, ids[order])
        self._numbers = np.insert(self._numbers, at, numbers[order])

    def _widen(self, low: int, high: int) -> bool:
        """Make room for ids from `low` to `high`, unless the range is too wide."""
        if len(self._dense):
            low, high = min(low, self._low), max(high, self._low + len(self._dense) - 1)
        if high - low >= _WIDEST:
            return False
        if not len(self._dense):
            self._low = low
        before = self._low - low
        if before or high - low >= len(self._dense):
            # Twice what is needed: ids that rise are not copied at every batch.
            room = min(max(high - low + 1, 2 * len(self._dense)), _WIDEST)
            wider = np.full(room, -1, dtype=np.int32)
            wider[before : before + len(self._dense)] = self._dense
            self._low, self._dense = low, wider
        return True
