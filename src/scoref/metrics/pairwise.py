"""Pairwise: the set of coreference links, which are all pairs of mentions of an entity."""

from __future__ import annotations

from scoref.base.arrays import Floats
from scoref.metrics.base import About, Metric, links, ratio_counts
from scoref.metrics.table import Table


def count(table: Table) -> Floats:
    """Count the links that both sides have, the key has, and the response has."""
    common = table.sum_cells(links(table.count))
    return ratio_counts(table, common, links(table.key_size), common, links(table.res_size))


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
