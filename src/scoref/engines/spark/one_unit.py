"""One unit over all executors: a whole corpus, or a table without documents.

No machine needs to hold it. Most metrics are sums over entities and over cells (pairs of entities
that share mentions), and what each adds depends on a few small numbers. So Spark SQL counts how
many times each combination occurs, and the driver finishes from that histogram, exactly.
`overlaps.py` has the histogram, and the alignment of entities for CEAF.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scoref.alignment.document_pairing import PAIRED_BY_POSITION, pair_documents
from scoref.corpus import fingerprint
from scoref.corpus.corpus import Corpus
from scoref.corpus.document import Document
from scoref.engines.one_unit import UNNAMED, refuse_single_mentions, score_histogram
from scoref.engines.spark import functions as f
from scoref.engines.spark.documents import named_documents
from scoref.engines.spark.overlaps import FEW_CELLS, Overlaps, persist
from scoref.engines.spark.shards import read_rows
from scoref.engines.spark.side_frames import PLACE, SideFrame, SideSchema
from scoref.formats.table.columns import NOISE
from scoref.metrics import Metric
from scoref.metrics.ceaf import phis_of
from scoref.policy import Policy
from scoref.preparation.duplicates_and_singletons import Repeats
from scoref.preparation.regrouping import CORPUS
from scoref.preparation.summary import PreparationSummary, SideSummary
from scoref.result import Result

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]
    from pyspark.sql import DataFrame, SparkSession

ROWS_PER_PARTITION = 500_000

_HALF = 1 << 32
_WHOLE_CORPUS = Document("all", "all")


def is_one_unit(key: SideFrame, policy: Policy) -> bool:
    """Whether all mentions are in one unit."""
    return policy.unit == CORPUS or not key.has("document")


def set_partitions(spark: SparkSession, key: SideFrame, response: SideFrame) -> None:
    """Set the number of shuffle partitions by the number of mentions, unless the user has set it.

    Spark's 200 are too many for a small table, and too few for a large one.
    """
    name = "spark.sql.shuffle.partitions"
    if not spark.sparkContext.getConf().contains(name):
        rows = key.frame.count() + response.frame.count()
        least = 2 * spark.sparkContext.defaultParallelism
        for session in (spark, key.frame.sparkSession, response.frame.sparkSession):
            session.conf.set(name, max(rows // ROWS_PER_PARTITION, least))


def score_one_unit(
    key: SideFrame,
    response: SideFrame,
    metrics: Sequence[Metric],
    policy: Policy,
    few_cells: int = FEW_CELLS,
) -> Result:
    """Score one unit."""
    hint = "add a column of documents to the tables, and score by document"
    refuse_single_mentions(metrics, policy, "for one unit on Spark", hint)
    unit = _WHOLE_CORPUS if policy.unit == CORPUS else UNNAMED
    notes, documents = _pair(key, response, policy)
    sides = [
        _HashedSide.of(side, unit, are_merged=many > 1)
        for side, many in zip((key, response), documents, strict=True)
    ]
    entity_hashes = sides[0].entity_hashes()
    with ExitStack() as cached:
        cells, summaries = _join(sides, policy, cached)
        overlaps = Overlaps.of(cells, cached)
        histogram = overlaps.histogram()
        best = {phi: overlaps.best_total(phi, few_cells, cached) for phi in phis_of(metrics)}
    if summaries is None:
        summaries = [
            _summarise(side, int((e.size * e.times).sum()), int(e.times.sum()))
            for side, e in zip(sides, (histogram.keys, histogram.responses), strict=True)
        ]
    return score_histogram(
        histogram,
        best,
        unit,
        metrics,
        policy,
        summary=PreparationSummary(summaries[0], summaries[1], pairing=notes),
        entity_hashes=entity_hashes,
    )


def _pair(key: SideFrame, response: SideFrame, policy: Policy) -> tuple[Sequence[str], list[int]]:
    """Return notes on the documents of both sides, and how many each has."""
    if not key.has("document"):
        return [PAIRED_BY_POSITION], [1, 1]
    found = []
    for side in (key, response):
        rows = side.frame.select("document").where("document is not null").distinct()
        names = sorted(str(name) for name in rows.toArrow().column(0).to_pylist())
        found.append(named_documents(names, side))
    return pair_documents(found[0], found[1], policy).notes, [len(side.documents) for side in found]


@dataclass(frozen=True, slots=True)
class _HashTask:
    """Checks and hashes the mentions of a side: what `mapInArrow` calls on executors."""

    side: SideSchema
    unit: Document
    names: tuple[str, ...]
    are_merged: bool

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa  # noqa: PLC0415

        unit = fingerprint.of_documents([self.unit.id])
        for batch in batches:
            rows = pa.Table.from_batches([batch])
            corpus, _ = read_rows(rows, self.side)
            kept = rows.take(corpus.line - 1)
            columns = {"entity": kept.column("entity").cast(pa.string())}
            if "document" in self.names:
                columns["document"] = kept.column("document").cast(pa.string())
            if corpus.labels is None:
                columns |= {"start": pa.array(corpus.start), "end": pa.array(corpus.end)}
            else:
                columns["mention"] = pa.array(corpus.labels, pa.string())
            nodes = corpus.attributes.get("nodes", np.full(len(corpus), ""))
            columns["nodes"] = pa.array(nodes.tolist(), pa.string())
            members = fingerprint.of_members(self._hashes(corpus), unit)
            columns["high"] = pa.array((members >> np.uint64(32)).astype(np.int64))
            columns["low"] = pa.array((members % np.uint64(_HALF)).astype(np.int64))
            columns |= {name: kept.column(name) for name in PLACE if name in self.names}
            table = pa.table({name: columns[name] for name in self.names})
            yield from table.combine_chunks().to_batches()

    def _hashes(self, corpus: Corpus) -> fingerprint.Hashes:
        if self.are_merged:  # a mention is its document too: see `regrouping.regroup`
            ids = [document.id for document in corpus.documents]
            of = corpus.document.tolist()
            return fingerprint.of_labels([(ids[d], corpus.mention(r)) for r, d in enumerate(of)])
        if corpus.labels is not None:
            return fingerprint.of_labels(corpus.labels)
        return fingerprint.of_spans(corpus.start, corpus.end, corpus.attributes.get("nodes"))


@dataclass(frozen=True, slots=True, eq=False)
class _HashedSide:
    """The mentions of a side: checked, hashed, and with the same columns on both sides.

    `mention` are the columns that identify a mention. Its hash is in two halves, `high` and `low`,
    whose sums do not overflow.
    """

    schema: SideSchema
    frame: DataFrame
    mention: tuple[str, ...]
    notes: tuple[str, ...]
    unassigned: int

    @classmethod
    def of(cls, side: SideFrame, unit: Document, *, are_merged: bool) -> _HashedSide:
        """Check the rows of a table; if documents are merged, they distinguish mentions."""
        schema = side.schema
        has_labels = side.has("mention") and not any("start" in role for role in schema.roles)
        mention = ("mention",) if has_labels else ("start", "end")
        mention = ("document", *mention) if are_merged else (*mention, "nodes")
        names = (*mention, "entity", "high", "low", *(PLACE if schema.has_places else ()))
        longs = {"start", "end", "high", "low", *PLACE[1:]}
        columns = ", ".join(f"{one} {'long' if one in longs else 'string'}" for one in names)
        frame = side.frame.mapInArrow(_HashTask(schema, unit, names, are_merged), columns)
        is_noise = f.col("entity").cast("string") == NOISE
        unassigned = 0 if side.is_read else side.frame.where(is_noise).count()
        return cls(schema, frame, mention, side.notes, unassigned)

    def mentions(self) -> DataFrame:
        """Return each mention with its entity."""
        return self.frame.select(*self.mention, "entity")

    def entity_hashes(self) -> int:
        """Return what the entities add to a fingerprint."""
        sums = self.frame.groupBy("entity").agg(f.sum("high"), f.sum("low"))
        parts = sums.drop("entity").mapInArrow(_add_hashes, "total decimal(20,0)")
        found = parts.agg(f.sum("total")).head()
        return int((found and found[0]) or 0)

    def without_repeated(self) -> DataFrame:
        """Keep of equal mentions the one in the entity that appears first."""
        from pyspark.sql import Window  # noqa: PLC0415

        columns = PLACE if self.schema.has_places else (*self.mention, "entity")
        place = f.struct(*columns)
        first = self.frame.groupBy("entity").agg(f.min(place).alias("first"))
        frame = self.frame.join(first, "entity")
        rank = f.row_number().over(Window.partitionBy(*self.mention).orderBy("first", place))
        return frame.withColumn("rank", rank).where("rank = 1").select(*self.mention, "entity")

    def sizes(self) -> tuple[int, int]:
        """Return how many mentions and entities there are."""
        sizes = self.frame.groupBy("entity").count()
        found = sizes.agg(f.coalesce(f.sum("count"), f.lit(0)), f.count("*")).head()
        return (int(found[0]), int(found[1])) if found else (0, 0)


def _add_hashes(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Add up the hashes of entities, each given as the sums of both halves of its members."""
    from decimal import Decimal  # noqa: PLC0415

    import pyarrow as pa  # noqa: PLC0415

    for batch in batches:
        high, low = (column.to_numpy().astype(np.uint64) for column in batch.columns)
        total = fingerprint.of_entities((high << np.uint64(32)) + low)
        yield pa.record_batch({"total": pa.array([Decimal(total)], pa.decimal128(20, 0))})


