"""LEA: how well each entity is resolved, weighted by how important it is.

Moosavi & Strube (2016). Importance is size; resolution is the share of the entity's links
that the other side has. An entity of one mention has one link, to itself, which only an
equal entity of one mention has too.
"""

from __future__ import annotations

import numpy as np

from scoref.arrays import Floats
from scoref.metrics.base import About, Metric, links
from scoref.table import Table


def count(table: Table) -> Floats:
    """Count importance times resolution, and importance, of key and of response entities."""
    key, response = table.cell_key_size, table.cell_res_size
    common = links(table.count)
    alone = (key == 1) & (response == 1)
    columns = [
        table.sum_cells(np.where(alone, 1.0, key * common / np.maximum(links(key), 1))),
        table.sum_keys(table.key_size),
        table.sum_cells(np.where(alone, 1.0, response * common / np.maximum(links(response), 1))),
        table.sum_responses(table.res_size),
    ]
    return np.stack(columns, axis=-1)


LEA = Metric(
    name="lea",
    count=count,
    about=About(
        title="LEA (link-based entity-aware)",
        formula="R = sum over key entities k of |k| * (links of k in the response / links of k)"
        " / sum of |k|; P with the sides exchanged; a singleton has one link, to itself",
        paper="Moosavi & Strube 2016",
        rewards="entities whose links are found, the larger the more",
        ignores="nothing of the partition; mentions found but linked wrongly earn nothing",
    ),
)
