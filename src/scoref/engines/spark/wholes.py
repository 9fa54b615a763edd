"""One unit over all executors: a whole corpus, or a table without documents.

No machine need hold it. Most measures are sums over entities and over cells (pairs of entities
that share mentions), and what each adds depends on a few small numbers; so Spark SQL counts
how many times each combination occurs, and the driver finishes from that histogram, exactly.
What that takes, and how CEAF aligns entities, is in `overlaps.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from scoref.alignment.document_pairing import PAIRED_BY_POSITION, pair_documents
from scoref.corpus import fingerprint
from scoref.corpus.corpus import Corpus
from scoref.corpus.document import UNKNOWN, Document
from scoref.counts.counts import Counts
from scoref.engines.assembly import assemble_result
from scoref.engines.one_unit import refuse_single_mentions
from scoref.engines.spark.inputs import PLACE, Input
from scoref.engines.spark.overlaps import FEW_CELLS, Cache, Overlaps
from scoref.engines.spark.shards import SideOf, read_rows
from scoref.metrics import MetricLike, find_metrics
from scoref.metrics.ceaf import phis_of
from scoref.overlap.histogram import Histogram
from scoref.policy import Policy
from scoref.preparation.duplicates_and_singletons import Repeats
from scoref.preparation.regrouping import CORPUS
from scoref.preparation.summary import PreparationSummary, SideSummary
from scoref.result import Result

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]
    from pyspark.sql import DataFrame, SparkSession

ROWS_OF_A_PARTITION = 500_000

_HALF = 1 << 32
_UNNAMED = ("#1", ("", 1))
_WHOLE = ("all", "all")


def is_whole(key: Input, policy: Policy) -> bool:
    """Whether all mentions are in one unit."""
    return policy.unit == CORPUS or "document" not in key.roles


def set_partitions(spark: SparkSession, key: Input, response: Input) -> None:
    """Divide shuffles by the number of mentions, unless the user has said into how many parts.

    Spark's 200 are too many for a small table, and too few for a large one.
    """
    name = "spark.sql.shuffle.partitions"
    if not spark.sparkContext.getConf().contains(name):
        rows = key.frame.count() + response.frame.count()
        least = 2 * spark.sparkContext.defaultParallelism
        spark.conf.set(name, max(rows // ROWS_OF_A_PARTITION, least))


def score_whole(
    key: Input,
    response: Input,
    metrics: Sequence[MetricLike],
    policy: Policy,
    few_cells: int = FEW_CELLS,
) -> Result:
    """Score one unit."""
    chosen = find_metrics(metrics)
    hint = "give the tables a column of documents, and score by document"
    refuse_single_mentions(chosen, policy, "for one unit on Spark", hint)
    phis = phis_of(chosen)
    notes, documents = _pair(key, response, policy)
    ours = _Rows.read(key, "key", policy, documents[0])
    theirs = _Rows.read(response, "response", policy, documents[1])
    hashed = ours.hashed()
    with Cache() as cache:
        cells, done = _joined(ours, theirs, policy, cache)
        found = Overlaps.of(cells, cache)
        histogram = found.histogram()
        best = {phi: found.best_total(phi, few_cells, cache) for phi in phis}
    key_summary, response_summary = _sides((ours, theirs), histogram, done)
    has_matches = bool(len(histogram.cells.shared))
    summary = PreparationSummary(
        key_summary, response_summary, pairing=notes, has_matches=has_matches
    )
    counts = Counts.of(histogram.table(ours.unit[0], best), chosen)
    return assemble_result(counts, summary, policy, fingerprint.digest(hashed))


def _pair(key: Input, response: Input, policy: Policy) -> tuple[list[str], tuple[int, int]]:
    """Pair the documents of both sides, if they have any, for what is to be said of them."""
    if "document" not in key.roles:
        return [PAIRED_BY_POSITION], (1, 1)
    found = []
    for side in (key, response):
        rows = side.frame.select("document").where("document is not null").distinct()
        names = sorted(str(name) for name in rows.toArrow().column(0).to_pylist())
        documents = tuple(Document(name, name, UNKNOWN, side.source) for name in names)
        found.append(Corpus.without_mentions(documents, side.source))
    notes = pair_documents(found[0], found[1], policy).notes
    return list(notes), (len(found[0].documents), len(found[1].documents))


@dataclass(frozen=True, slots=True)
class _Read:
    """Checks and hashes the mentions of a side on the executors, batch by batch."""

    side: SideOf
    unit: tuple[str, Any]
    names: tuple[str, ...]
    is_merged: bool

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa  # noqa: PLC0415

        document = fingerprint.of_documents([self.unit[1]])[0]
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
            members = fingerprint.mix(self._hashes(corpus) + document)
            columns["high"] = pa.array((members >> np.uint64(32)).astype(np.int64))
            columns["low"] = pa.array((members % np.uint64(_HALF)).astype(np.int64))
            columns |= {name: kept.column(name) for name in PLACE if name in self.names}
            table = pa.table({name: columns[name] for name in self.names})
            yield from table.combine_chunks().to_batches()

    def _hashes(self, corpus: Corpus) -> fingerprint.Hashes:
        if self.is_merged:  # a mention is its document too: see `grouping.regroup`
            ids = [document.id for document in corpus.documents]
            of = corpus.document.tolist()
            return fingerprint.of_labels([(ids[d], corpus.mention(r)) for r, d in enumerate(of)])
        if corpus.labels is not None:
            return fingerprint.of_labels(corpus.labels)
        return fingerprint.of_spans(corpus.start, corpus.end, corpus.attributes.get("nodes"))


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """The mentions of a side: checked, named alike on both sides, and hashed."""

    name: str
    source: str
    frame: DataFrame
    mention: tuple[str, ...]
    unit: tuple[str, Any]
    places: tuple[str, ...]

    @classmethod
    def read(cls, side: Input, name: str, policy: Policy, documents: int) -> _Rows:
        """Check the rows of a table; how many documents it has says what a mention is."""
        merged = documents > 1
        labels = "mention" in side.roles and not any("start" in role for role in side.roles)
        mention = ("mention",) if labels else ("start", "end")
        mention = ("document", *mention) if merged else (*mention, "nodes")
        places = PLACE if side.has_places else ()
        names = (*mention, "entity", "high", "low", *places)
        longs = {"start", "end", "high", "low", *PLACE[1:]}
        schema = ", ".join(f"{one} {'long' if one in longs else 'string'}" for one in names)
        unit = _WHOLE if policy.unit == CORPUS else _UNNAMED
        about = SideOf(name, side.roles, side.source, side.has_places, side.rows_are_lines)
        frame = side.frame.mapInArrow(_Read(about, unit, names, merged), schema)
        return cls(name, side.source, frame, mention, unit, places)

    def hashed(self) -> int:
        """Return the sum that the fingerprint is made of."""
        from pyspark.sql import functions as f  # noqa: PLC0415

        sums = self.frame.groupBy("entity").agg(f.sum("high"), f.sum("low"))
        parts = sums.drop("entity").mapInArrow(_add_hashes, "total decimal(20,0)")
        found = parts.agg(f.sum("total")).head()
        document = fingerprint.mix(fingerprint.of_documents([self.unit[1]]))
        return int(document[0]) + int((found and found[0]) or 0)

    def without_repeated(self) -> DataFrame:
        """Keep of equal mentions the one in the entity that appears first."""
        from pyspark.sql import Window  # noqa: PLC0415
        from pyspark.sql import functions as f  # noqa: PLC0415

        frame, by = self.frame, [f.col("entity")]
        if self.places:
            place = f.struct(*self.places)
            first = frame.groupBy("entity").agg(f.min(place).alias("first"))
            frame, by = frame.join(first, "entity"), [f.col("first"), place]
        rank = f.row_number().over(Window.partitionBy(*self.mention).orderBy(*by))
        return frame.withColumn("rank", rank).where("rank = 1").select(*self.mention, "entity")

    def counted(self) -> tuple[int, int]:
        """Return how many mentions and entities there are."""
        from pyspark.sql import functions as f  # noqa: PLC0415

        sizes = self.frame.groupBy("entity").count()
        found = sizes.agg(f.coalesce(f.sum("count"), f.lit(0)), f.count("*")).head()
        return (int(found[0]), int(found[1])) if found else (0, 0)


def _add_hashes(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Add up the hashes of entities, each given as the sums of two halves of its members."""
    from decimal import Decimal  # noqa: PLC0415

    import pyarrow as pa  # noqa: PLC0415

    for batch in batches:
        high, low = (column.to_numpy().astype(np.uint64) for column in batch.columns)
        entities = (high << np.uint64(32)) + low
        total = int(fingerprint.mix(entities[entities != 0]).sum(dtype=np.uint64))
        yield pa.record_batch({"total": pa.array([Decimal(total)], pa.decimal128(20, 0))})


