"""Tables in which mentions that only one side has are removed, or given to the other side.

Pairs of entities keep their cells: only the sizes and numbers of entities change, and cells of
single mentions are added.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from scoref.base.arrays import Bools
from scoref.overlap.histogram import HistogramTable
from scoref.overlap.table import Table, cached_per_table


@cached_per_table
def without_spurious_singletons(table: Table) -> Table:
    """Remove the response entities that consist of one spurious mention."""
    return _keep_responses(table, (table.res_size > 1) | (table.res_kept > 0))


@cached_per_table
def without_spurious(table: Table) -> Table:
    """Remove all spurious mentions from the response, and the entities that become empty."""
    return _keep_responses(replace(table, res_size=table.res_kept), table.res_kept > 0)


@cached_per_table
def shared_mentions(table: Table) -> Table:
    """Remove the mentions that only one side has, and the entities that become empty."""
    return _swap_sides(without_spurious(_swap_sides(without_spurious(table))))


@cached_per_table
def with_missing(table: Table) -> Table:
    """Add each mention that the response lacks to the response, as a singleton."""
    missing = table.key_size - table.key_kept
    changes: dict[str, Any] = {}
    if isinstance(table, HistogramTable):
        key = np.flatnonzero(missing)
        times = missing[key] * table.key_times[key]
        changes["res_times"] = np.concatenate([table.res_times, times])
        changes["cell_times"] = np.concatenate([table.cell_times, times])
    else:
        key = np.repeat(np.arange(len(missing)), missing)
    return _changed(
        table,
        res_unit=np.concatenate([table.res_unit, table.key_unit[key]]),
        res_size=np.concatenate([table.res_size, np.ones_like(key)]),
        cell_key=np.concatenate([table.cell_key, key]),
        cell_res=np.concatenate([table.cell_res, len(table.res_size) + np.arange(len(key))]),
        count=np.concatenate([table.count, np.ones_like(key)]),
        **changes,
    )


@cached_per_table
def with_spurious(table: Table) -> Table:
    """Add each spurious mention to the key, as a singleton."""
    return _swap_sides(with_missing(_swap_sides(table)))


def _swap_sides(table: Table) -> Table:
    changes: dict[str, Any] = {}
    if isinstance(table, HistogramTable):
        changes = {"key_times": table.res_times, "res_times": table.key_times}
    return _changed(
        table,
        key_unit=table.res_unit,
        key_size=table.res_size,
        res_unit=table.key_unit,
        res_size=table.key_size,
        cell_key=table.cell_res,
        cell_res=table.cell_key,
        **changes,
    )


def _keep_responses(table: Table, keep: Bools) -> Table:
    """Keep some response entities, among them all that have a cell."""
    changes: dict[str, Any] = {}
    if isinstance(table, HistogramTable):
        changes["res_times"] = table.res_times[keep]
    return _changed(
        table,
        res_unit=table.res_unit[keep],
        res_size=table.res_size[keep],
        cell_res=(np.cumsum(keep) - 1)[table.cell_res],
        **changes,
    )


def _changed(table: Table, **changes: Any) -> Table:
    """Replace columns; the mentions and CEAF's totals of the old table do not apply any more."""
    if isinstance(table, HistogramTable):
        changes["best"] = {}
    return replace(table, rows=None, **changes)
