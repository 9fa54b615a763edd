"""NEC: named entity coreference, a reconstruction.

After Agarwal et al. (2019), from a description by others; the formula of the paper could not
be checked. Key entities without a name are ignored. A response entity is eligible for a key
entity if they share a name; an aligned pair is worth its Dice overlap. The best one-to-one
total is divided by the number of key entities with a name.
"""

from __future__ import annotations

import numpy as np

from scoref.assignment.solver import best_alignment
from scoref.base.arrays import Floats
from scoref.metrics.base import About, Metric, divide, only_f1
from scoref.metrics.needs import MENTION_TYPES
from scoref.metrics.types import best_types
from scoref.overlap.table import NAME, Table


def count(table: Table) -> Floats:
    """Count the best total, the key entities with a name, and those that are not aligned."""
    best = best_types(table)
    dice = 2 * table.count / (table.cell_key_size + table.cell_res_size)
    worth = np.where(best.cell == NAME, dice, 0.0)
    chosen = best_alignment(table.cell_key, table.cell_res, worth)
    named = best.key == NAME
    found = np.zeros(len(named), dtype=bool)
    found[table.cell_key[chosen]] = True
    total = table.sum_cells(np.where(chosen, worth, 0.0))
    return np.column_stack([total, table.sum_keys(named), table.sum_keys(named & ~found)])


NEC = Metric(
    name="nec",
    count=count,
    score=lambda counts: only_f1(divide(counts[..., 0], counts[..., 1])),
    columns=("total", "named_entities", "missed_entities"),
    symmetric=False,
    needs=frozenset({MENTION_TYPES}),
    has_sides=False,
    about=About(
        title="Named entity coreference (a reconstruction)",
        formula="best one-to-one total of 2 |k and r| / (|k| + |r|) over pairs that share a name,"
        " divided by the number of key entities with a name",
        paper="after Agarwal et al. 2019, whose formula could not be checked",
        rewards="finding whole entities that have names",
        ignores="entities without a name, and spurious entities",
    ),
)
