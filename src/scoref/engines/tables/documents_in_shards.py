"""Two tables scored by document, in shards of several documents, in memory that does not grow.

An index of the column of documents has all documents, the number of their rows, and whether both
tables have them in the same order. Then ranges of documents are read from both tables and
counted. A table whose documents have another order than the key's is divided into these ranges
first, in temporary files.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from scoref.base.arrays import Floats, Ints
from scoref.base.memory import keep_freed_memory
from scoref.base.progress import progress
from scoref.corpus import fingerprint
from scoref.corpus.corpus import Corpus
from scoref.counts.counts import Counts
from scoref.engines.local import assemble_result
from scoref.engines.tables import document_shards
from scoref.engines.tables.corpus_parts import CorpusPart, coded_parts, empty_part, read_part
from scoref.engines.tables.document_index import DocumentIndex
from scoref.engines.tables.row_table import CORPUS_ROW_BYTES, RowTable, TablePair
from scoref.engines.tables.unit_histogram import sums_suffice
from scoref.matching.alignment import TableEntities, count_cells, join
from scoref.matching.document_pairing import PairedCorpora, Pairing, pair_documents
from scoref.matching.duplicates_and_singletons import Cleaned, clean
from scoref.matching.inputs import ReadOptions
from scoref.matching.modes.exact import exact_codes, match_codes
from scoref.matching.near_misses import is_low
from scoref.matching.pipeline import join_sides, prepare
from scoref.matching.requirements import Requirements
from scoref.matching.summary import PreparationSummary, SideSummary
from scoref.metrics import Metric
from scoref.metrics.table import NOWHERE, Table
from scoref.policy import Policy
from scoref.result import Result


def score_documents(
    tables: TablePair[Any], metrics: tuple[Metric, ...], policy: Policy, memory: int
) -> Result:
    """Score two tables with a column of documents; or without one, if both fit into memory."""
    keep_freed_memory()
    key, response = DocumentIndex.of(tables.key), DocumentIndex.of(tables.response)
    pairing = _pair(key, response, policy)
    counter = count_documents(tables, (key, response), pairing, metrics, policy, memory=memory)
    counts = Counts(tuple(key.names), metrics, counter.counts)
    if counter.may_be_near_miss and tables.rows * CORPUS_ROW_BYTES <= memory:
        paths = tables.key.path, tables.response.path
        again = prepare(*paths, Requirements.of(metrics, policy, ReadOptions("parquet")))
        counter.summary.near_misses = again.summary.near_misses
    total = fingerprint.digest(counter.hash_total)
    return assemble_result(counts, counter.summary, policy, total)


def count_documents(
    tables: TablePair[Any],
    indexes: tuple[DocumentIndex, DocumentIndex],
    pairing: Pairing,
    metrics: tuple[Metric, ...],
    policy: Policy,
    *,
    memory: int,
) -> ShardCounter:
    """Count all documents of two tables, or of parts of tables, in so much memory."""
    is_coded = codes_suffice(tables, metrics, policy)
    row_bytes = document_shards.coded_row_bytes(tables) if is_coded else document_shards.ROW_BYTES
    plan = document_shards.plan_shards(*indexes, pairing, memory, row_bytes)
    of_key, of_response = (
        SideSummary(table.path, documents=len(index))
        for table, index in zip(tables, indexes, strict=True)
    )
    summary = PreparationSummary(of_key, of_response, pairing=pairing.notes)
    counter = ShardCounter(tables, indexes, plan, metrics, policy, summary, is_coded)
    counter.count()
    return counter


def codes_suffice(tables: TablePair[Any], metrics: Iterable[Metric], policy: Policy) -> bool:
    """Whether mentions can be replaced by codes: nothing but their equality is required."""
    return tables.is_plain and sums_suffice(metrics, policy)


def _pair(key: DocumentIndex, response: DocumentIndex, policy: Policy) -> Pairing:
    """Pair documents as those of any corpora, or at once if both sides have the same names."""
    if key.is_named and key.names and key.names == response.names:
        response.names = key.names  # which frees a tenth of the memory
        return Pairing(np.arange(len(response)), ())
    return pair_documents(key.without_mentions(), response.without_mentions(), policy)


def _read(table: RowTable, rows: document_shards.ShardRows | None) -> CorpusPart:
    return empty_part(table) if rows is None else read_part(table, rows.table, rows.line)


@dataclass(slots=True)
class ShardCounter:
    """Counts one shard after the other, and summarises all of them."""

    tables: TablePair[Any]
    indexes: tuple[DocumentIndex, DocumentIndex]
    plan: document_shards.ShardPlan
    metrics: tuple[Metric, ...]
    policy: Policy
    summary: PreparationSummary
    is_coded: bool
    counts: dict[str, Floats] = field(init=False)
    needs: frozenset[str] = field(init=False)
    hash_total: int = 0
    matched: int = 0

    def __post_init__(self) -> None:
        keys = self.plan.keys
        self.counts = {one.name: np.empty((keys, len(one.columns))) for one in self.metrics}
        self.needs = Requirements.of(self.metrics, self.policy).needs

    def count(self) -> None:
        """Count all shards."""
        plan = self.plan
        places = (np.arange(plan.keys), plan.response)
        both = (
            document_shards.read_shards(table, index, place, plan.bounds)
            for table, index, place in zip(self.tables, self.indexes, places, strict=True)
        )
        with progress("counting", self.tables.rows) as advance:
            for first, *rows in zip(plan.bounds[:-1], *both, strict=True):
                self._add(first, rows)
                advance(sum(len(one.line) for one in rows if one is not None))

    @property
    def may_be_near_miss(self) -> bool:
        """Whether so few spans match that it is worth the time to convert their positions."""
        mentions = self.summary.key.mentions, self.summary.response.mentions
        return self.tables.key.layout.has_spans and is_low(*mentions, self.matched)

    def _add(self, first: int, rows: Sequence[document_shards.ShardRows | None]) -> None:
        """Count a shard; `first` is the place of its first document."""
        key_document = np.zeros(0, dtype=np.int64)
        if rows[1] is not None:
            place = self.plan.response[rows[1].numbers]
            key_document = np.where(place < self.plan.keys, place - first, NOWHERE)
        parts = coded_parts(self.tables, self.indexes, rows) if self.is_coded else None
        if parts is not None:
            table = self._count_codes(parts, rows, key_document)
        else:
            parts = [_read(table, one) for table, one in zip(self.tables, rows, strict=True)]
            table = self._count_corpora(parts, key_document)
        self.hash_total += parts[0].hash_total()
        if table is None:
            return
        self.matched += int(table.count.sum())
        self.summary.has_matches |= bool(len(table.count))
        for name, found in Counts.of(table, self.metrics).rows.items():
            self.counts[name][first : first + len(found)] = found

    def _count_codes(
        self,
        parts: Sequence[CorpusPart],
        rows: Sequence[document_shards.ShardRows | None],
        key_document: Ints,
    ) -> Table | None:
        """Count what entities share if mentions are codes."""
        cleaned = [clean(part.corpus, self.policy) for part in parts]
        for at, one in enumerate(cleaned):
            if one.repeats.times:  # a note quotes the mention as the file writes it
                again = clean(_read(self.tables[at], rows[at]).corpus, self.policy)
                cleaned[at] = one._replace(repeats=again.repeats)
        self._summarise(parts, cleaned)
        key, response = (one.corpus for one in cleaned)
        if not key.documents:  # a shard of documents that the key lacks
            return None
        document = key_document[response.document] if len(response) else response.document
        if np.any(document == NOWHERE):
            return join(key, response, key_document, self.policy).table()
        return count_overlap(key, response, document)

    def _count_corpora(self, parts: Sequence[CorpusPart], key_document: Ints) -> Table | None:
        """Count what entities share as of any two corpora."""
        key, response = (part.corpus for part in parts)
        if not key.documents:
            self._summarise(parts, [clean(part.corpus, self.policy) for part in parts])
            return None
        pairing = Pairing(key_document, ())
        joined = join_sides(key, response, pairing, self.policy, self.needs)
        self._summarise(parts, joined.cleaned)
        self.summary.inferred.update(dict.fromkeys(joined.inferred))
        self.summary.scored += len(joined.alignment.unit)
        self.summary.has_matches |= joined.alignment.matched > 0
        return joined.alignment.table()

    def _summarise(self, parts: Sequence[CorpusPart], cleaned: Sequence[Cleaned]) -> None:
        sides = (self.summary.key, self.summary.response)
        for side, part, one in zip(sides, parts, cleaned, strict=True):
            side.add(part.corpus, one)
            side.unassigned += part.unassigned


def count_overlap(key: Corpus, response: Corpus, document: Ints) -> Table:
    """Count the mentions that entities share; units have no names.

    `document` is the key document of each response mention.
    """
    key_entity, key_unit, key_size = _number_entities(key, key.document)
    res_entity, res_unit, res_size = _number_entities(response, document)
    partner = match_codes(*exact_codes(PairedCorpora(key, response, document)))
    found = np.flatnonzero(partner != NOWHERE)
    cells = count_cells(key_entity[found], res_entity[partner[found]], len(res_size))
    return Table(("",) * len(key.documents), key_unit, key_size, res_unit, res_size, **cells)


def _number_entities(side: Corpus, document: Ints) -> tuple[Ints, Ints, Ints]:
    """Return the number of each mention's entity in the table; the document and size of each."""
    unit = np.zeros(side.entity_count, dtype=np.int64)
    unit[side.entity] = document
    size = np.bincount(side.entity, minlength=side.entity_count)
    if (unit[1:] >= unit[:-1]).all() and size.all():  # document by document, as in the table
        return side.entity, unit, size
    found = TableEntities.of(side.entity, document)
    return found.number[side.entity], found.unit, found.size