def _cells(frames: Sequence[DataFrame], mention: Sequence[str]) -> DataFrame:
    """Count the mentions of each pair of entities, and how many rows stand for them.

    A mention that only one side has is in a cell without an entity of the other. This is the
    join of both sides, as one aggregation: equal mentions meet in one shuffle.
    """
    from pyspark.sql import functions as f  # noqa: PLC0415

    nothing = f.lit(None).cast("string")
    ours = frames[0].select(*mention, f.col("entity").alias("key"), nothing.alias("res"))
    theirs = frames[1].select(*mention, nothing.alias("key"), f.col("entity").alias("res"))
    joined = ours.unionByName(theirs).groupBy(*mention)
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


def _joined(
    ours: _Rows, theirs: _Rows, policy: Policy, cache: Cache
) -> tuple[DataFrame, list[tuple[int, int, int, int]] | None]:
    """Join the sides as the policy says, and count what it did to them: None if it did nothing."""
    frames = [rows.frame.select(*rows.mention, "entity") for rows in (ours, theirs)]
    cells = cache(_cells(frames, ours.mention))
    repeated = [_excess(cells, side) for side in ("key", "res")]
    if not any(repeated) and policy.singletons == "keep":
        return cells, None
    done = []
    for at, rows in enumerate((ours, theirs)):
        Repeats(repeated[at]).notes(policy, rows.name)  # refuses them if the policy does
        if repeated[at]:
            frames[at] = rows.without_repeated()
        alone = 0
        if policy.singletons == "drop":
            frames[at], alone = _without_singletons(frames[at])
        done.append((*rows.counted(), repeated[at], alone))
    return cache(_cells(frames, ours.mention)), done


