"""Pairwise: the set of coreference links, which are all pairs of mentions of an entity."""

from __future__ import annotations

import numpy as np

from scoref.base.arrays import Floats
from scoref.metrics.base import About, Metric, links
from scoref.overlap.table import Table


def count(table: Table) -> Floats:
    """Count the links that both sides have, the key has, and the response has."""
    common = table.sum_cells(links(table.count))
    in_key = table.sum_keys(links(table.key_size))
    in_response = table.sum_responses(links(table.res_size))
    return np.column_stack([common, in_key, common, in_response])


PAIRWISE = Metric(
    name="pairwise",
    count=count,
    by_sums=True,
    about=About(
        title="Pairwise (link) F1",
        formula="R = common links / key links, P = common links / response links, where an"
        " entity of n mentions has n(n-1)/2 links",
        paper="Recasens & Hovy 2011, Table 1",
        rewards="pairs of mentions that are correctly together",
        ignores="singletons; an entity counts by the square of its size",
    ),
)
