"""CEAF: the best one-to-one alignment of key and response entities.

Luo (2005). A similarity phi says what an aligned pair is worth. The best total over all
one-to-one alignments is divided by what each side would get aligned with itself:

    phi 1  one if the two entities are equal          phi 3  the mentions they share (CEAFm)
    phi 2  one if they share a mention                phi 4  twice these over both sizes (CEAFe)

`partial_credit.py` has the credit for mentions that nearly agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

import numpy as np

from scoref.base.arrays import Floats, Ints
from scoref.exceptions import UsageError
from scoref.metrics.base import About, Count, Metric, ratio_counts
from scoref.metrics.table import Table

Similarity = Callable[[Floats, Floats, Floats], Floats]
"""Takes how many mentions pairs of entities share, and their sizes; returns their worths."""


def similarity(table: Table, phi: int) -> Floats:
    """Return what aligning the two entities of each cell is worth."""
    return worth_of(table.count, table.cell_key_size, table.cell_res_size, phi)


def worth_of(shared: Ints, key: Ints, response: Ints, phi: int) -> Floats:
    """Return what aligning entities of these sizes, with so many shared mentions, is worth."""
    if phi == 1:
        return np.asarray((shared == key) & (shared == response), dtype=np.float64)
    if phi == 2:
        return np.ones(len(shared))
    if phi == 3:
        return shared.astype(np.float64)
    dice: Floats = 2 * shared / (key + response)
    return dice


def count(table: Table, phi: int) -> Floats:
    """Count the best total, and what each side would get aligned with itself."""
    return count_gain(table, best_total(table, phi), by_size=phi == 3)


def count_gain(table: Table, gain: Floats, *, by_size: bool) -> Floats:
    """Count a total of each unit over the mentions, or else the entities, of each side."""
    sizes = (table.key_size, table.res_size)
    keys, responses = sizes if by_size else map(np.ones_like, sizes)
    return ratio_counts(table, gain, keys, gain, responses)


def best_total(table: Table, phi: int) -> Floats:
    """Return what the best one-to-one alignment of each unit is worth."""
    if table.best is not None:
        return table.best_of(phi)
    return table.sum_aligned(similarity(table, phi))


_COUNT: dict[int, Count] = {phi: partial(count, phi=phi) for phi in (1, 2, 3, 4)}


def phis_of(metrics: Iterable[Metric]) -> tuple[int, ...]:
    """Return the similarities whose best alignments some metrics, or their parts, need."""
    counts = {part.count for metric in metrics for part in metric.parts or (metric,)}
    return tuple(phi for phi, count in _COUNT.items() if count in counts)


def count_own(table: Table, similarity: Similarity) -> Floats:
    """Count with a similarity of the user's own."""
    shared = table.count.astype(np.float64)
    key, response = (size.astype(np.float64) for size in (table.key_size, table.res_size))
    worth = np.asarray(similarity(shared, key[table.cell_key], response[table.cell_res]))
    keys, responses = (np.asarray(similarity(size, size, size)) for size in (key, response))
    for values, expected in ((worth, shared), (keys, key), (responses, response)):
        if values.shape != expected.shape or not (values >= 0).all():
            raise UsageError("a similarity for CEAF must return one number >= 0 for each pair")
    gain = table.sum_aligned(worth.astype(np.float64))
    return ratio_counts(table, gain, keys, gain, responses)


def ceaf(phi: int | Similarity = 3, overlap: str = "exact", **weights: float) -> Metric:
    """Return the CEAF metric of one of Luo's four similarities, or of one of your own.

    A similarity of your own takes arrays: how many mentions each pair of entities shares, and
    the sizes of its key and its response entity.

    With an `overlap` other than `exact`, mentions that share tokens earn partial credit. The
    credit is multiplied by `nam_nom`, `nam_pro` or `nom_pro` where types differ, and entities
    are weighted by `nam`, `nom` or `pro`, their best mention type.
    """
    if callable(phi):
        return Metric("ceaf", partial(count_own, similarity=phi))
    if phi not in _COUNT:
        raise UsageError(f"ceaf has no phi={phi}, only 1, 2, 3 and 4")
    about = _about(phi, f"CEAF with phi {phi}")
    if overlap == "exact" and not weights:
        return Metric("ceaf", _COUNT[phi], about=about, by_sums=True)
    from scoref.metrics import partial_credit  # noqa: PLC0415  # few ask for it

    credit = partial_credit.Credit(overlap, **weights)
    if credit.is_exact:
        return Metric("ceaf", _COUNT[phi], about=about, by_sums=True)
    count = partial_credit.counting(phi, credit)
    about = about._replace(formula=f"{about.formula}; {partial_credit.MEANING}")
    return Metric("ceaf", count, about=about, needs=credit.needs)


def _about(phi: int, title: str, rewards: str = "", practices: str = "") -> About:
    """Describe a CEAF metric; `practices` are papers of its own parameter `twinless`."""
    worth = {
        1: "1 if k = r, else 0",
        2: "1 if k and r share a mention, else 0",
        3: "|k and r|",
        4: "2 |k and r| / (|k| + |r|)",
    }
    return About(
        title=title,
        formula="R = best one-to-one total of phi(k, r) / sum of phi(k, k), P with phi(r, r);"
        f" phi(k, r) = {worth[phi]}",
        paper=f"Luo 2005; twinless={practices}" if practices else "Luo 2005",
        rewards=rewards or "each key entity having one response entity of its own",
        ignores="correct links inside response entities that are not aligned",
    )


_AS_RUN = "v4: as run in the CoNLL tasks of 2011 and 2012"
CEAF_M = Metric(
    name="ceafm",
    count=_COUNT[3],
    by_sums=True,
    about=_about(
        3,
        "CEAF, mention-based (phi 3)",
        "the mentions that an aligned pair of entities shares, so large entities most",
        f"rn: Rahman & Ng 2009, sys: Cai & Strube 2010, {_AS_RUN}",
    ),
)
CEAF_E = Metric(
    name="ceafe",
    count=_COUNT[4],
    by_sums=True,
    about=_about(
        4,
        "CEAF, entity-based (phi 4)",
        "aligned pairs of entities that are alike, small and large entities equally",
        f"rn: Rahman & Ng 2009, {_AS_RUN}",
    ),
)
