"""What older papers did with twinless mentions, those that only one side has.

Each practice is a change of the two partitions before a measure is computed, for recall and
for precision apart. Pradhan et al. (2014) count twinless mentions as wrong and change nothing.

    0    Stoyanov et al. 2009: spurious mentions are taken out of the response
    all  Stoyanov et al. 2009: what one side lacks, it is given as singletons
    rn   Rahman & Ng 2009: as `all`, after spurious singletons are taken out of the response
    sys  Cai & Strube 2010
    v4   the CoNLL scorer as run in 2011 and 2012: Cai & Strube with an error in recall
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from scoref.base.arrays import Bools
from scoref.overlap.table import Table, Times, once_per_table

Sides = tuple[Table, Table]


def for_recall_and_precision(table: Table, practice: str) -> Sides:
    """Return the table to compute recall on, and the one to compute precision on."""
    return _PRACTICES[practice](table)


@once_per_table
def without_spurious_singletons(table: Table) -> Table:
    """Take entities out of the response that are one spurious mention."""
    return _keep_responses(table, (table.res_size > 1) | (table.res_kept > 0))


@once_per_table
def without_spurious(table: Table) -> Table:
    """Take all spurious mentions out of the response, and the entities that they emptied."""
    return _keep_responses(replace(table, res_size=table.res_kept), table.res_kept > 0)


@once_per_table
def with_missing(table: Table) -> Table:
    """Give the response each mention that it lacks, as a singleton."""
    missing = table.key_size - table.key_kept
    times = None
    if table.times is None:
        at = np.repeat(np.arange(len(missing)), missing)
    else:
        at = np.flatnonzero(missing)
        given = missing[at] * table.times.key[at]
        res, cell = (np.concatenate([own, given]) for own in (table.times.res, table.times.cell))
        times = Times(table.times.key, res, cell)
    return replace(
        table,
        res_unit=np.concatenate([table.res_unit, table.key_unit[at]]),
        res_size=np.concatenate([table.res_size, np.ones_like(at)]),
        cell_key=np.concatenate([table.cell_key, at]),
        cell_res=np.concatenate([table.cell_res, len(table.res_size) + np.arange(len(at))]),
        count=np.concatenate([table.count, np.ones_like(at)]),
        rows=None,
        times=times,
    )


@once_per_table
def with_spurious(table: Table) -> Table:
    """Give the key each spurious mention, as a singleton."""
    return _exchanged(with_missing(_exchanged(table)))


def _exchanged(table: Table) -> Table:
    """Exchange key and response."""
    return Table(
        units=table.units,
        key_unit=table.res_unit,
        key_size=table.res_size,
        res_unit=table.key_unit,
        res_size=table.key_size,
        cell_key=table.cell_res,
        cell_res=table.cell_key,
        count=table.count,
        times=table.times and Times(table.times.res, table.times.key, table.times.cell),
    )


def _keep_responses(table: Table, keep: Bools) -> Table:
    """Keep some response entities, none of which has lost a cell."""
    number = np.cumsum(keep) - 1
    return replace(
        table,
        res_unit=table.res_unit[keep],
        res_size=table.res_size[keep],
        cell_res=number[table.cell_res],
        rows=None,
        times=table.times and Times(table.times.key, table.times.res[keep], table.times.cell),
    )


def _all(table: Table) -> Sides:
    return with_missing(table), with_spurious(table)


def _cai_strube(table: Table) -> Sides:
    completed = with_missing(without_spurious_singletons(table))
    return without_spurious(completed), with_spurious(completed)


def _as_run(table: Table) -> Sides:
    completed = with_spurious(with_missing(without_spurious_singletons(table)))
    return completed, completed


def _both(change: Callable[[Table], Table]) -> Callable[[Table], Sides]:
    return lambda table: (change(table), change(table))


_PRACTICES: dict[str, Callable[[Table], Sides]] = {
    "none": _both(lambda table: table),
    "0": _both(without_spurious),
    "all": _all,
    "rn": lambda table: _all(without_spurious_singletons(table)),
    "rn-deleted": _both(without_spurious_singletons),
    "sys": _cai_strube,
    "v4": _as_run,
}
