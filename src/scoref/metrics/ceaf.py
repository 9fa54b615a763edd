"""CEAF: the best one-to-one alignment of key and response entities.

Luo (2005). A similarity phi says what an aligned pair is worth; the best total over all
one-to-one alignments is divided by what each side would get aligned with itself:

    phi 1  one if the two entities are equal          phi 3  the mentions they share (CEAFm)
    phi 2  one if they share a mention                phi 4  twice these over both sizes (CEAFe)

Partial credit for mentions that nearly agree is in `partial_credit.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

import numpy as np

from scoref.assignment.solver import best_total as best_totals
from scoref.base.arrays import Floats, Ints
from scoref.exceptions import UsageError
from scoref.metrics import partial_credit
from scoref.metrics.base import SPANS, TYPES, About, Metric
from scoref.metrics.parameters import not_negative, one_of
from scoref.metrics.twinless import for_recall_and_precision
from scoref.overlap.table import Table

_WORTH = {
    1: "1 if k = r, else 0",
    2: "1 if k and r share a mention, else 0",
    3: "|k and r|",
    4: "2 |k and r| / (|k| + |r|)",
}
# Rahman & Ng only delete spurious singletons; Cai & Strube leave phi 4 open.
_PRACTICES = {
    3: {"none": "none", "rn": "rn-deleted", "sys": "sys", "v4": "v4"},
    4: {"none": "none", "rn": "rn-deleted", "v4": "v4"},
}


def similarity(table: Table, phi: int) -> Floats:
    """Return what aligning the two entities of each cell is worth."""
    return worth_of(table.count, table.cell_key_size, table.cell_res_size, phi)


def worth_of(shared: Ints, key: Ints, response: Ints, phi: int) -> Floats:
    """Return what aligning entities of these sizes, with so many mentions in common, is worth."""
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
    gain = best_total(table, phi)
    by_size = phi == 3
    keys = table.sum_keys(table.key_size if by_size else np.ones_like(table.key_size))
    responses = table.sum_responses(table.res_size if by_size else np.ones_like(table.res_size))
    return np.stack([gain, keys, gain, responses], axis=-1)


def total_by_unit(table: Table, worth: Floats) -> Floats:
    """Return the best one-to-one total of each unit."""
    units = len(table.units)
    return best_totals(table.cell_key, table.cell_res, worth, table.cell_unit, units)


def phis_of(metrics: Iterable[Metric]) -> tuple[int, ...]:
    """Return the similarities whose best alignments some metrics, or their parts, need."""
    counts = {part.count for metric in metrics for part in metric.parts or (metric,)}
    return tuple(phi for phi in _WORTH if _counting(phi, "none") in counts)


def best_total(table: Table, phi: int) -> Floats:
    """Return what the best one-to-one alignment of each unit is worth."""
    if table.times is not None:
        if phi not in table.times.best:
            raise UsageError(
                "this kind of CEAF aligns single entities, of which only a histogram is left here",
                "score a table that fits into memory, or leave the measure out",
            )
        return np.array([table.times.best[phi]])
    return total_by_unit(table, similarity(table, phi))


@cache
def _counting(phi: int, practice: str) -> Callable[[Table], Floats]:
    """Return the counting function of a similarity; the same one each time."""
    if practice == "none":
        return lambda table: count(table, phi)

    def count_changed(table: Table) -> Floats:
        recall, precision = for_recall_and_precision(table, practice)
        return np.concatenate([count(recall, phi)[:, :2], count(precision, phi)[:, 2:]], axis=-1)

    return count_changed


Similarity = Callable[[Floats, Floats, Floats], Floats]
"""Takes how many mentions entities share, and their sizes; returns what aligning them is worth."""

PARAMETERS: dict[str, float | int | str] = {
    "phi": 3,
    "overlap": "exact",
    "nam_nom": 1.0,
    "nam_pro": 1.0,
    "nom_pro": 1.0,
    "nam": 1.0,
    "nom": 1.0,
    "pro": 1.0,
}


def ceaf(
    phi: int | Similarity = 3,
    overlap: str = "exact",
    *,
    nam_nom: float = 1.0,
    nam_pro: float = 1.0,
    nom_pro: float = 1.0,
    nam: float = 1.0,
    nom: float = 1.0,
    pro: float = 1.0,
) -> Metric:
    """Make the CEAF metric of one of Luo's four similarities, or of one of your own.

    A similarity of your own takes arrays: how many mentions each pair of entities shares, and
    the sizes of its key and its response entity.

    With an `overlap` other than `exact`, mentions that share tokens earn partial credit. It is
    multiplied by `nam_nom`, `nam_pro` or `nom_pro` where types are confused, and entities are
    weighted by `nam`, `nom` or `pro`, their best mention type.
    """
    if callable(phi):
        similarity_of_ones_own = phi
        return Metric("ceaf", lambda table: count_by(table, similarity_of_ones_own))
    if phi not in _WORTH:
        raise UsageError(f"ceaf has no phi={phi}, only 1, 2, 3 and 4")
    one_of("ceaf", "overlap", overlap, tuple(partial_credit.OVERLAPS))
    confusion = {"nam_nom": nam_nom, "nam_pro": nam_pro, "nom_pro": nom_pro}
    not_negative("ceaf", nam=nam, nom=nom, pro=pro, **confusion)
    if above := [name for name, factor in confusion.items() if factor > 1]:
        raise UsageError(f"ceaf has no {above[0]} above 1: equal types earn 1")
    credit = partial_credit.Credit(overlap, (nam_nom, nam_pro, nom_pro), (nam, nom, pro))
    about = _about(phi, f"CEAF with phi {phi}")
    if credit.is_exact:
        return Metric("ceaf", _counting(phi, "none"), about=about, by_sums=True)
    if phi not in (3, 4):
        raise UsageError(f"ceaf(phi={phi}) has no partial credit", "phi=3 and phi=4 have it")
    needs = [*([] if overlap == "exact" else [SPANS]), *([TYPES] if credit.looks_at_types else [])]
    return Metric("ceaf", _partial_counting(phi, credit), about=about, needs=frozenset(needs))


@cache
def _partial_counting(phi: int, credit: partial_credit.Credit) -> Callable[[Table], Floats]:
    return lambda table: partial_credit.count(table, phi, credit)


def count_by(table: Table, similarity: Similarity) -> Floats:
    """Count with a similarity of the user's own."""
    shared = table.count.astype(np.float64)
    key, response = (size.astype(np.float64) for size in (table.key_size, table.res_size))
    worth = np.asarray(similarity(shared, key[table.cell_key], response[table.cell_res]))
    keys, responses = (np.asarray(similarity(size, size, size)) for size in (key, response))
    for values, expected in ((worth, shared), (keys, key), (responses, response)):
        if values.shape != expected.shape or not (values >= 0).all():
            raise UsageError(
                "a similarity of CEAF must return one number for each pair, none below zero"
            )
    gain = total_by_unit(table, worth.astype(np.float64))
    return np.stack([gain, table.sum_keys(keys), gain, table.sum_responses(responses)], axis=-1)


