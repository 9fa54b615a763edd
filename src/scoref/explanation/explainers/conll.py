"""The walk-throughs of MUC, B³ and CEAF, whose mean F1 is the CoNLL score."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from scoref.explanation.blocks import GridColumns, Total
from scoref.explanation.explainer import Columns, Steps, part_cells
from scoref.explanation.explainers.alignment import align_cells
from scoref.explanation.explainers.twinless import change_partitions
from scoref.explanation.expressions import Fractions, Number, exact_sum, fractions, ratios
from scoref.explanation.scene import Partition, Scene

_MUC = (
    "An entity of n mentions needs n - 1 links to be whole. If the other side cuts it into p"
    " parts, n - p of these links are there. A mention that the other side lacks is a part of its"
    " own. Recall is the share of the key's links that are there, precision the share of the"
    " response's links."
)


def muc(steps: Steps) -> Columns:
    """Explain MUC: the links that are there, and the links that are needed."""
    steps.show(_MUC)
    counts: Columns = ()
    for side, caption in steps.scene.ratios:
        n, p = side.sizes, side.parts
        columns: GridColumns = {
            "entity": side.names,
            "n": n,
            "p": p,
            "n - p": Total(n - p),
            "n - 1": Total(n - 1),
            "parts": part_cells(steps.scene, side),
        }
        counts += steps.table(caption, columns, n)
    return counts


_B_CUBED = (
    "A key entity k and a response entity r share n mentions. Each of these n mentions finds n of"
    " its |k| companions, itself included, on the other side. Together they add n²/|k| to recall,"
    " and n²/|r| to precision. Recall is divided by the number of key mentions, precision by the"
    " number of response mentions."
)
_RECALL, _PRECISION = ("recall", "|k|", 0), ("precision", "|r|", 1)


def b_cubed(steps: Steps, twinless: str = "none") -> Columns:
    """Explain B³, with an older practice for mentions that only one side has."""
    steps.show(_B_CUBED)
    recall, precision = change_partitions(steps, twinless)
    if recall is precision:
        return _show_terms(recall, [_RECALL, _PRECISION])
    return (*_show_terms(recall, [_RECALL]), *_show_terms(precision, [_PRECISION]))


def _show_terms(steps: Steps, shares: Sequence[tuple[str, str, int]]) -> Columns:
    """Show what each cell adds; return the numerator and denominator of each share.

    A share has a name, the sign of the size that it divides by, and the side of this size.
    """
    n, *sizes = steps.scene.cell_sizes
    columns = steps.scene.cell_columns()
    for _, sign, at in shares:
        columns |= {sign: sizes[at], f"n²/{sign}": Total(ratios(n * n, sizes[at]))}
    caption = f"Terms of {' and '.join(name for name, _, _ in shares)}"
    terms = steps.table(caption, columns, n)
    mentions = [exact_sum(steps.scene.sides[at].sizes) for _, _, at in shares]
    return tuple(number for pair in zip(terms, mentions, strict=True) for number in pair)


_WORTH = {
    1: "worth 1 if k = r, else 0",
    2: "worth 1 if k and r share a mention, else 0",
    3: "worth the n mentions that k and r share",
    4: "worth 2n/(|k| + |r|) if k and r share n mentions",
}
_CEAF = (
    "Each key entity k is aligned with at most one response entity r, and each response entity"
    " with at most one key entity, so that the total worth is greatest. A pair is {worth}. Pairs"
    " that share no mention are worth nothing and are not shown."
)
_BY_SIZE = (
    "An entity aligned with itself is worth its size: the total is divided by the number of key"
    " mentions for recall, by the number of response mentions for precision."
)
_BY_NUMBER = (
    "An entity aligned with itself is worth 1: the total is divided by the number of key entities"
    " for recall, by the number of response entities for precision."
)


def exact_ceaf(steps: Steps, phi: int = 3, twinless: str = "none") -> Columns:
    """Explain CEAF with one of Luo's four similarities."""
    steps.show(_CEAF.format(worth=_WORTH[phi]), _BY_SIZE if phi == 3 else _BY_NUMBER)
    practice = "rn-deleted" if twinless == "rn" else twinless  # Rahman & Ng's for CEAF is shorter
    recall, precision = change_partitions(steps, practice)
    if recall is precision:
        gain = other_gain = align_cells(recall, _worth(recall.scene, phi))
    else:
        gain = align_cells(recall, _worth(recall.scene, phi), " for recall")
        other_gain = align_cells(precision, _worth(precision.scene, phi), " for precision")
    keys, responses = recall.scene.key_side, precision.scene.response_side
    return gain, _itself(keys, phi), other_gain, _itself(responses, phi)


def _itself(side: Partition, phi: int) -> Number:
    """Return what a side is worth aligned with itself."""
    return exact_sum(side.sizes) if phi == 3 else Fraction(len(side.names))


def _worth(scene: Scene, phi: int) -> Fractions:
    n, k, r = scene.cell_sizes
    if phi == 1:
        return fractions((n == k) & (n == r))
    if phi == 4:
        return ratios(2 * n, k + r)
    return fractions(n if phi == 3 else np.ones_like(n))
