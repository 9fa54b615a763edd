"""Two tables without documents, all one unit: the records of entity resolution.

Rows are divided by the hash of their mention, so that both sides of a mention meet in one part;
then the pairs of entities that share it are divided by key entity, which gives cells and the
sizes of key entities, and at last by response entity. What is left is a histogram of alike cells
and entities. Parts are temporary files that each fit into memory.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from scoref.alignment.document_pairing import PAIRED_BY_POSITION
from scoref.base.malloc import keep_freed_memory
from scoref.base.memory import format_size
from scoref.base.progress import progress
from scoref.corpus import fingerprint
from scoref.corpus.document import Document
from scoref.counts.counts import Counts
from scoref.engines.assembly import assemble_result
from scoref.engines.one_unit import refuse_single_mentions
from scoref.engines.tables.alignable import Alignable
from scoref.engines.tables.collisions import part_of
from scoref.engines.tables.corpora import read_part
from scoref.engines.tables.gathering import gather
from scoref.engines.tables.joining import Joined, repeated, together, without_singletons
from scoref.engines.tables.parquet import Sides
from scoref.engines.tables.reading import Reader, Records
from scoref.engines.tables.spill import MOST_PARTS, Columns
from scoref.exceptions import UsageError
from scoref.metrics import Metric
from scoref.metrics.ceaf import phis_of
from scoref.policy import Policy
from scoref.preparation.duplicates_and_singletons import clean
from scoref.preparation.summary import PreparationSummary, SideSummary
from scoref.result import Result

ROW_BYTES = 120
"""Memory that a row takes while its part is joined, with room to spare."""

_UNIT = Document("#1", ("", 1))


def score_records(sides: Sides, metrics: tuple[Metric, ...], policy: Policy, memory: int) -> Result:
    """Score two tables that are one unit each."""
    _check(sides, metrics, policy, memory)
    keep_freed_memory()
    joining = _Joining(sides, policy, memory)
    gathered = gather(joining.run(), Alignable(phis_of(metrics)))
    rows = gathered.histogram()
    summary = joining.summary
    summary.key.entities, summary.response.entities = gathered.keys, gathered.responses
    summary.has_matches = bool(len(rows.cells.shared))
    counts = Counts.of(rows.table(_UNIT.name, gathered.alignable.best(memory)), metrics)
    shown = fingerprint.digest(_hash_of_unit() + gathered.hash_total)
    return assemble_result(counts, summary, policy, shown)


def _hash_of_unit() -> int:
    """Return what the unit itself adds to a fingerprint."""
    none = np.zeros(0, dtype=np.int64)
    document = fingerprint.of_documents([_UNIT.id])
    return fingerprint.total(document, none, none.view(np.uint64), none)


def _check(sides: Sides, metrics: tuple[Metric, ...], policy: Policy, memory: int) -> None:
    """Refuse what requires single mentions."""
    hint = f"raise --memory, which is {format_size(memory)}, so that the tables are scored at once"
    refuse_single_mentions(metrics, policy, "for a table larger than memory", hint)
    if len({side.has_spans for side in sides}) > 1 or not all(side.is_plain for side in sides):
        raise UsageError(
            "tables larger than memory without documents require the columns `mention` and"
            " `entity`, or `start`, `end` and `entity`, the same on both sides",
            hint,
        )


class _Joining:
    """Cleans both sides as the policy says, and joins them."""

    def __init__(self, sides: Sides, policy: Policy, memory: int) -> None:
        rows = sum(side.rows for side in sides)
        self.sides, self.policy = sides, policy
        key, response = (SideSummary(side.path, documents=1, mentions=side.rows) for side in sides)
        self.summary = PreparationSummary(key, response, pairing=[PAIRED_BY_POSITION])
        self._dropped = [np.zeros(0, dtype=np.int64) for _ in sides]
        self._parts = min(2 * rows * ROW_BYTES // memory + 1, MOST_PARTS)
        self._reader = Reader(sides, self._parts)

    def run(self) -> Joined:
        """Join; again if mentions are repeated, when it is known which of them stay."""
        drops = self.policy.singletons == "drop"
        joined, found = self._join(only_look=drops)
        if not drops and not any(len(one.line) for one in found):
            return joined
        joined.close()
        for at, one in enumerate(found):
            if len(one.line):
                self._resolve(at, one)
        return self._join(only_look=False)[0]

    def _join(self, *, only_look: bool) -> tuple[Joined, list[Records]]:
        """Return the join, and the rows of repeated mentions; with these, it is not whole."""
        divided = [Columns(self._parts, 4) for _ in self.sides]
        joined = Joined(self._parts)
        found: tuple[list[Records], list[Records]] = ([], [])
        document = fingerprint.of_documents([_UNIT.id])
        try:
            for at, columns in enumerate(divided):
                rows = self._records(at)
                if self.policy.singletons == "drop" and not only_look:
                    rows = self._without_singletons(rows, self._summaries[at])
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

    @property
    def _summaries(self) -> tuple[SideSummary, SideSummary]:
        return self.summary.key, self.summary.response

    def _records(self, at: int) -> Iterator[Records]:
        summary = self._summaries[at]
        summary.unassigned = 0
        for records, noise in self._reader.records(self.sides[at], self._dropped[at]):
            summary.unassigned += noise
            yield records

    def _without_singletons(
        self, rows: Iterator[Records], summary: SideSummary
    ) -> Iterator[Records]:
        divided = Columns(self._parts, 4)
        try:
            for records in rows:
                divided.add(records, part_of(records.entity, self._parts))
            for part in range(self._parts):
                records, singletons = without_singletons(Records(*divided.read(part)))
                summary.singletons += singletons
                yield records
        finally:
            divided.close()

    def _resolve(self, at: int, found: Records) -> None:
        """Decide which of equal mentions stay: those in the entity that appears first."""
        side = self.sides[at]
        entities = np.unique(found.entity)
        first = np.full(len(entities), np.iinfo(np.int64).max)
        for records, _ in self._reader.records(side, self._dropped[at]):
            rows = np.flatnonzero(np.isin(records.entity, entities))
            np.minimum.at(
                first, np.searchsorted(entities, records.entity[rows]), records.line[rows]
            )
        appears = first[np.searchsorted(entities, found.entity)]
        order = np.lexsort((found.line, appears, found.mention))
        mention, line = found.mention[order], found.line[order]
        again = np.flatnonzero(mention[1:] == mention[:-1]) + 1
        self._dropped[at] = np.sort(line[again])
        earliest = int(again[np.argmin(line[again])])
        kept = int(np.searchsorted(mention, mention[earliest]))
        lines = line[[kept, earliest]]
        pair = read_part(side, side.rows_at((lines - 1).tolist()), lines).corpus
        repeats = clean(pair, self.policy).repeats
        self._summaries[at].repeats = repeats._replace(times=len(again))
