"""A table of the mentions that both sides have, as if the others had never been there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from scoref.metrics.twinless import without_spurious
from scoref.overlap.table import Table, Times, once_per_table


@once_per_table
def shared_mentions(table: Table) -> Table:
    """Leave out mentions that only one side has, and the entities that this empties."""
    response = without_spurious(table)
    keep = table.key_kept > 0
    return replace(
        response,
        key_unit=table.key_unit[keep],
        key_size=table.key_kept[keep],
        cell_key=(np.cumsum(keep) - 1)[table.cell_key],
        times=response.times
        and Times(response.times.key[keep], response.times.res, response.times.cell),
    )
