"""What older papers did with twinless mentions, which only one side has.

Each practice changes the two partitions before a metric is computed, separately for recall and
for precision. Pradhan et al. (2014) count twinless mentions as wrong and change nothing.

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
from functools import cache

import numpy as np

from scoref.base.arrays import Floats
from scoref.metrics.base import Count, Metric
from scoref.metrics.bcubed import B_CUBED
from scoref.metrics.ceaf import CEAF_E, CEAF_M
from scoref.metrics.derived_tables import (
    with_missing,
    with_spurious,
    without_spurious,
    without_spurious_singletons,
)
from scoref.metrics.names import one_of
from scoref.metrics.table import Table

TwoTables = Callable[[Table], tuple[Table, Table]]
"""Returns the table to count recall from, and the table to count precision from."""


def with_twinless(metric: Metric, twinless: str = "none") -> Metric:
    """Return a metric with a practice of older papers."""
    practices = _PRACTICES[metric.name]
    one_of(metric.name, "twinless", twinless, ("none", *practices))
    if twinless == "none":
        return metric
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
