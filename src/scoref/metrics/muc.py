"""MUC: the fewest links that would mend the response, and the other way round.

A key entity k that the response cuts into p parts, counting every mention it lacks as a
part, needs p - 1 links to be whole, and so keeps |k| - p of its |k| - 1 links. Its parts
are its cells and its missing mentions, so what it keeps is the sum of n - 1 over its
cells of n mentions. That sum does not depend on the side: one numerator serves both.
Vilain et al. (1995).
"""

from __future__ import annotations

import numpy as np

from scoref.base.arrays import Floats
from scoref.metrics.base import About, Metric
from scoref.overlap.table import Table


def count(table: Table) -> Floats:
    """Count the links kept, and those of the key and of the response."""
    kept = table.sum_cells(table.count - 1)
    in_key = table.sum_keys(table.key_size - 1)
    in_response = table.sum_responses(table.res_size - 1)
    return np.stack([kept, in_key, kept, in_response], axis=-1)


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
