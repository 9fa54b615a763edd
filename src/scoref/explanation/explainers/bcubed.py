"""The walk-through of B³: what each pair of entities that share mentions adds."""

from __future__ import annotations

from collections.abc import Sequence

from scoref.explanation.blocks import Total
from scoref.explanation.explainer import Columns, Steps
from scoref.explanation.explainers.twinless import change_partitions
from scoref.explanation.expressions import exact_sum, ratios

_TEXT = (
    "A key entity k and a response entity r share n mentions. Each of these n mentions finds n of"
    " its |k| companions, itself included, on the other side. Together they add n²/|k| to recall,"
    " and n²/|r| to precision. Recall is divided by the number of key mentions, precision by the"
    " number of response mentions."
)
_RECALL, _PRECISION = ("recall", "|k|", 0), ("precision", "|r|", 1)


def b_cubed(steps: Steps, twinless: str = "none") -> Columns:
    """Explain B³, with an older practice for mentions that only one side has."""
    steps.show(_TEXT)
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
