"""MUC: the fewest links that would repair the response, and the key.

A response that cuts a key entity k into p parts, counting every missing mention as a part,
lacks p - 1 of the |k| - 1 links that hold k together and keeps |k| - p. The parts are the cells
of k and its missing mentions, so the links kept are the sum of n - 1 over the cells of n
mentions. This sum is the same for both sides: one numerator serves recall and precision.
Vilain et al. (1995).
"""

from __future__ import annotations

from scoref.base.arrays import Floats
from scoref.metrics.base import About, Metric, ratio_counts
from scoref.metrics.table import Table


def count(table: Table) -> Floats:
    """Count the links kept, and the links of the key and of the response."""
    kept = table.sum_cells(table.count - 1)
    return ratio_counts(table, kept, table.key_size - 1, kept, table.res_size - 1)


MUC = Metric(
    name="muc",
    count=count,
    by_sums=True,
    about=About(
        title="MUC",
        formula="R = sum over key entities k of (|k| - parts of k in the response)"
        " / sum of (|k| - 1); P with the sides exchanged",
        paper="Vilain et al. 1995",
        rewards="every link that connects mentions of one entity, however they are connected",
        ignores="singletons, and how much a wrong link merges: joining two large entities"
        " costs as little as joining two small ones",
    ),
)
