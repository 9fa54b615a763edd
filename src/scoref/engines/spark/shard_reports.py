"""ShardReports: what executors return of all shards, as one table of documents on the driver."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from scoref.base.arrays import Floats, Ints
from scoref.corpus.corpus import Corpus
from scoref.corpus.document import UNKNOWN, Document
from scoref.engines.spark.blocks import decompress
from scoref.engines.spark.shards import SIDE_TOTALS, SIDES, no_counts, read_problems
from scoref.engines.spark.side_frames import SideFrame
from scoref.exceptions import FormatError
from scoref.formats.table.parquet_files import arrow_module
from scoref.metrics import Metric
from scoref.preparation.duplicates_and_singletons import Repeats
from scoref.preparation.summary import SideSummary

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True, slots=True, eq=False)
class ShardReports:
    """What the shards returned: a row per document, and the sums of each shard."""

    names: list[str]
    places: dict[str, tuple[Ints, Ints]]
    counts: Floats
    sums: list[dict[str, Any]]

    @classmethod
    def of(cls, frame: DataFrame, sides: Sequence[SideFrame], columns: int) -> ShardReports:
        """Run all shards, which return so many counts of a document; refuse invalid rows."""
        collected = frame.toArrow()
        sums = [json.loads(one) for one in collected.column("summary").to_pylist()]
        _refuse_problems(sums, sides)
        cells = [cell for chunk in collected.column("report").chunks for cell in chunk]
        tables = [decompress(cell.as_buffer()) for cell in cells]
        found = arrow_module().concat_tables([*tables, no_counts()]).combine_chunks()
        places = {}
        for name in SIDES:
            column = found.column(f"{name}_place")
            there = np.flatnonzero(column.is_valid().to_numpy())
            places[name] = there, column.drop_null().to_numpy()
        flat = found.column("counts").combine_chunks().flatten().to_numpy()
        counts = flat.reshape(-1, columns)
        return cls(found.column("document").to_pylist(), places, counts, sums)

    def order(self, side: SideFrame) -> Ints:
        """Return the rows of the documents that a side has, in the order of its file."""
        there, place = self.places[side.schema.name]
        if side.schema.has_places:
            return there[np.argsort(place, kind="stable")]
        return np.array(sorted(there.tolist(), key=self.names.__getitem__), dtype=np.int64)

    def documents(self, side: SideFrame) -> Corpus:
        """Return the documents of a side, without their mentions."""
        return named_documents((self.names[at] for at in self.order(side).tolist()), side)

    def counts_in(self, order: Ints, metrics: Sequence[Metric]) -> dict[str, Floats]:
        """Return the counts of the key's documents in this order."""
        at = np.searchsorted(self.places["key"][0], order)
        ends = np.cumsum([len(metric.columns) for metric in metrics])
        parts = np.split(self.counts[at], ends[:-1], axis=1)
        return {metric.name: part for metric, part in zip(metrics, parts, strict=True)}

    def total(self, name: str) -> int:
        """Sum a total over all shards."""
        return sum(int(sums[name]) for sums in self.sums)

    def summary(self, side: SideFrame) -> SideSummary:
        """Summarise a side."""
        schema = side.schema
        summary = SideSummary(schema.source, documents=len(self.places[schema.name][0]))
        of_side = [sums[schema.name] for sums in self.sums]
        for total in SIDE_TOTALS:
            setattr(summary, total, sum(sums[total] for sums in of_side))
        if side.is_read:
            summary.unassigned = 0
        summary.add_notes(side.notes)
        repeats = [Repeats(*sums["repeats"]) for sums in of_side if sums["repeats"][0]]
        if repeats:
            first = min(repeats, key=lambda one: (one.line, one.first))
            times = sum(one.times for one in repeats)
            summary.repeats = Repeats(times, first.first, schema.line_of(first.line))
            summary.add_notes(schema.note_repeats())
        return summary


def _refuse_problems(sums: Sequence[dict[str, Any]], sides: Sequence[SideFrame]) -> None:
    """Refuse invalid rows, those of the key first."""
    for number, side in enumerate(sides):
        problems = [
            problem for one in sums if one.get("side") == number for problem in read_problems(one)
        ]
        files = side.schema.files
        if damaged := [problem for problem in problems if files and not problem.line]:
            # As locally, nothing is read after the first: many shards may report the same file.
            raise FormatError([min(damaged, key=lambda one: files.index(one.path))])
        if problems:
            raise FormatError(side.schema.locate(problems), side.schema.source)


def named_documents(names: Iterable[str], side: SideFrame) -> Corpus:
    """Return documents without their mentions, to be paired."""
    source = side.schema.source
    documents = tuple(Document(name, name, UNKNOWN, source) for name in names)
    return Corpus.without_mentions(documents, source)
