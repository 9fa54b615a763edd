"""Rows of a table as a corpus: as a reader makes it, or without texts where none are needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from scoref.base.arrays import Ints, number_by_appearance, pack
from scoref.base.lazy_sequences import LazySequence
from scoref.corpus import fingerprint
from scoref.corpus.builder import CorpusBuilder
from scoref.corpus.corpus import Corpus
from scoref.corpus.fingerprint import Hashes
from scoref.engines.tables.parquet import ParquetSide
from scoref.engines.tables.scan import Scan
from scoref.engines.tables.shards import Rows
from scoref.engines.tables.values import Values, as_numbers, codes_alike
from scoref.exceptions import FormatError
from scoref.formats.table.columns import NO_ENTITY, NOISE, note_noise
from scoref.formats.table.parquet import from_arrow

_MOST = 2**61


class Part(NamedTuple):
    """A part of a side, and how many mentions are noise; ids and documents that it was made of."""

    corpus: Corpus
    noise: int
    ids: Values | None = None
    documents: Hashes | None = None

    def hash_total(self) -> int:
        """Return what it adds to the fingerprint of a side."""
        corpus = self.corpus
        if self.documents is None:
            return corpus.hash_total()
        if self.ids is None:
            mentions = fingerprint.of_spans(corpus.start, corpus.end)
        else:
            mentions = self.ids.hashes()
        return fingerprint.total(self.documents, corpus.document, mentions, corpus.entity)


def read_part(side: ParquetSide, rows: Any, line: Ints) -> Part:
    """Make a corpus as the reader of the format does, with all that it checks."""
    corpus, problems = from_arrow(rows, side.layout, side.path, line)
    if problems:
        raise FormatError(side.placed(problems), side.path)
    is_noise = np.array([name == NOISE for name in corpus.entity_names], dtype=bool)
    noise = int(np.count_nonzero(is_noise[corpus.entity])) if is_noise.any() else 0
    told = note_noise(side.path, noise)  # it is counted over all parts, and told once
    corpus = replace(corpus, notes=tuple(note for note in corpus.notes if note not in told))
    return Part(corpus, noise)


def no_part(side: ParquetSide) -> Part:
    """Return the part of a side that has no rows in a shard."""
    return Part(CorpusBuilder(side.path).corpus(), 0)


def lean_parts(
    sides: Sequence[ParquetSide], scans: Sequence[Scan], rows: Sequence[Rows | None]
) -> list[Part] | None:
    """Make corpora of both sides in which a mention is a number, the same on both sides.

    None if any cell is odd: then the reader of the format has something to say or to do.
    """
    found = [_columns(side, one) for side, one in zip(sides, rows, strict=True)]
    columns = [one for one in found if one is not None]
    if len(columns) < len(found):
        return None
    if "mention" in columns[0]:
        for one, codes in zip(columns, codes_alike([c["mention"] for c in columns]), strict=True):
            one["start"] = one["end"] = Values(codes)
    return [
        _lean(side, scan, one, columns_of)
        for side, scan, one, columns_of in zip(sides, scans, rows, columns, strict=True)
    ]


def _columns(side: ParquetSide, rows: Rows | None) -> dict[str, Values] | None:
    """Return the columns by their roles, or None if a cell is empty or says nothing."""
    nothing = Values(np.zeros(0, dtype=np.int64))
    if rows is None:
        return dict.fromkeys([*side.layout.roles, "end"], nothing)
    columns: dict[str, Values] = {}
    for role in side.layout.roles:
        if role == "document":  # which are known
            continue
        column = rows.table.column(side.column(role))
        if column.null_count:
            return None
        is_place = role in ("start", "end", "stop")
        values = Values(as_numbers(column)) if is_place else Values.of(column)
        if not is_place and values.has_any(NO_ENTITY if role == "entity" else [""]):
            return None
        columns[role] = values
    if "stop" in columns:
        columns["end"] = Values(columns["stop"].numbers - 1)
    if "start" in columns:
        start, end = columns["start"].numbers, columns["end"].numbers
        if (start < 0).any() or (end < start).any() or (end > _MOST).any():
            return None
    return columns


def _lean(side: ParquetSide, scan: Scan, rows: Rows | None, columns: dict[str, Values]) -> Part:
    if rows is None:
        return no_part(side)
    entities = columns["entity"]
    entity, first_row = _number_entities(rows.document, *codes_alike([entities]))
    corpus = Corpus(
        documents=scan.documents(rows.numbers),
        document=rows.document,
        start=columns["start"].numbers,
        end=columns["end"].numbers,
        entity=entity,
        entity_names=_Names(entities, first_row),
        line=rows.line,
        source=side.path,
    )
    documents = scan.hashes[rows.numbers]
    return Part(corpus, entities.count(NOISE), columns.get("mention"), documents)


def _number_entities(document: Ints, codes: Ints) -> tuple[Ints, Ints]:
    """Number entities as they appear, and say where each does; none is in two documents.

    Few tables use an id in several documents: ids alone are numbered without being sorted, which
    takes a third of the time.
    """
    entity, first_row = number_by_appearance(codes)
    if np.array_equal(document[first_row][entity], document):
        return entity, first_row
    return number_by_appearance(pack(document, codes))


class _Names(LazySequence[str]):
    """The names of entities, made when one is asked for."""

    def __init__(self, values: Values, rows: Ints) -> None:
        self._values, self._rows = values, rows

    def __len__(self) -> int:
        return len(self._rows)

    def make(self, at: int) -> str:
        return self._values.text(int(self._rows[at]))
