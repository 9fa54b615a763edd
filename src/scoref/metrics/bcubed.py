"""B³: how much of each mention's entity is together with it on the other side.

A cell of n mentions shared by key entity k and response entity r has n mentions that each see
n companions: it adds n²/|k| to recall and n²/|r| to precision. Bagga & Baldwin (1998). Mentions
that only one side has add nothing and stay in the denominators, as in Pradhan et al. (2014);
`derived_tables.py` has what older papers did with them.
"""

from __future__ import annotations

from scoref.base.arrays import Floats
from scoref.metrics.base import About, Metric, ratio_counts
from scoref.metrics.table import Table


def count(table: Table) -> Floats:
    """Count the numerator and denominator of recall, then of precision."""
    recall = table.sum_cells(table.count**2 / table.cell_key_size)
    precision = table.sum_cells(table.count**2 / table.cell_res_size)
    return ratio_counts(table, recall, table.key_size, precision, table.res_size)


B_CUBED = Metric(
    name="b3",
    count=count,
    by_sums=True,
    about=About(
        title="B³ (B-cubed)",
        formula="R = sum over key entities k and response entities r of |k and r|² / |k|,"
        " divided by the number of key mentions; P with |r| and the response mentions",
        paper="Bagga & Baldwin 1998; for predicted mentions Pradhan et al. 2014; twinless=0, all:"
        " Stoyanov et al. 2009, rn: Rahman & Ng 2009, sys: Cai & Strube 2010, v4: as run in the"
        " CoNLL tasks of 2011 and 2012",
        rewards="mentions that share their entity with the right companions",
        ignores="which entity is which: a response entity may count for several key entities",
    ),
)
