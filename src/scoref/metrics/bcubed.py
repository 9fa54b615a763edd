"""B³: how much of each mention's own entity sits with it on the other side.

A cell of n mentions shared by key entity k and response entity r holds n mentions that
each see n companions: it adds n²/|k| to recall and n²/|r| to precision. Bagga & Baldwin
(1998). Mentions that only one side has add nothing and stay in the denominators, as in
Pradhan et al. (2014).
"""

from __future__ import annotations

import numpy as np

from scoref.arrays import Floats
from scoref.metrics.base import About, Metric
from scoref.table import Table


def count(table: Table) -> Floats:
    """Count the numerator and denominator of recall, then of precision."""
    companions = table.count**2
    columns = [
        table.sum_cells(companions / table.cell_key_size),
        table.sum_keys(table.key_size),
        table.sum_cells(companions / table.cell_res_size),
        table.sum_responses(table.res_size),
    ]
    return np.stack(columns, axis=-1)


B_CUBED = Metric(
    name="b3",
    count=count,
    about=About(
        title="B³ (B-cubed)",
        formula="R = sum over key entities k and response entities r of |k and r|² / |k|,"
        " divided by the number of key mentions; P with |r| and the response mentions",
        paper="Bagga & Baldwin 1998; for predicted mentions Pradhan et al. 2014",
        rewards="mentions that share their entity with the right companions",
        ignores="which entity is which: a response entity may be counted for several key entities",
    ),
)
