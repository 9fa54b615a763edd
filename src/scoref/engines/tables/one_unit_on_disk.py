"""Two tables without documents, scored as one unit: the records of entity resolution.

Rows are divided by the hash of their mention, so both sides of a mention are in the same part.
Then the pairs of entities that share a mention are divided by key entity, which gives cells and
the sizes of key entities, and at last by response entity. The result is a histogram of alike
cells and entities. Parts are temporary files that each fit into memory.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from scoref.base.memory import format_size, keep_freed_memory
from scoref.base.progress import progress
from scoref.corpus import fingerprint
from scoref.engines.tables.corpus_parts import read_part
from scoref.engines.tables.row_table import UNNAMED, ParquetTable, TablePair
from scoref.engines.tables.temporary_files import MOST_PARTS, SpilledColumns
from scoref.engines.tables.unit_histogram import (
    CeafCells,
    HistogramBuilder,
    refuse_single_mentions,
    score_histogram,
)
from scoref.engines.tables.unit_records import (
    JoinedRecords,
    RecordIds,
    RecordReader,
    Records,
    find_repeated,
    join_records,
)
from scoref.exceptions import UsageError
from scoref.matching.duplicates_and_singletons import clean
from scoref.matching.summary import PreparationSummary, SideSummary
from scoref.metrics import Metric
from scoref.metrics.ceaf import phis_of
from scoref.policy import Policy
from scoref.result import Result

ROW_BYTES = 120
"""Memory that a row takes while its part is joined, with room to spare."""


def score_one_unit(
    tables: TablePair[ParquetTable], metrics: tuple[Metric, ...], policy: Policy, memory: int
) -> Result:
    """Score two tables that are one unit each."""
    hint = f"raise --memory, which is {format_size(memory)}, so that the tables are scored at once"
    refuse_single_mentions(metrics, policy, "for a table larger than memory", hint)
    if not tables.is_plain:
        raise UsageError(
            "tables larger than memory without documents require the columns `mention` and"
            " `entity`, or `start`, `end` and `entity`, the same on both sides",
            hint,
        )
    keep_freed_memory()
    join = _RecordJoin(tables, policy, memory)
    ceaf = CeafCells(phis_of(metrics))
    builder = HistogramBuilder(join.run(), ceaf)
    histogram = builder.build()
    join.summary.key.entities, join.summary.response.entities = builder.keys, builder.responses
    return score_histogram(
        histogram,
        {**builder.largest, **ceaf.best_totals(memory)},
        UNNAMED,
        metrics,
        policy,
        summary=join.summary,
        entity_hashes=builder.hash_total,
    )


class _RecordJoin:
    """Drops repeated mentions and singletons as the policy says, and joins both sides."""

    def __init__(self, tables: TablePair[ParquetTable], policy: Policy, memory: int) -> None:
        self._tables, self._policy = tables, policy
        self._sides = [
            SideSummary(table.path, documents=1, mentions=table.rows) for table in tables
        ]
        self.summary = PreparationSummary(self._sides[0], self._sides[1])
        self._dropped = [np.zeros(0, dtype=np.int64) for _ in tables]
        self._parts = min(2 * tables.rows * ROW_BYTES // memory + 1, MOST_PARTS)
        self._ids = RecordIds.of(tables)
        self._reader = RecordReader(self._ids, self._parts)

    def run(self) -> JoinedRecords:
        """Join both sides; twice if mentions are repeated or singletons are dropped.

        Only when all rows were read is it known which mentions are repeated, and which of them
        are singletons after that.
        """
        drops = self._policy.singletons == "drop"
        joined, repeated = self._join(only_look=drops)
        if not drops and not any(len(records.line) for records in repeated):
            return joined
        joined.close()
        for side, records in enumerate(repeated):
            if len(records.line):
                self._resolve(side, records)
        return self._join(only_look=False)[0]

    def _join(self, *, only_look: bool) -> tuple[JoinedRecords, list[Records]]:
        """Return the join, and the rows of repeated mentions; with these, the join is not whole."""
        divided = [SpilledColumns(self._parts, 4) for _ in self._tables]
        joined = JoinedRecords(self._parts)
        repeated: tuple[list[Records], list[Records]] = ([], [])
        document = fingerprint.of_documents([UNNAMED.id])
        try:
            for side, columns in enumerate(divided):
                rows = self._read(side)
                if self._policy.singletons == "drop" and not only_look:
                    rows = self._without_singletons(rows, self._sides[side])
                for records in rows:
                    columns.add(records, records.mention)
            with progress("joining", self._parts) as advance:
                for part in range(self._parts):
                    key, response = (Records(*columns.read(part)) for columns in divided)
                    hashes = self._ids.hashes(key.mention)
                    members = fingerprint.of_members(hashes, document).view(np.int64)
                    found = join_records(key, response, members)
                    if found is None:
                        for records, again in zip((key, response), repeated, strict=True):
                            again.append(records.repeated())
                    elif not only_look:
                        joined.add(found)
                    advance(1)
        finally:
            for columns in divided:
                columns.close()
        return joined, [Records.concatenate(found) for found in repeated]

    def _read(self, side: int) -> Iterator[Records]:
        summary = self._sides[side]
        summary.unassigned = 0
        for records, unassigned in self._reader.read(self._tables[side], self._dropped[side]):
            summary.unassigned += unassigned
            yield records

    def _without_singletons(
        self, rows: Iterator[Records], summary: SideSummary
    ) -> Iterator[Records]:
        divided = SpilledColumns(self._parts, 4)
        try:
            for records in rows:
                divided.add(records, records.entity)
            for part in range(self._parts):
                records, singletons = Records(*divided.read(part)).without_singletons()
                summary.singletons += singletons
                yield records
        finally:
            divided.close()

    def _resolve(self, side: int, repeated: Records) -> None:
        """Decide which of equal mentions are kept: those in the entity that appears first."""
        table = self._tables[side]
        entities = np.unique(repeated.entity)
        first = np.full(len(entities), np.iinfo(np.int64).max)
        for records, _ in self._reader.read(table, self._dropped[side]):
            rows = np.flatnonzero(np.isin(records.entity, entities))
            np.minimum.at(
                first, np.searchsorted(entities, records.entity[rows]), records.line[rows]
            )
        appears = first[np.searchsorted(entities, repeated.entity)]
        again = find_repeated(repeated.mention, appears, repeated.line)
        self._dropped[side] = np.sort(repeated.line[again])
        earliest = again[np.argmin(repeated.line[again])]
        equal = np.flatnonzero(repeated.mention == repeated.mention[earliest])
        lines = repeated.line[[*np.setdiff1d(equal, again), earliest]]
        both = read_part(table, table.rows_at((lines - 1).tolist()), lines).corpus
        repeats = clean(both, self._policy).repeats
        self._sides[side].repeats = repeats._replace(times=len(again))
