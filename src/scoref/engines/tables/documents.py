"""Two tables scored by documents, some of them at a time, in memory that does not grow.

A first look at the column of documents tells which documents there are, how many rows each has,
and whether both sides have them in the same order. Then ranges of documents are read from both
files and counted as any corpus is. A side whose documents stand in another order than the key's
is divided into these ranges first, in temporary files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from scoref.alignment.alignment import join
from scoref.alignment.document_pairing import ABSENT, Pairing, pair_documents
from scoref.base.arrays import Floats, Ints
from scoref.base.malloc import keep_freed_memory
from scoref.base.progress import progress
from scoref.corpus import fingerprint
from scoref.corpus.corpus import Corpus
from scoref.counts.counts import Counts
from scoref.engines.assembly import assemble_result
from scoref.engines.one_unit import are_sums, matches_exactly
from scoref.engines.tables.corpora import Part, lean_parts, no_part, read_part
from scoref.engines.tables.crossing import cross
from scoref.engines.tables.parquet import ParquetSide, Sides
from scoref.engines.tables.scan import Scan
from scoref.engines.tables.shards import ROW_BYTES, Plan, Rows, divided, in_order, plan, row_bytes
from scoref.metrics import Metric
from scoref.overlap.table import Table
from scoref.policy import Policy
from scoref.preparation.duplicates_and_singletons import Cleaned, clean
from scoref.preparation.needs import needs_of, needs_under
from scoref.preparation.pipeline import join_sides
from scoref.preparation.summary import PreparationSummary, SideSummary
from scoref.result import Result


def score_documents(
    sides: Sides, metrics: tuple[Metric, ...], policy: Policy, memory: int
) -> Result:
    """Score two tables that have a column of documents; or neither, if all fits into memory."""
    keep_freed_memory()
    ours, theirs = (Scan.of(side) if side.has_documents else Scan.whole(side) for side in sides)
    pairing = _pairing(ours, theirs, policy)
    row = row_bytes(sides) if can_be_lean(sides, metrics, policy) else ROW_BYTES
    shards = plan(ours, theirs, pairing, memory, row)
    summary = PreparationSummary(
        key=SideSummary(sides.key.path, documents=len(ours)),
        response=SideSummary(sides.response.path, documents=len(theirs)),
        pairing=pairing.notes,
    )
    counting = _Counting(sides, (ours, theirs), shards, metrics, policy, summary)
    counting.run(_rows_of_key(sides.key, ours, shards), _rows_of(sides.response, theirs, shards))
    return counting.result()


def can_be_lean(sides: Sides, metrics: Iterable[Metric], policy: Policy) -> bool:
    """Whether mentions need only be distinguished: no metric and no policy requires more."""
    plain = all(side.is_plain for side in sides)
    alike = len({side.has_spans for side in sides}) == 1
    return plain and alike and matches_exactly(policy) and are_sums(metrics)


def _pairing(ours: Scan, theirs: Scan, policy: Policy) -> Pairing:
    """Pair documents as those of any corpora, or at a glance if both sides have the same."""
    if ours.is_named and ours.names and ours.names == theirs.names:
        theirs.names = ours.names  # which gives back a tenth of the memory
        return Pairing(np.arange(len(theirs)), ())
    return pair_documents(_only_documents(ours), _only_documents(theirs), policy)


def _only_documents(scan: Scan) -> Corpus:
    """Return a side without its mentions, whose documents can be paired."""
    return Corpus.without_mentions(tuple(scan.documents(np.arange(len(scan)))))


def _rows_of_key(side: ParquetSide, scan: Scan, shards: Plan) -> Iterator[Rows | None]:
    place = np.arange(shards.keys)
    if scan.is_contiguous:
        return in_order(side, scan.rows, place, shards.bounds)
    return divided(side, scan, place, shards.bounds)


def _rows_of(side: ParquetSide, scan: Scan, shards: Plan) -> Iterator[Rows | None]:
    if scan.is_contiguous and shards.response_is_in_order:
        return in_order(side, scan.rows, shards.response, shards.bounds)
    return divided(side, scan, shards.response, shards.bounds)


def _read(side: ParquetSide, rows: Rows | None) -> Part:
    return no_part(side) if rows is None else read_part(side, rows.table, rows.line)


@dataclass(slots=True)
class _Counting:
    """Counts shards one after the other, and summarises all of them."""

    sides: Sides
    scans: tuple[Scan, Scan]
    plan: Plan
    metrics: tuple[Metric, ...]
    policy: Policy
    summary: PreparationSummary
    rows: dict[str, Floats] = field(init=False)
    hash_total: int = 0
    needs: frozenset[str] = field(init=False)
    is_lean: bool = field(init=False)

    def __post_init__(self) -> None:
        documents = self.plan.keys
        self.rows = {one.name: np.empty((documents, len(one.columns))) for one in self.metrics}
        self.needs = needs_under(self.policy, needs_of(self.metrics))
        self.is_lean = can_be_lean(self.sides, self.metrics, self.policy)

    def run(self, key: Iterator[Rows | None], response: Iterator[Rows | None]) -> None:
        """Count all shards."""
        with progress("counting", sum(side.rows for side in self.sides)) as advance:
            for first, *rows in zip(self.plan.bounds[:-1], key, response, strict=True):
                self.add(first, rows)
                advance(sum(len(one.line) for one in rows if one is not None))

    def add(self, first: int, rows: list[Rows | None]) -> None:
        """Count a shard, whose key documents begin with this one."""
        key_document = np.zeros(0, dtype=np.int64)
        if rows[1] is not None:
            place = self.plan.response[rows[1].numbers]
            key_document = np.where(place < self.plan.keys, place - first, ABSENT)
        parts = lean_parts(self.sides, self.scans, rows) if self.is_lean else None
        if parts is not None:
            table = self._count_lean(parts, rows, key_document)
        else:
            parts = [_read(side, one) for side, one in zip(self.sides, rows, strict=True)]
            table = self._count_whole(parts, key_document)
        self.hash_total += parts[0].hash_total()
        if table is None:
            return
        self.summary.has_matches |= bool(len(table.count))
        for name, found in Counts.of(table, self.metrics).rows.items():
            self.rows[name][first : first + len(found)] = found

    def _count_lean(
        self, parts: list[Part], rows: list[Rows | None], key_document: Ints
    ) -> Table | None:
        """Count what entities share where mentions need only be distinguished."""
        cleaned = [clean(part.corpus, self.policy) for part in parts]
        for at, one in enumerate(cleaned):
            if one.repeats.times:  # a note quotes the mention as the file writes it
                again = clean(_read(self.sides[at], rows[at]).corpus, self.policy)
                cleaned[at] = one._replace(repeats=again.repeats)
        self._summarise(parts, cleaned)
        key, response = (one.corpus for one in cleaned)
        if not key.documents:  # a shard of documents that the key lacks
            return None
        document = key_document[response.document] if len(response) else response.document
        if np.any(document == ABSENT):
            return join(key, response, key_document, self.policy).table()
        return cross(key, response, document)

    def _count_whole(self, parts: list[Part], key_document: Ints) -> Table | None:
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
        return joined.alignment.table()

    def _summarise(self, parts: Sequence[Part], cleaned: Sequence[Cleaned]) -> None:
        sides = (self.summary.key, self.summary.response)
        for side, part, one in zip(sides, parts, cleaned, strict=True):
            side.add(part.corpus, one)
            side.unassigned += part.noise

    def result(self) -> Result:
        """Return the result of all shards."""
        counts = Counts(tuple(self.scans[0].names), self.metrics, self.rows)
        shown = fingerprint.digest(self.hash_total)
        return assemble_result(counts, self.summary, self.policy, shown)
