"""The metrics of CorefEvaluator, with what it does with singletons.

It was written for OntoNotes, which has no singletons, and treats them in its own way:

    b3     the singletons of either side are skipped, in the sums and in the denominators
    lea    as b3; a singleton that both sides have adds nothing
    ceafe  the singletons of the response are skipped, and those of the key are not
    muc    as always: a singleton has no links

The difference is large where a corpus has singletons.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache

import numpy as np

from scoref.base.arrays import Floats, Ints
from scoref.matching.compat.corefud.alignment import precision_table, recall_table
from scoref.metrics import Metric, find_metrics
from scoref.metrics.base import average, links, ratio_counts
from scoref.metrics.ceaf import count as count_ceaf
from scoref.metrics.table import Table
from scoref.metrics.twinless import count_from_two_tables


def as_e2e_counts(metrics: Iterable[Metric]) -> tuple[Metric, ...]:
    """Return metrics of the same names that count as CorefEvaluator; others do not change."""
    here, there = _known()
    return tuple(
        there[metric.name]
        if metric.name in here and metric.count == here[metric.name].count
        else metric
        for metric in metrics
    )


@cache
def _known() -> tuple[dict[str, Metric], dict[str, Metric]]:
    """Return the metrics of CorefEvaluator as scoref counts them, and as it does."""
    here = {metric.name: metric for metric in find_metrics(["muc", "b3", "lea", "ceafe", "conll"])}
    there = {
        name: replace(
            here[name], count=count_from_two_tables(count, _recall_and_precision), by_sums=False
        )
        for name, count in (("muc", here["muc"].count), ("b3", _count_b3), ("lea", _count_lea))
    }
    there |= {
        "ceafe": replace(here["ceafe"], count=_count_ceafe, by_sums=False, symmetric=False),
    }
    conll = here["conll"]
    there["conll"] = average("conll", [there[part.name] for part in conll.parts], conll.about)
    return here, there


def _recall_and_precision(table: Table) -> tuple[Table, Table]:
    return recall_table(table), precision_table(table)


def _count_b3(table: Table) -> Floats:
    """Count without singletons."""
    key, response = table.cell_key_size, table.cell_res_size
    squares = np.where((key > 1) & (response > 1), table.count**2, 0)
    recall, precision = table.sum_cells(squares / key), table.sum_cells(squares / response)
    return ratio_counts(
        table, recall, _of_several(table.key_size), precision, _of_several(table.res_size)
    )


def _count_lea(table: Table) -> Floats:
    shared = links(table.count)
    recall, precision = (
        table.sum_cells(size * shared / np.maximum(links(size), 1))
        for size in (table.cell_key_size, table.cell_res_size)
    )
    return ratio_counts(
        table, recall, _of_several(table.key_size), precision, _of_several(table.res_size)
    )


def _of_several(sizes: Ints) -> Ints:
    """Return the sizes of entities, with 0 for singletons."""
    return np.where(sizes > 1, sizes, 0)


def _count_ceafe(table: Table) -> Floats:
    keep = table.res_size > 1
    cells = keep[table.cell_res]
    kept = replace(
        table,
        res_unit=table.res_unit[keep],
        res_size=table.res_size[keep],
        cell_key=table.cell_key[cells],
        cell_res=(np.cumsum(keep) - 1)[table.cell_res[cells]],
        count=table.count[cells],
        rows=None,
    )
    return count_ceaf(kept, phi=4)