def _excess(cells: DataFrame, side: str) -> int:
    """Return how many rows of a side repeat a mention."""
    from pyspark.sql import functions as f  # noqa: PLC0415

    there = cells.where(f.col(side).isNotNull())
    found = there.agg(f.sum(f"{side}_rows") - f.sum("shared")).head()
    return int((found and found[0]) or 0)


def _without_singletons(frame: DataFrame) -> tuple[DataFrame, int]:
    sizes = frame.groupBy("entity").count()
    alone = sizes.where("count = 1").count()
    return frame.join(sizes.where("count > 1").select("entity"), "entity", "left_semi"), alone


def _sides(
    rows: tuple[_Rows, _Rows],
    histogram: Histogram,
    done: list[tuple[int, int, int, int]] | None,
) -> tuple[SideSummary, SideSummary]:
    """Summarise both sides; if the policy changed nothing, the histogram has the numbers."""
    if done is None:
        entities = (histogram.keys, histogram.responses)
        done = [(int((e.size * e.times).sum()), int(e.times.sum()), 0, 0) for e in entities]
    key, response = (
        SideSummary(
            side.source,
            documents=1,
            mentions=mentions,
            entities=entities_,
            singletons=singletons,
            repeats=Repeats(repeated),
        )
        for side, (mentions, entities_, repeated, singletons) in zip(rows, done, strict=True)
    )
    return key, response
