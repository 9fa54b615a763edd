"""CorpusPart: some rows of a table as a corpus, with all texts or with codes for mentions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from scoref.base.arrays import Ints, number_by_appearance, pack
from scoref.base.lazy_sequences import LazySequence
from scoref.corpus import fingerprint
from scoref.corpus.builder import CorpusBuilder
from scoref.corpus.corpus import Corpus
from scoref.corpus.fingerprint import Hashes
from scoref.engines.tables.document_index import DocumentIndex, IndexedDocuments
from scoref.engines.tables.document_shards import ShardRows
from scoref.engines.tables.id_column import IdColumn, common_codes
from scoref.engines.tables.row_table import RowTable
from scoref.exceptions import FormatError
from scoref.formats.table.columns import NOISE, note_noise
from scoref.formats.table.parquet import from_arrow

_FARTHEST = 2**61


class CorpusPart(NamedTuple):
    """A part of one side, and how many of its mentions are in the entity `-1`.

    If its mentions are codes, `documents` are the hashes of its documents, and `ids` the ids of
    its mentions unless these are spans.
    """

    corpus: Corpus
    unassigned: int
    ids: IdColumn | None = None
    documents: Hashes | None = None

    def hash_total(self) -> int:
        """Return what the part adds to the fingerprint of its side."""
        corpus = self.corpus
        if self.documents is None:
            return corpus.hash_total()
        if self.ids is None:
            mentions = fingerprint.of_spans(corpus.start, corpus.end)
        else:
            mentions = self.ids.hashes()
        return fingerprint.total(self.documents, corpus.document, mentions, corpus.entity)


def read_part(table: RowTable, rows: Any, line: Ints) -> CorpusPart:
    """Make a corpus as the reader of the format does, with all of its checks."""
    corpus, problems = from_arrow(rows, table, line)
    if problems:
        raise FormatError(table.locate(problems), table.path)
    is_unassigned = np.array([name == NOISE for name in corpus.entity_names], dtype=bool)
    unassigned = int(np.count_nonzero(is_unassigned[corpus.entity])) if is_unassigned.any() else 0
    of_part = note_noise(table.path, unassigned)  # the summary has a note on all parts
    corpus = replace(corpus, notes=tuple(note for note in corpus.notes if note not in of_part))
    return CorpusPart(table.complete(corpus), unassigned)


def empty_part(table: RowTable) -> CorpusPart:
    """Return the part of a side that has no rows in a shard."""
    return CorpusPart(table.complete(CorpusBuilder(table.path).corpus()), 0)


def coded_parts(
    tables: Sequence[RowTable],
    indexes: Sequence[DocumentIndex],
    rows: Sequence[ShardRows | None],
) -> list[CorpusPart] | None:
    """Make corpora in which a mention is an integer code, the same on both sides.

    None if a cell is empty or invalid, which only `read_part` can handle.
    """
    columns = []
    for table, shard in zip(tables, rows, strict=True):
        nothing = dict.fromkeys([*table.layout.roles, "end"], IdColumn(np.zeros(0, dtype=np.int64)))
        found = nothing if shard is None else table.id_columns(shard.table)
        if found is None or ("end" in found and (found["end"].numbers > _FARTHEST).any()):
            return None
        columns.append(found)
    if "mention" in columns[0]:
        for found, codes in zip(
            columns, common_codes([c["mention"] for c in columns]), strict=True
        ):
            found["start"] = found["end"] = IdColumn(codes)
    return list(map(_coded_part, tables, indexes, rows, columns))


def _coded_part(
    table: RowTable, index: DocumentIndex, rows: ShardRows | None, columns: dict[str, IdColumn]
) -> CorpusPart:
    if rows is None:
        return empty_part(table)
    entities = columns["entity"]
    entity, first_row = _number_entities(rows.document, *common_codes([entities]))
    corpus = Corpus(
        documents=IndexedDocuments(index, rows.numbers),
        document=rows.document,
        start=columns["start"].numbers,
        end=columns["end"].numbers,
        entity=entity,
        entity_names=_EntityNames(entities.at(first_row)),
        line=rows.line,
        source=table.path,
    )
    documents = index.hashes[rows.numbers]
    return CorpusPart(corpus, entities.count(NOISE), columns.get("mention"), documents)


def _number_entities(document: Ints, codes: Ints) -> tuple[Ints, Ints]:
    """Number entities as they appear, and say where each does; none is in two documents.

    Few tables use an id in several documents. To number ids alone needs no sorting, and takes a
    third of the time.
    """
    entity, first_row = number_by_appearance(codes)
    if np.array_equal(document[first_row][entity], document):
        return entity, first_row
    return number_by_appearance(pack(document, codes))


@dataclass(frozen=True, slots=True, eq=False)
class _EntityNames(LazySequence[str]):
    """The names of entities, decoded on access."""

    ids: IdColumn

    def __len__(self) -> int:
        return len(self.ids.numbers)

    def make(self, at: int) -> str:
        return self.ids.at(np.array([at])).to_list()[0]