def _join(
    sides: Sequence[_HashedSide], policy: Policy, cached: ExitStack
) -> tuple[DataFrame, list[SideSummary] | None]:
    """Return the cells of both sides under a policy, and summaries if it changed a side."""
    frames = [side.mentions() for side in sides]
    mention = sides[0].mention
    cells = persist(_cells(frames, mention), cached)
    repeated = [_count_repeated(cells, name) for name in ("key", "res")]
    if not any(repeated) and policy.singletons == "keep":
        return cells, None
    summaries = []
    for at, side in enumerate(sides):
        summary = _summarise(side, *side.sizes())
        summary.repeats = Repeats(repeated[at])
        summary.add_notes(side.schema.note_repeats() if repeated[at] else ())
        summary.repeats.notes(policy, side.schema.name)  # refuses them if the policy does
        if repeated[at]:
            frames[at] = side.without_repeated()
        if policy.singletons == "drop":
            frames[at], summary.singletons = _without_singletons(frames[at])
        summaries.append(summary)
    return persist(_cells(frames, mention), cached), summaries


def _summarise(side: _HashedSide, mentions: int, entities: int) -> SideSummary:
    summary = SideSummary(
        side.schema.source,
        documents=1,
        mentions=mentions,
        entities=entities,
        unassigned=side.unassigned,
    )
    summary.add_notes(side.notes)
    return summary


