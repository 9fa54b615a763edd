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
from scoref.alignment.document_pairing import ABSENT, Pairing, pair
from scoref.alignment.where import ALL, sliced
from scoref.base.allocation import reuse_memory
from scoref.base.arrays import Floats, Ints
from scoref.base.progress import progress
from scoref.corpus import fingerprint
from scoref.corpus.corpus import Corpus
from scoref.counts.counts import Counts
from scoref.engines.tables.corpora import Part, lean_parts, no_part, read_part
from scoref.engines.tables.crossing import cross
from scoref.engines.tables.parquet import ParquetSide, Sides
from scoref.engines.tables.scan import Scan
from scoref.engines.tables.shards import ROW_BYTES, Plan, Rows, divided, in_order, plan, row_bytes
from scoref.formats.table.columns import note_noise
from scoref.metrics import Metric
from scoref.overlap.table import Table
from scoref.policy import Policy
from scoref.preparation.duplicates_and_singletons import Repeats, resolve
from scoref.preparation.inferred_attributes import annotate
from scoref.result import Result, Side
from scoref.scoring import needs_of, needs_under, slice_note, suspicions


def score_documents(
    sides: Sides, metrics: tuple[Metric, ...], policy: Policy, memory: int
) -> Result:
    """Score two tables that have a column of documents; or neither, if all fits into memory."""
    reuse_memory()
    ours, theirs = (Scan.of(side) if side.has_documents else Scan.whole(side) for side in sides)
    pairing = _pairing(ours, theirs, policy)
    row = row_bytes(sides) if can_be_lean(sides, metrics, policy) else ROW_BYTES
    shards = plan(ours, theirs, pairing, memory, row)
    counting = _Counting(sides, (ours, theirs), shards, metrics, policy)
    counting.run(_rows_of_key(sides.key, ours, shards), _rows_of(sides.response, theirs, shards))
    return counting.result(pairing.notes)


def can_be_lean(sides: Sides, metrics: Iterable[Metric], policy: Policy) -> bool:
    """Whether mentions need only be told apart: neither measures nor policy look at them."""
    parts = [part for metric in metrics for part in metric.parts or (metric,)]
    exact = policy.match == "exact" and policy.where == ALL
    plain = all(side.is_plain for side in sides)
    alike = len({side.has_spans for side in sides}) == 1
    return exact and plain and alike and all(part.by_sums for part in parts)


def _pairing(ours: Scan, theirs: Scan, policy: Policy) -> Pairing:
    """Pair documents as those of any corpora, or at a glance if both sides have the same."""
    if ours.is_named and ours.names and ours.names == theirs.names:
        theirs.names = ours.names  # which gives back a tenth of the memory
        return Pairing(np.arange(len(theirs)), ())
    return pair(_only_documents(ours), _only_documents(theirs), policy)


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
class _Told:
    """What is said of a side when all of it has been counted."""

    mentions: int = 0
    entities: int = 0
    singletons: int = 0
    noise: int = 0
    repeats: Repeats = field(default_factory=Repeats)
    notes: dict[str, None] = field(default_factory=dict)


@dataclass(slots=True)
class _Counting:
    """Counts shards one after the other, and adds up what is told of the whole."""

    sides: Sides
    scans: tuple[Scan, Scan]
    plan: Plan
    metrics: tuple[Metric, ...]
    policy: Policy
    rows: dict[str, Floats] = field(init=False)
    hash_total: int = 0
    is_matched: bool = False
    aligned: int = 0
    told: tuple[_Told, _Told] = field(default_factory=lambda: (_Told(), _Told()))
    types: dict[str, None] = field(default_factory=dict)
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
        parts = lean_parts(self.sides, self.scans, rows) if self.is_lean else None
        is_lean = parts is not None
        if parts is None:
            parts = [_read(side, one) for side, one in zip(self.sides, rows, strict=True)]
        self.hash_total += parts[0].hash_total()
        ours, theirs = (part.corpus for part in parts)
        key_document = np.zeros(0, dtype=np.int64)
        if rows[1] is not None:
            place = self.plan.response[rows[1].numbers]
            key_document = np.where(place < self.plan.keys, place - first, ABSENT)
        if not is_lean:
            ours, theirs, types = annotate(
                ours, theirs, key_document, self.needs, self.policy.types
            )
            self.types.update(dict.fromkeys(types))
        cleaned = [resolve(side, self.policy) for side in (ours, theirs)]
        for at, told in enumerate(self.told):
            told.mentions += len(parts[at].corpus)
            told.entities += parts[at].corpus.entity_count
            told.singletons += cleaned[at].singletons
            told.noise += parts[at].noise
            told.notes.update(dict.fromkeys(parts[at].corpus.notes))
            repeats = cleaned[at].repeats
            if repeats.times and is_lean:  # what is repeated is told in the file's own words
                repeats = resolve(_read(self.sides[at], rows[at]).corpus, self.policy).repeats
            told.repeats += repeats
        if not ours.documents:  # but those that the key lacks
            return
        table = self._table(cleaned[0].corpus, cleaned[1].corpus, key_document, is_lean=is_lean)
        self.is_matched |= bool(len(table.count))
        for name, found in Counts.of(table, self.metrics).rows.items():
            self.rows[name][first : first + len(found)] = found

    def _table(self, key: Corpus, response: Corpus, key_document: Ints, *, is_lean: bool) -> Table:
        """Count what the entities of both sides share."""
        document = key_document[response.document] if len(response) else response.document
        if is_lean and not np.any(document == ABSENT):
            return cross(key, response, document)
        alignment = sliced(join(key, response, key_document, self.policy), self.policy.where)
        self.aligned += len(alignment.unit)
        return alignment.table()

    def result(self, pairing: Sequence[str]) -> Result:
        """Return the result of all shards."""
        ours, theirs = self.told
        of_sides = [
            note
            for side, told in zip(self.sides, self.told, strict=True)
            for note in (*note_noise(side.path, told.noise), *told.notes)
        ]
        notes = (
            *of_sides,
            *pairing,
            *self.types,
            *ours.repeats.notes(self.policy, "key"),
            *theirs.repeats.notes(self.policy, "response"),
            *suspicions(ours.mentions, theirs.mentions, matched=self.is_matched),
            *slice_note(self.aligned, self.policy),
        )
        key, response = (
            Side(
                source=side.path,
                documents=len(scan),
                mentions=told.mentions,
                entities=told.entities,
                duplicates_dropped=told.repeats.times,
                singletons_dropped=told.singletons,
            )
            for side, scan, told in zip(self.sides, self.scans, self.told, strict=True)
        )
        return Result(
            key=key,
            response=response,
            counts=Counts(tuple(self.scans[0].names), self.metrics, self.rows),
            policy=self.policy,
            signature=self.policy.signature(fingerprint.shown(self.hash_total)),
            notes=notes,
        )
