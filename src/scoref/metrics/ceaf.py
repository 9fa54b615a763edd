"""CEAF: the best one-to-one alignment of key and response entities.

Luo (2005). A similarity phi says what an aligned pair is worth; the best total over all
one-to-one alignments is divided by what each side would get aligned with itself:

    phi 1  one if the two entities are equal          phi 3  the mentions they share (CEAFm)
    phi 2  one if they share a mention                phi 4  twice these over both sizes (CEAFe)
"""

from __future__ import annotations

from functools import cache

import numpy as np

from scoref.arrays import Floats
from scoref.assignment import best_alignment
from scoref.exceptions import UsageError
from scoref.metrics.base import About, Metric
from scoref.table import Table

_WORTH = {
    1: "1 if k = r, else 0",
    2: "1 if k and r share a mention, else 0",
    3: "|k and r|",
    4: "2 |k and r| / (|k| + |r|)",
}


def similarity(table: Table, phi: int) -> Floats:
    """Return what aligning the two entities of each cell is worth."""
    shared, key, response = table.count, table.cell_key_size, table.cell_res_size
    if phi == 1:
        return np.asarray((shared == key) & (shared == response), dtype=np.float64)
    if phi == 2:
        return np.ones(len(shared))
    if phi == 3:
        return shared.astype(np.float64)
    dice: Floats = 2 * shared / (key + response)
    return dice


@cache
def ceaf(phi: int = 3, *, name: str = "", title: str = "", rewards: str = "") -> Metric:
    """Make the CEAF metric of one of Luo's four similarities."""
    if phi not in _WORTH:
        raise UsageError(f"ceaf has no phi={phi}, only 1, 2, 3 and 4")

    def count(table: Table) -> Floats:
        worth = similarity(table, phi)
        chosen = best_alignment(table.cell_key, table.cell_res, worth)
        gain = table.sum_cells(np.where(chosen, worth, 0.0))
        by_size = phi == 3
        keys = table.sum_keys(table.key_size if by_size else np.ones_like(table.key_size))
        res = table.sum_responses(table.res_size if by_size else np.ones_like(table.res_size))
        return np.stack([gain, keys, gain, res], axis=-1)

    about = About(
        title=title or f"CEAF with phi {phi}",
        formula="R = best one-to-one total of phi(k, r) / sum of phi(k, k), P with phi(r, r);"
        f" phi(k, r) = {_WORTH[phi]}",
        paper="Luo 2005",
        rewards=rewards or "each key entity having one response entity of its own",
        ignores="correct links inside response entities that are not aligned",
    )
    return Metric(name=name or "ceaf", count=count, about=about)


CEAF_M = ceaf(
    3,
    name="ceafm",
    title="CEAF, mention-based (phi 3)",
    rewards="the mentions that an aligned pair of entities shares, so large entities most",
)
CEAF_E = ceaf(
    4,
    name="ceafe",
    title="CEAF, entity-based (phi 4)",
    rewards="aligned pairs of entities that are alike, small and large entities equally",
)
