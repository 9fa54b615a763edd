"""B³: how much of each mention's own entity sits with it on the other side.

A cell of n mentions shared by key entity k and response entity r holds n mentions that
each see n companions: it adds n²/|k| to recall and n²/|r| to precision. Bagga & Baldwin
(1998). Mentions that only one side has add nothing and stay in the denominators, as in
Pradhan et al. (2014), unless an older practice is asked for.
"""

from __future__ import annotations

import numpy as np

from scoref.base.arrays import Floats
from scoref.metrics.base import About, Metric
from scoref.metrics.parameters import one_of
from scoref.metrics.twinless import for_recall_and_precision
from scoref.overlap.table import Table

_ABOUT = About(
    title="B³ (B-cubed)",
    formula="R = sum over key entities k and response entities r of |k and r|² / |k|,"
    " divided by the number of key mentions; P with |r| and the response mentions",
    paper="Bagga & Baldwin 1998; for predicted mentions Pradhan et al. 2014; twinless=0, all:"
    " Stoyanov et al. 2009, rn: Rahman & Ng 2009, sys: Cai & Strube 2010, v4: as run in the"
    " CoNLL tasks of 2011 and 2012",
    rewards="mentions that share their entity with the right companions",
    ignores="which entity is which: a response entity may be counted for several key entities",
)


def count(table: Table, precision_table: Table | None = None) -> Floats:
    """Count the numerator and denominator of recall, then of precision."""
    other = precision_table or table
    columns = [
        table.sum_cells(table.count**2 / table.cell_key_size),
        table.sum_keys(table.key_size),
        other.sum_cells(other.count**2 / other.cell_res_size),
        other.sum_responses(other.res_size),
    ]
    return np.stack(columns, axis=-1)


def b_cubed(twinless: str = "none") -> Metric:
    """Make B³ with what older papers did to mentions that only one side has."""
    one_of("b3", "twinless", twinless, ("none", "0", "all", "rn", "sys", "v4"))
    if twinless == "none":
        return B_CUBED

    def count_changed(table: Table) -> Floats:
        return count(*for_recall_and_precision(table, twinless))

    symmetric = twinless == "all"
    return Metric(name="b3", count=count_changed, about=_ABOUT, symmetric=symmetric, by_sums=True)


B_CUBED = Metric(name="b3", count=count, about=_ABOUT, by_sums=True)
