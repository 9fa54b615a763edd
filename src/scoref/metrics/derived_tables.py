"""Tables in which mentions that only one side has are removed, or given to the other side.

Pairs of entities keep their cells: only the sizes and numbers of entities change, and cells of
single mentions are added.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from scoref.base.arrays import Bools, Floats
from scoref.base.phrases import counted
from scoref.exceptions import UsageError
from scoref.metrics.base import Count
from scoref.metrics.histogram import HistogramTable
from scoref.metrics.table import Table
from scoref.metrics.table_cache import cached_per_table


@cached_per_table
def without_spurious_singletons(table: Table) -> Table:
    """Remove the response entities that consist of one spurious mention."""
    return keep_responses(table, (table.res_size > 1) | (table.res_kept > 0))


@cached_per_table
def without_spurious(table: Table) -> Table:
    """Remove all spurious mentions from the response, and the entities that become empty."""
    return keep_responses(replace(table, res_size=table.res_kept), table.res_kept > 0)


@cached_per_table
def shared_mentions(table: Table) -> Table:
    """Remove the mentions that only one side has, and the entities that become empty."""
    return _swap_sides(without_spurious(_swap_sides(without_spurious(table))))


@cached_per_table
def with_missing(table: Table) -> Table:
    """Add each mention that the response lacks to the response, as a singleton."""
    missing = table.key_size - table.key_kept
    times = {}
    if isinstance(table, HistogramTable):
        key = np.flatnonzero(missing)
        times = dict.fromkeys(("res_times", "cell_times"), missing[key] * table.key_times[key])
    else:
        key = np.repeat(np.arange(len(missing)), missing)
    added = {
        "res_unit": table.key_unit[key],
        "res_size": np.ones_like(key),
        "cell_key": key,
        "cell_res": len(table.res_size) + np.arange(len(key)),
        "count": np.ones_like(key),
        **times,
    }
    return _changed(
        table, **{name: np.append(getattr(table, name), more) for name, more in added.items()}
    )


@cached_per_table
def with_spurious(table: Table) -> Table:
    """Add each spurious mention to the key, as a singleton."""
    return _swap_sides(with_missing(_swap_sides(table)))


def _swap_sides(table: Table) -> Table:
    """Exchange the columns of the key and those of the response."""
    pairs = [("key_unit", "res_unit"), ("key_size", "res_size"), ("cell_key", "cell_res")]
    if isinstance(table, HistogramTable):
        pairs.append(("key_times", "res_times"))
    swapped = {name: getattr(table, other) for name, other in (*pairs, *(p[::-1] for p in pairs))}
    return _changed(table, **swapped)


def keep_responses(table: Table, keep: Bools) -> Table:
    """Keep some response entities, and their cells."""
    cells = keep[table.cell_res]
    of_entities, of_cells = ["res_unit", "res_size"], ["cell_key", "cell_res", "count"]
    if isinstance(table, HistogramTable):
        of_entities, of_cells = [*of_entities, "res_times"], [*of_cells, "cell_times"]
    kept = {name: getattr(table, name)[keep] for name in of_entities}
    kept |= {name: getattr(table, name)[cells] for name in of_cells}
    kept["cell_res"] = (np.cumsum(keep) - 1)[kept["cell_res"]]
    return _changed(table, **kept)


def _changed(table: Table, **changes: Any) -> Table:
    """Replace columns; the mentions and CEAF's totals of the old table do not apply any more."""
    if isinstance(table, HistogramTable):
        changes["totals"] = {}
    return replace(table, rows=None, **changes)


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
