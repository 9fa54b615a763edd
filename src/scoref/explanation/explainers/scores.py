"""How ARCS and ACE make scores of their counts; most other metrics divide two pairs of counts."""

from __future__ import annotations

from collections.abc import Sequence

from scoref.explanation.blocks import Formula
from scoref.explanation.explainer import Scored, f1, score_formulas, score_sides
from scoref.explanation.expressions import ZERO, Number, Over, Sum

_BELOW = "what is below zero counts as zero"
_NOTHING = "no entity of the key counts; the policy for 0/0 does not apply"
_UNDEFINED = "undefined; the policy for 0/0 does not apply"


def score_arcs(
    columns: Sequence[Number], undefined: str, kind: str = "immediate", **_: str
) -> Scored:
    """Score anaphors, or entities and their mentions."""
    if kind != "anchor":
        right, wrong, missing, spurious = columns
        recall = Over(right, Sum((right, wrong, missing)))
        return score_sides(recall, Over(right, Sum((right, wrong, spurious))), undefined)
    formulas: list[Formula] = []
    for what, (right, missing, spurious) in (("entities", columns[:3]), ("mentions", columns[3:])):
        ratios = [
            Formula.of(f"recall of {what}", Over(right, Sum((right, missing)))),
            Formula.of(f"precision of {what}", Over(right, Sum((right, spurious)))),
        ]
        formulas += [*ratios, f1(ratios[0].value, ratios[1].value, "skip", f"F1 of {what}")]
    together = f1(formulas[2].value, formulas[5].value, undefined)
    return score_formulas([together], formulas)


def score_ace(columns: Sequence[Number], _: str, year: float = 2005, **__: float | str) -> Scored:
    """Score the value, and recall and precision in the years that have them."""
    reference, missed, error, alarm, valued = columns
    reference = reference if valued else ZERO
    right = Sum((reference,), (missed, error))
    ratios = {"value": Over(Sum((reference,), (missed, error, alarm)), reference)}
    if year != 2008:
        found = Sum((reference, alarm), (missed,))
        ratios = {"recall": Over(right, reference), "precision": Over(right, found)} | ratios
    formulas = []
    for name, ratio in ratios.items():
        formula = Formula.of(name, ratio)
        if formula.value is None:  # no policy gives it a value
            remark = _UNDEFINED if valued else _NOTHING
            formula = Formula(name, ratio if valued else None, None, remark)
        elif formula.value < 0 and name != "value":
            formula = Formula(name, ratio, ZERO, _BELOW)
        formulas.append(formula)
    return score_formulas(formulas)
