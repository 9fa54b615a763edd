"""Two tables without documents, all one unit: the records of entity resolution.

Rows are divided by the hash of their mention, so that both sides of a mention meet in one part;
then the pairs of entities that share it are divided by key entity, which gives cells and the
sizes of key entities, and at last by response entity. What is left is a histogram of alike cells
and entities. Parts are temporary files that each fit into memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from scoref.alignment.where import ALL
from scoref.base.allocation import reuse_memory
from scoref.base.arrays import Ints
from scoref.base.memory import shown
from scoref.base.progress import progress
from scoref.corpus import fingerprint
from scoref.corpus.corpus import Document
from scoref.counts.counts import Counts
from scoref.engines.tables.alignable import Alignable
from scoref.engines.tables.collisions import part_of
from scoref.engines.tables.corpora import read_part
from scoref.engines.tables.gathering import gather
from scoref.engines.tables.joining import Joined, repeated, together, without_singletons
from scoref.engines.tables.parquet import ParquetSide, Sides
from scoref.engines.tables.reading import Reader, Records
from scoref.engines.tables.spill import MOST_PARTS, Columns
from scoref.exceptions import UsageError
from scoref.formats.table.columns import note_noise
from scoref.metrics import Metric
from scoref.metrics.ceaf import phis_of
from scoref.policy import Policy
from scoref.preparation.duplicates_and_singletons import Repeats, resolve
from scoref.result import Result, Side
from scoref.scoring import suspicions

ROW_BYTES = 120
"""Memory that a row takes while its part is joined, with room to spare."""

_UNIT = Document("#1", ("", 1))
_NOTE = "documents without a name are paired by their position in the file"


def score_records(sides: Sides, metrics: tuple[Metric, ...], policy: Policy, memory: int) -> Result:
    """Score two tables that are one unit each."""
    _check(sides, metrics, policy, memory)
    reuse_memory()
    joining = _Joining(sides, policy, memory)
    gathered = gather(joining.run(), Alignable(phis_of(metrics)))
    rows = gathered.histogram()
    ours, theirs = joining.told
    notes = (
        *note_noise(sides.key.path, ours.noise),
        *note_noise(sides.response.path, theirs.noise),
        _NOTE,
        *ours.repeats.notes(policy, "key"),
        *theirs.repeats.notes(policy, "response"),
        *suspicions(sides.key.rows, sides.response.rows, matched=bool(len(rows.cells.shared))),
    )
    key, response = (
        Side(
            source=side.path,
            documents=1,
            mentions=side.rows,
            entities=entities,
            duplicates_dropped=told.repeats.times,
            singletons_dropped=told.singletons,
        )
        for side, told, entities in zip(
            sides, joining.told, (gathered.keys, gathered.responses), strict=True
        )
    )
    hash_total = _hash_of_unit() + gathered.hash_total
    return Result(
        key=key,
        response=response,
        counts=Counts.of(rows.table(_UNIT.name, gathered.alignable.best(memory)), metrics),
        policy=policy,
        signature=policy.signature(fingerprint.shown(hash_total)),
        notes=notes,
    )


def _hash_of_unit() -> int:
    """Return what the unit itself adds to a fingerprint."""
    none = np.zeros(0, dtype=np.int64)
    document = fingerprint.of_documents([_UNIT.id])
    return fingerprint.total(document, none, none.view(np.uint64), none)


def _check(sides: Sides, metrics: tuple[Metric, ...], policy: Policy, memory: int) -> None:
    """Refuse what looks at single mentions."""
    hint = f"raise --memory, which is {shown(memory)}, so that the tables are scored at once"
    parts = [part for metric in metrics for part in metric.parts or (metric,)]
    if other := [part.name for part in parts if not part.by_sums]:
        raise UsageError(
            f"{other[0]} looks at single mentions, of which a table larger than memory has too"
            " many",
            hint,
        )
    if policy.match != "exact" or policy.where != ALL:
        asked = f"--match {policy.match}" if policy.match != "exact" else f"--where {policy.where}"
        raise UsageError(f"{asked} is not possible for a table larger than memory", hint)
    if len({side.has_spans for side in sides}) > 1 or not all(side.is_plain for side in sides):
        raise UsageError(
            "tables larger than memory that have no documents need the columns `mention` and"
            " `entity`, or `start`, `end` and `entity`, the same on both sides",
            hint,
        )


@dataclass(slots=True)
class _Told:
    """What is said of a side, and the lines that repeat a mention."""

    singletons: int = 0
    noise: int = 0
    repeats: Repeats = field(default_factory=Repeats)
    dropped: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))


class _Joining:
    """Cleans both sides as the policy says, and joins them."""

    def __init__(self, sides: Sides, policy: Policy, memory: int) -> None:
        rows = sum(side.rows for side in sides)
        self.sides, self.policy = sides, policy
        self.told = (_Told(), _Told())
        self._parts = min(2 * rows * ROW_BYTES // memory + 1, MOST_PARTS)
        self._reader = Reader(sides, self._parts)

    def run(self) -> Joined:
        """Join; again if mentions are repeated, when it is known which of them stay."""
        drops = self.policy.singletons == "drop"
        joined, found = self._join(only_look=drops)
        if not drops and not any(len(one.line) for one in found):
            return joined
        joined.close()
        for side, told, one in zip(self.sides, self.told, found, strict=True):
            if len(one.line):
                self._resolve(side, told, one)
        return self._join(only_look=False)[0]

    def _join(self, *, only_look: bool) -> tuple[Joined, list[Records]]:
        """Return the join, and the rows of repeated mentions; with these, it is not whole."""
        divided = [Columns(self._parts, 4) for _ in self.sides]
        joined = Joined(self._parts)
        found: tuple[list[Records], list[Records]] = ([], [])
        document = fingerprint.of_documents([_UNIT.id])
        try:
            for side, told, columns in zip(self.sides, self.told, divided, strict=True):
                rows = self._records(side, told)
                if self.policy.singletons == "drop" and not only_look:
                    rows = self._without_singletons(rows, told)
                for records in rows:
                    columns.add(records, part_of(records.mention, self._parts))
            with progress("joining", self._parts) as advance:
                for part in range(self._parts):
                    ours, theirs = (Records(*one.read(part)) for one in divided)
                    for records, one in zip((ours, theirs), found, strict=True):
                        one.extend(again for again in [repeated(records)] if len(again.line))
                    if not only_look and not any(found):
                        hashes = self._reader.hashes(ours.mention)
                        members = fingerprint.of_members(hashes, document).view(np.int64)
                        joined.add(ours, theirs, members)
                    advance(1)
        finally:
            for columns in divided:
                columns.close()
        nothing = np.zeros(0, dtype=np.int64)
        return joined, [together([*one, Records(*[nothing] * 4)]) for one in found]

    def _records(self, side: ParquetSide, told: _Told) -> Iterator[Records]:
        told.noise = 0
        for records, noise in self._reader.records(side, told.dropped):
            told.noise += noise
            yield records

    def _without_singletons(self, rows: Iterator[Records], told: _Told) -> Iterator[Records]:
        divided = Columns(self._parts, 4)
        try:
            for records in rows:
                divided.add(records, part_of(records.entity, self._parts))
            for part in range(self._parts):
                records, singletons = without_singletons(Records(*divided.read(part)))
                told.singletons += singletons
                yield records
        finally:
            divided.close()

    def _resolve(self, side: ParquetSide, told: _Told, found: Records) -> None:
        """Decide which of equal mentions stay: those in the entity that appears first."""
        entities = np.unique(found.entity)
        first = np.full(len(entities), np.iinfo(np.int64).max)
        for records, _ in self._reader.records(side, told.dropped):
            rows = np.flatnonzero(np.isin(records.entity, entities))
            np.minimum.at(
                first, np.searchsorted(entities, records.entity[rows]), records.line[rows]
            )
        appears = first[np.searchsorted(entities, found.entity)]
        order = np.lexsort((found.line, appears, found.mention))
        mention, line = found.mention[order], found.line[order]
        again = np.flatnonzero(mention[1:] == mention[:-1]) + 1
        told.dropped = np.sort(line[again])
        earliest = int(again[np.argmin(line[again])])
        kept = int(np.searchsorted(mention, mention[earliest]))
        lines = line[[kept, earliest]]
        pair = read_part(side, side.rows_at((lines - 1).tolist()), lines).corpus
        told.repeats = resolve(pair, self.policy).repeats._replace(times=len(again))
