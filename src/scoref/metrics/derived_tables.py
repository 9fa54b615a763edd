"""Tables that metrics derive from a table: twinless mentions, which one side lacks, are changed.

They are removed, or given to the other side. Pairs of entities keep their cells: only the sizes and
numbers of entities change, and cells of single mentions are added. Older papers changed the two
partitions so before they computed a metric, separately for recall and for precision. Pradhan et al.
(2014) count twinless mentions as wrong and change nothing.

    0    Stoyanov et al. 2009: remove spurious mentions from the response
    all  Stoyanov et al. 2009: add the mentions that a side lacks to it, as singletons
    rn   Rahman & Ng 2009: as `all`, after removing spurious singletons from the response
    sys  Cai & Strube 2010
    v4   the CoNLL scorer as run in 2011 and 2012: Cai & Strube with an error in recall

For CEAF, Rahman & Ng only remove spurious singletons; Cai & Strube leave phi 4 open.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, wraps
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import numpy as np

from scoref.base.arrays import Bools, Floats
from scoref.base.phrases import counted
from scoref.exceptions import UsageError
from scoref.metrics.base import Count, Metric
from scoref.metrics.bcubed import B_CUBED
from scoref.metrics.ceaf import CEAF_E, CEAF_M
from scoref.metrics.histogram import HistogramTable
from scoref.metrics.names import one_of
from scoref.metrics.needs import SAME_MENTIONS
from scoref.metrics.table import Table

Derived = TypeVar("Derived")


def cached_per_table(function: Callable[[Table], Derived]) -> Callable[[Table], Derived]:
    """Cache what a function of a table returns as long as the table exists.

    Metrics of one family share what they derive, such as the types in each entity.
    """
    cache: WeakKeyDictionary[Table, Derived] = WeakKeyDictionary()

    @wraps(function)
    def cached(table: Table) -> Derived:
        if table not in cache:
            cache[table] = function(table)
        return cache[table]

    return cached


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
        key = np.repeat(np.arange(len(missing)), missing.astype(np.int64))
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


def of_same_mentions(metric: Metric, mentions: str) -> Metric:
    """Return a metric that requires the same mentions, or counts shared mentions only."""
    one_of(metric.name.partition("(")[0], "mentions", mentions, ("same", "shared"))
    if mentions == "shared":
        return replace(metric, count=count_shared(metric.count))
    name, _, others = metric.name.rstrip(")").partition("(")
    instead = f"{name}({others + ',' if others else ''}mentions=shared)"
    checked = count_same(metric.count, metric.name, instead)
    return replace(metric, count=checked, needs=frozenset({SAME_MENTIONS}))


TwoTables = Callable[[Table], tuple[Table, Table]]
"""Returns the table to count recall from, and the table to count precision from."""


def with_twinless(metric: Metric, twinless: str) -> Metric:
    """Return a metric with a practice of older papers."""
    practices = _PRACTICES[metric.name]
    one_of(metric.name, "twinless", twinless, ("none", *practices))
    is_b_cubed = metric is B_CUBED
    return replace(
        metric,
        count=count_from_two_tables(metric.count, practices[twinless]),
        symmetric=is_b_cubed and twinless == "all",
        by_sums=is_b_cubed,
    )


@cache
def count_from_two_tables(count: Count, tables: TwoTables) -> Count:
    """Return a function that counts recall from one table and precision from another."""

    def count_sides(table: Table) -> Floats:
        recall, precision = tables(table)
        return np.concatenate([count(recall)[:, :2], count(precision)[:, 2:]], axis=-1)

    return count_sides


def _complete(table: Table) -> tuple[Table, Table]:
    return with_missing(table), with_spurious(table)


def _cai_strube(table: Table) -> tuple[Table, Table]:
    completed = with_missing(without_spurious_singletons(table))
    return without_spurious(completed), with_spurious(completed)


def _as_run(table: Table) -> tuple[Table, Table]:
    completed = with_spurious(with_missing(without_spurious_singletons(table)))
    return completed, completed


def _same_for_both(change: Callable[[Table], Table]) -> TwoTables:
    return lambda table: (change(table), change(table))


_only_remove = _same_for_both(without_spurious_singletons)
_PRACTICES: dict[str, dict[str, TwoTables]] = {
    B_CUBED.name: {
        "0": _same_for_both(without_spurious),
        "all": _complete,
        "rn": lambda table: _complete(without_spurious_singletons(table)),
        "sys": _cai_strube,
        "v4": _as_run,
    },
    CEAF_M.name: {"rn": _only_remove, "sys": _cai_strube, "v4": _as_run},
    CEAF_E.name: {"rn": _only_remove, "v4": _as_run},
}
