"""Collected: blocks that reach the driver, which are few and small; and DataFrames in a cache."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scoref.base.arrays import Ints
from scoref.engines.spark import functions as f
from scoref.engines.spark.blocks import RowBlock, read_columns, received
from scoref.engines.spark.unit_records import TOTALS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def persist(frame: DataFrame, stack: ExitStack) -> DataFrame:
    """Cache a DataFrame that is used again, in memory or on disk, until the stack is closed."""
    stack.callback(frame.persist().unpersist)
    return frame


@dataclass(frozen=True, slots=True, eq=False)
class Collected:
    """Blocks of some kinds, and the totals of all tasks."""

    blocks: tuple[RowBlock, ...]
    totals: dict[str, int]

    @classmethod
    def of(cls, frame: DataFrame, kinds: Iterable[str]) -> Collected:
        """Run what makes a DataFrame of blocks, and fetch those of some kinds, and totals."""
        rows = frame.where(f.col("kind").isin([*kinds, TOTALS])).toArrow()
        blocks = tuple(received(rows.to_batches()))
        totals: dict[str, int] = {}
        for block in blocks:
            if block.kind == TOTALS:
                for name, (number,) in block.read().to_pydict().items():
                    totals[name] = totals.get(name, 0) + number
        return cls(blocks, totals)

    def total(self, name: str) -> int:
        """Return a total, or 0 if no task reported it."""
        return self.totals.get(name, 0)

    def columns(self, kinds: Sequence[str], names: Sequence[str]) -> list[Ints]:
        """Return the columns of all blocks of some kinds."""
        blocks = [block for block in self.blocks if block.kind in kinds]
        return list(read_columns(blocks, names).values())
