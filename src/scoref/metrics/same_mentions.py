"""Metrics that compare partitions of the same mentions: require them, or ignore the others."""

from __future__ import annotations

from functools import cache

from scoref.base.arrays import Floats
from scoref.base.phrases import counted
from scoref.exceptions import UsageError
from scoref.metrics.base import Count
from scoref.overlap.derived_tables import shared_mentions
from scoref.overlap.table import Table


@cache
def count_shared(count: Count) -> Count:
    """Return a function that counts only the mentions that both sides have."""
    return lambda table: count(shared_mentions(table))


@cache
def count_same(count: Count, metric: str, instead: str) -> Count:
    """Return a function that requires the same mentions on both sides.

    The error message of `metric` names the metric to use `instead`.
    """

    def count_checked(table: Table) -> Floats:
        missing = int(table.sum_keys(table.key_size - table.key_kept).sum())
        spurious = int(table.sum_responses(table.res_size - table.res_kept).sum())
        if missing or spurious:
            raise UsageError(
                f"{metric} requires the same mentions on both sides, but the response lacks"
                f" {counted(missing, 'mention')} and adds {spurious}",
                f"use {instead} to ignore mentions that only one side has",
            )
        return count(table)

    return count_checked
