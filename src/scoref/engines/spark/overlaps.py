"""The entities of one unit and what they share, as DataFrames: histogram, and CEAF in rounds.

A cell that is worth at least as much as the best other cell of its key entity and the best other
cell of its response entity together is in some best alignment (see `assignment/reduction.py`). To
take these cells, to drop all cells of their entities, and to repeat settles nearly everything in
a few rounds of SQL. The driver aligns the rest.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from scoref.assignment.solver import best_alignment
from scoref.base.arrays import Floats, Ints
from scoref.engines.one_unit import WITHOUT_CEAF
from scoref.engines.spark import functions as f
from scoref.exceptions import UsageError
from scoref.overlap.histogram import CellBins, EntityBins, Histogram, distinct_rows

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

FEW_CELLS = 1_000_000
"""The driver aligns up to so many cells, in less than a second."""

MOST_CELLS = 50_000_000
"""The driver refuses to align more cells than this after the last round."""

MOST_ROUNDS = 6
"""Nearly everything is settled by then, and the plan that Spark writes out doubles per round."""


def persist(frame: DataFrame, stack: ExitStack) -> DataFrame:
    """Cache a DataFrame that is used again, in memory or on disk, until the stack is closed."""
    stack.callback(frame.persist().unpersist)
    return frame


_SIMILARITIES = {
    1: "cast(shared = key_size and shared = res_size as double)",
    2: "cast(1 as double)",
    3: "cast(shared as double)",
    4: "2 * cast(shared as double) / (key_size + res_size)",
}
"""The similarity of the two entities of a cell, as in `metrics/ceaf.py`."""


@dataclass(frozen=True, slots=True, eq=False)
class Overlaps:
    """The entities of both sides and the cells of entities that share mentions, as DataFrames."""

    keys: DataFrame
    responses: DataFrame
    cells: DataFrame

    @classmethod
    def of(cls, cells: DataFrame, cached: ExitStack) -> Overlaps:
        """Add the sizes of entities, and how many of their mentions the other side has."""
        sides = [_entities(cells, *names) for names in (("key", "res"), ("res", "key"))]
        there = cells.where("key is not null and res is not null").select("key", "res", "shared")
        sized = there.join(sides[0], "key").join(sides[1], "res")
        return cls(sides[0], sides[1], persist(sized, cached))

    def histogram(self) -> Histogram:
        """Count how many entities and cells are alike."""
        cells = ("shared", "key_size", "key_kept", "res_size", "res_kept")
        return Histogram(
            EntityBins(*_count_alike(self.keys, ("key_size", "key_kept"))),
            EntityBins(*_count_alike(self.responses, ("res_size", "res_kept"))),
            CellBins(*_count_alike(self.cells, cells)),
        )

    def best_total(self, phi: int, few: int, cached: ExitStack) -> float:
        """Return the total similarity of the best one-to-one alignment."""
        worth = f.expr(_SIMILARITIES[phi]).alias("worth")
        left = self.cells.select("key", "res", worth).where("worth > 0")
        total, cells = Fraction(0), left.count()
        for _ in range(MOST_ROUNDS):
            if cells <= few:
                break
            settled = persist(_settle(left), cached)
            total += _total_worth(settled.where("is_taken"))
            left = settled.where("not is_settled").select("key", "res", "worth")
            before, cells = cells, left.count()
            if cells == before:
                break
        if cells > MOST_CELLS:
            raise UsageError(
                f"CEAF leaves {cells:,} pairs of entities to align, too many for one machine",
                WITHOUT_CEAF,
            )
        return float(total + _align(left))


def _entities(cells: DataFrame, side: str, other: str) -> DataFrame:
    kept = f.when(f.col(other).isNotNull(), f.col("shared")).otherwise(0)
    there = cells.where(f.col(side).isNotNull())
    return there.groupBy(side).agg(
        f.sum("shared").alias(f"{side}_size"), f.sum(kept).alias(f"{side}_kept")
    )


def _count_alike(frame: DataFrame, columns: Sequence[str]) -> list[Ints]:
    """Count rows that are alike, sorted: sums over them are always the same."""
    found = frame.groupBy(*columns).count().toArrow()
    arrays = [column.to_numpy().astype(np.int64) for column in found.columns]
    return distinct_rows(arrays[:-1], arrays[-1])


def _settle(cells: DataFrame) -> DataFrame:
    """Mark cells that are worth as much as the best others of both their entities together.

    A cell is settled if one of its entities has a taken cell. Cells of equal worth are ordered by
    name, so a repeated task takes the same cells. There are no joins here: a plan that named its
    input twice would double per round.
    """
    from pyspark.sql import Window  # noqa: PLC0415

    marked = cells
    for side, other in (("key", "res"), ("res", "key")):
        best_first = Window.partitionBy(side).orderBy(f.desc("worth"), other)
        marked = marked.withColumn(f"{side}_rank", f.row_number().over(best_first))
        next_best = f.lead("worth", 1, 0.0).over(best_first)
        marked = marked.withColumn(f"{side}_next", next_best)
    is_taken = "key_rank = 1 and res_rank = 1 and worth >= key_next + res_next"
    marked = marked.select("key", "res", "worth", f.expr(is_taken).alias("is_taken"))
    for side in ("res", "key"):
        has_taken = f.max("is_taken").over(Window.partitionBy(side))
        marked = marked.withColumn(f"{side}_settled", has_taken)
    is_settled = f.expr("res_settled or key_settled").alias("is_settled")
    return marked.select("key", "res", "worth", "is_taken", is_settled)


def _total_worth(taken: DataFrame) -> Fraction:
    """Add up the worth of cells exactly: few different values occur."""
    rows = taken.groupBy("worth").count().toArrow().to_pydict()
    pairs = zip(rows["worth"], rows["count"], strict=True)
    return sum((Fraction(worth) * times for worth, times in pairs), Fraction(0))


def _align(cells: DataFrame) -> Fraction:
    """Align the rest on the driver."""
    rows = cells.toArrow()
    if not rows.num_rows:
        return Fraction(0)
    key, res = (_rank_names(rows.column(name)) for name in ("key", "res"))
    worth: Floats = rows.column("worth").to_numpy()
    order = np.lexsort((res, key))
    key, res, worth = key[order], res[order], worth[order]
    return Fraction(math.fsum(worth[best_alignment(key, res, worth)].tolist()))


def _rank_names(names: Any) -> Ints:
    """Number names in alphabetical order."""
    import pyarrow.compute as pc  # type: ignore[import-untyped]  # noqa: PLC0415

    rank: Ints = pc.rank(names, tiebreaker="dense").to_numpy().astype(np.int64)
    return rank - 1