def _cells(frames: Sequence[DataFrame], mention: Sequence[str]) -> DataFrame:
    """Count the mentions of each pair of entities, and the rows of these mentions on each side.

    A mention that only one side has is in a cell without an entity of the other. This is the
    join of both sides, as one aggregation: equal mentions meet in one shuffle.
    """
    nothing = f.lit(None).cast("string")
    key = frames[0].select(*mention, f.col("entity").alias("key"), nothing.alias("res"))
    response = frames[1].select(*mention, nothing.alias("key"), f.col("entity").alias("res"))
    joined = key.unionByName(response).groupBy(*mention)
    both = joined.agg(
        f.max("key").alias("key"),
        f.max("res").alias("res"),
        f.count("key").alias("key_rows"),
        f.count("res").alias("res_rows"),
    )
    return both.groupBy("key", "res").agg(
        f.count("*").alias("shared"),
        f.sum("key_rows").alias("key_rows"),
        f.sum("res_rows").alias("res_rows"),
    )


def _count_repeated(cells: DataFrame, side: str) -> int:
    """Return how many rows of a side repeat a mention."""
    there = cells.where(f.col(side).isNotNull())
    found = there.agg(f.sum(f"{side}_rows") - f.sum("shared")).head()
    return int((found and found[0]) or 0)


def _without_singletons(frame: DataFrame) -> tuple[DataFrame, int]:
    sizes = frame.groupBy("entity").count()
    alone = sizes.where("count = 1").count()
    return frame.join(sizes.where("count > 1").select("entity"), "entity", "left_semi"), alone
