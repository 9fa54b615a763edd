"""One unit over all executors: a whole corpus, or a table without documents.

No machine need hold it. Most measures are sums over entities and over cells (pairs of entities
that share mentions), and what each adds depends on a few small numbers; so Spark SQL counts
how many times each combination occurs, and the driver finishes from that histogram, exactly.

CEAF aligns single entities. A cell that weighs at least as much as the best other cell of its
key entity and the best other cell of its response entity together is in some best alignment
(see `assignment.py`). Taking these, dropping all cells of their entities, and repeating settles
nearly everything in a few rounds of SQL; what is left is solved on the driver.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from scoref import fingerprint
from scoref.arrays import Floats, Ints
from scoref.assignment import best_alignment
from scoref.corpus import UNKNOWN, Corpus, Document
from scoref.counts import Counts
from scoref.engines.spark.documents import suspicions
from scoref.engines.spark.inputs import PLACE, Input
from scoref.engines.spark.shards import SideOf, read_rows
from scoref.exceptions import MentionError, UsageError
from scoref.grouping import CORPUS
from scoref.histogram import Cells, Entities, Histogram, alike
from scoref.metrics import Metric, MetricLike, find_metrics
from scoref.pairing import pair
from scoref.policy import Policy
from scoref.result import Result, Side
from scoref.slicing import ALL
from scoref.wording import counted

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]
    from pyspark.sql import DataFrame, SparkSession

FEW_CELLS = 1_000_000
"""So many cells are aligned on the driver, in less than a second."""

MOST_CELLS = 50_000_000
"""If more than this are left after the last round, the driver is not asked to align them."""

MOST_ROUNDS = 6
"""Nearly everything is settled by then; and the description of a plan, which Spark writes out,
doubles with every round."""

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
    _check(chosen, policy)
    phis = _phis(chosen)
    notes, documents = _pair(key, response, policy)
    ours = _Rows.read(key, "key", policy, documents[0])
    theirs = _Rows.read(response, "response", policy, documents[1])
    hashed = ours.hashed()
    with Cache() as cache:
        cells, done = _joined(ours, theirs, policy, cache)
        found = _Overlaps.of(cells, cache)
        histogram = found.histogram()
        best = {phi: found.best_total(phi, few_cells, cache) for phi in phis}
    sides = _sides((ours, theirs), histogram, done)
    table = histogram.table(ours.unit[0], best)
    empty = [s.name for s, side in zip((ours, theirs), sides, strict=True) if not side.mentions]
    shared = int((histogram.cells.shared * histogram.cells.times).sum())
    return Result(
        key=sides[0],
        response=sides[1],
        counts=Counts.of(table, chosen),
        policy=policy,
        signature=policy.signature(fingerprint.shown(hashed)),
        notes=(*notes, *_repeated(sides), *suspicions(empty, shared)),
    )


class Cache:
    """Keeps DataFrames that are used again, in memory or on disk, until the work is done."""

    def __init__(self) -> None:
        self._kept: list[DataFrame] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for frame in self._kept:
            frame.unpersist()

    def __call__(self, frame: DataFrame) -> DataFrame:
        """Keep a DataFrame."""
        self._kept.append(frame.persist())
        return self._kept[-1]


def _check(metrics: Sequence[Metric], policy: Policy) -> None:
    """Refuse what a histogram does not tell, before anything is run."""
    for metric in metrics:
        if not all(part.by_sums for part in metric.parts or (metric,)):
            raise UsageError(
                f"{metric.name} looks at single mentions, which are nowhere together here",
                "leave the measure out, or give the table a column of documents",
            )
    for name, value in (("match", "exact"), ("where", ALL)):
        if getattr(policy, name) != value:
            raise UsageError(
                f"the Spark engine scores one unit with {name}:{value} only, not"
                f" {name}:{getattr(policy, name)}",
                "give the tables a column of documents, and score by document",
            )


def _pair(key: Input, response: Input, policy: Policy) -> tuple[list[str], tuple[int, int]]:
    """Pair the documents of both sides, if they have any, for what is to be said of them."""
    if "document" not in key.roles:
        return ["documents without a name are paired by their position in the file"], (1, 1)
    found = []
    for side in (key, response):
        rows = side.frame.select("document").where("document is not null").distinct()
        names = sorted(str(name) for name in rows.toArrow().column(0).to_pylist())
        none = np.zeros(0, dtype=np.int64)
        found.append(
            Corpus(
                documents=tuple(Document(name, name, UNKNOWN, side.source) for name in names),
                document=none,
                start=none,
                end=none,
                entity=none,
                entity_names=(),
                line=none,
                source=side.source,
            )
        )
    notes = pair(found[0], found[1], policy).notes
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
        if repeated[at] and policy.duplicates == "error":
            raise MentionError(
                f"the {rows.name} repeats {counted(repeated[at], 'mention')}",
                "--duplicates first keeps the one in the entity that appears first",
            )
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
) -> tuple[Side, Side]:
    """Say what each side had; where nothing was done to it, the histogram knows."""
    if done is None:
        entities = (histogram.keys, histogram.responses)
        done = [(int((e.size * e.times).sum()), int(e.times.sum()), 0, 0) for e in entities]
    ours, theirs = (Side(one.source, 1, *told) for one, told in zip(rows, done, strict=True))
    return ours, theirs


def _repeated(sides: Sequence[Side]) -> list[str]:
    return [
        f"the {name} repeats {counted(side.duplicates_dropped, 'mention')};"
        " the one in the entity that appears first is kept"
        for name, side in zip(("key", "response"), sides, strict=True)
        if side.duplicates_dropped
    ]


def _phis(metrics: Sequence[Metric]) -> list[int]:
    """Return the similarities of CEAF that some metrics need; refuse what no histogram tells.

    A histogram of one mention is counted to find out.
    """
    one = np.ones(1, dtype=np.int64)
    smallest = Histogram(Entities(*[one] * 3), Entities(*[one] * 3), Cells(*[one] * 6))

    def count(phis: Sequence[int]) -> None:
        Counts.of(smallest.table("", dict.fromkeys(phis, 1.0)), metrics)

    def is_needed(phi: int) -> bool:
        try:
            count([other for other in _SIMILARITIES if other != phi])
        except UsageError:
            return True
        return False

    count(list(_SIMILARITIES))
    return [phi for phi in _SIMILARITIES if is_needed(phi)]


_SIMILARITIES = {
    1: "cast(shared = key_size and shared = res_size as double)",
    2: "cast(1 as double)",
    3: "cast(shared as double)",
    4: "2 * cast(shared as double) / (key_size + res_size)",
}
"""What aligning the two entities of a cell is worth, as in `metrics/ceaf.py`."""


@dataclass(frozen=True, slots=True, eq=False)
class _Overlaps:
    """The entities of both sides and the cells of entities that share mentions, as DataFrames."""

    keys: DataFrame
    responses: DataFrame
    cells: DataFrame

    @classmethod
    def of(cls, cells: DataFrame, cache: Cache) -> _Overlaps:
        """Sum up the sizes of entities, and how many of their mentions the other side has."""
        sides = [_entities(cells, *names) for names in (("key", "res"), ("res", "key"))]
        there = cells.where("key is not null and res is not null").select("key", "res", "shared")
        sized = there.join(sides[0], "key").join(sides[1], "res")
        return cls(sides[0], sides[1], cache(sized))

    def histogram(self) -> Histogram:
        """Count how many entities and cells are alike."""
        cells = ("shared", "key_size", "key_kept", "res_size", "res_kept")
        return Histogram(
            Entities(*_times(self.keys, ("key_size", "key_kept"))),
            Entities(*_times(self.responses, ("res_size", "res_kept"))),
            Cells(*_times(self.cells, cells)),
        )

    def best_total(self, phi: int, few: int, cache: Cache) -> float:
        """Return what the best one-to-one alignment is worth."""
        from pyspark.sql import functions as f  # noqa: PLC0415

        worth = f.expr(_SIMILARITIES[phi]).alias("worth")
        left = self.cells.select("key", "res", worth).where("worth > 0")
        total, cells = Fraction(0), left.count()
        for _ in range(MOST_ROUNDS):
            if cells <= few:
                break
            judged = cache(_judged(left))
            total += _gained(judged.where("is_taken"))
            left = judged.where("not is_settled").select("key", "res", "worth")
            before, cells = cells, left.count()
            if cells == before:
                break
        if cells > MOST_CELLS:
            raise UsageError(
                f"{cells:,} pairs of entities are left to be aligned, too many for one machine",
                "leave out the measures ceafm, ceafe and conll",
            )
        return float(total + _aligned(left))


def _entities(cells: DataFrame, side: str, other: str) -> DataFrame:
    from pyspark.sql import functions as f  # noqa: PLC0415

    kept = f.when(f.col(other).isNotNull(), f.col("shared")).otherwise(0)
    there = cells.where(f.col(side).isNotNull())
    return there.groupBy(side).agg(
        f.sum("shared").alias(f"{side}_size"), f.sum(kept).alias(f"{side}_kept")
    )


def _times(frame: DataFrame, columns: Sequence[str]) -> list[Ints]:
    """Count alike rows; what comes back is sorted, so that sums are always the same."""
    found = frame.groupBy(*columns).count().toArrow()
    arrays = [column.to_numpy().astype(np.int64) for column in found.columns]
    return alike(arrays[:-1], arrays[-1])


def _judged(cells: DataFrame) -> DataFrame:
    """Mark cells that weigh as much as the best others of both their entities together.

    What has an entity with a taken cell is settled. Equal weights are told apart by name, so
    that a repeated task takes the same cells. There are no joins here: a plan that named its
    input twice would double with every round.
    """
    from pyspark.sql import Window  # noqa: PLC0415
    from pyspark.sql import functions as f  # noqa: PLC0415

    judged = cells
    for side, other in (("key", "res"), ("res", "key")):
        best_first = Window.partitionBy(side).orderBy(f.desc("worth"), other)
        judged = judged.withColumn(f"{side}_rank", f.row_number().over(best_first))
        next_best = f.lead("worth", 1, 0.0).over(best_first)
        judged = judged.withColumn(f"{side}_next", next_best)
    is_taken = "key_rank = 1 and res_rank = 1 and worth >= key_next + res_next"
    judged = judged.select("key", "res", "worth", f.expr(is_taken).alias("is_taken"))
    for side in ("res", "key"):
        has_taken = f.max("is_taken").over(Window.partitionBy(side))
        judged = judged.withColumn(f"{side}_settled", has_taken)
    is_settled = f.expr("res_settled or key_settled").alias("is_settled")
    return judged.select("key", "res", "worth", "is_taken", is_settled)


def _gained(taken: DataFrame) -> Fraction:
    """Add up what cells are worth, exactly: few different worths occur."""
    rows = taken.groupBy("worth").count().toArrow().to_pydict()
    pairs = zip(rows["worth"], rows["count"], strict=True)
    return sum((Fraction(worth) * times for worth, times in pairs), Fraction(0))


def _aligned(cells: DataFrame) -> Fraction:
    """Align on the driver what is left."""
    rows = cells.toArrow()
    if not rows.num_rows:
        return Fraction(0)
    key, res = (_numbered(rows.column(name)) for name in ("key", "res"))
    worth: Floats = rows.column("worth").to_numpy()
    order = np.lexsort((res, key))
    key, res, worth = key[order], res[order], worth[order]
    return Fraction(math.fsum(worth[best_alignment(key, res, worth)].tolist()))


def _numbered(names: Any) -> Ints:
    """Number names in their own order."""
    encoded = names.combine_chunks().dictionary_encode()
    array = encoded.chunk(0) if hasattr(encoded, "num_chunks") else encoded
    order = np.argsort(np.array(array.dictionary.to_pylist(), dtype=object))
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    codes: Ints = array.indices.to_numpy()
    return rank[codes]