def ceaf_m(twinless: str = "none") -> Metric:
    """Make mention-based CEAF."""
    one_of("ceafm", "twinless", twinless, tuple(_PRACTICES[3]))
    about = _about(
        3,
        "CEAF, mention-based (phi 3)",
        "the mentions that an aligned pair of entities shares, so large entities most",
    )
    counting = _counting(3, _PRACTICES[3][twinless])
    plain = twinless == "none"
    return Metric("ceafm", counting, about=about, symmetric=plain, by_sums=plain)


def ceaf_e(twinless: str = "none") -> Metric:
    """Make entity-based CEAF."""
    one_of("ceafe", "twinless", twinless, tuple(_PRACTICES[4]))
    about = _about(
        4,
        "CEAF, entity-based (phi 4)",
        "aligned pairs of entities that are alike, small and large entities equally",
    )
    counting = _counting(4, _PRACTICES[4][twinless])
    plain = twinless == "none"
    return Metric("ceafe", counting, about=about, symmetric=plain, by_sums=plain)


def _about(phi: int, title: str, rewards: str = "") -> About:
    return About(
        title=title,
        formula="R = best one-to-one total of phi(k, r) / sum of phi(k, k), P with phi(r, r);"
        f" phi(k, r) = {_WORTH[phi]}",
        paper="Luo 2005; twinless=rn: Rahman & Ng 2009, sys: Cai & Strube 2010, v4: as run in"
        " the CoNLL tasks of 2011 and 2012"
        if phi in _PRACTICES
        else "Luo 2005",
        rewards=rewards or "each key entity having one response entity of its own",
        ignores="correct links inside response entities that are not aligned",
    )


CEAF_E = ceaf_e()
