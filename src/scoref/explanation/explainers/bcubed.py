"""The walk-through of B³: what each pair of entities that share mentions adds."""

from __future__ import annotations

from scoref.explanation.blocks import Block, Total
from scoref.explanation.explainer import Columns, CountedTerms, Explainer
from scoref.explanation.explainers.twinless import change_partitions
from scoref.explanation.expressions import exact_sum, ratios
from scoref.explanation.scene import Scene

_TEXT = (
    "A key entity k and a response entity r share n mentions. Each of these n mentions finds n of"
    " its |k| companions, itself included, on the other side. Together they add n²/|k| to recall,"
    " and n²/|r| to precision. Recall is divided by the number of key mentions, precision by the"
    " number of response mentions."
)
_RECALL, _PRECISION = ("recall", "|k|", 0), ("precision", "|r|", 1)
_Ratio = tuple[str, str, int]
"""A name, the sign of the size that it divides by, and the side of this size."""


def b_cubed(twinless: str = "none") -> Explainer:
    """Explain B³, with an older practice for mentions that only one side has."""

    def count(scene: Scene) -> CountedTerms:
        (recall, precision), changes = change_partitions(scene, twinless)
        if recall is precision:
            terms, columns = _terms(recall, _RECALL, _PRECISION)
            return CountedTerms(columns, [_TEXT, *changes, terms])
        key, in_key = _terms(recall, _RECALL)
        response, in_response = _terms(precision, _PRECISION)
        return CountedTerms((*in_key, *in_response), [_TEXT, *changes, key, response])

    return Explainer(count)


def _terms(scene: Scene, *terms_of: _Ratio) -> tuple[Block, Columns]:
    """Show what each cell adds; return the numerator and denominator of each ratio."""
    n, *sizes = scene.cell_sizes
    columns = scene.cell_columns()
    counts: Columns = ()
    for _, sign, at in terms_of:
        terms = ratios(n * n, sizes[at])
        columns |= {sign: sizes[at], f"n²/{sign}": Total(terms)}
        counts += (exact_sum(terms), exact_sum(scene.sides[at].sizes))
    caption = f"Terms of {' and '.join(name for name, _, _ in terms_of)}"
    return scene.grid(columns, caption, n), counts
