"""What an explainer is: a metric in exact arithmetic that shows its work.

Like a metric, it has two parts: one counts a document, the other scores any sum of counts. It
counts the metric's own columns, so the two can be compared number by number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from scoref.explanation.blocks import Block, Formula
from scoref.explanation.expressions import (
    ONE,
    TWO,
    ZERO,
    Expression,
    Number,
    Over,
    Product,
    Sum,
    evaluate,
)
from scoref.explanation.scene import Scene

Columns = tuple[Number, ...]


@dataclass(frozen=True, slots=True)
class CountedTerms:
    """The counts of a document, and the steps that lead to them."""

    columns: Columns
    blocks: list[Block] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Scored:
    """Recall, precision and F1 under the policy, and the formulas that lead to them.

    A value that does not exist is None: the recall of a metric without sides, or 0/0 if the
    policy skips it.
    """

    blocks: list[Block]
    recall: Number | None
    precision: Number | None
    f1: Number | None

    @property
    def values(self) -> tuple[Number | None, ...]:
        """Recall, precision and F1."""
        return self.recall, self.precision, self.f1


def score_ratio(columns: Sequence[Number], undefined: str) -> Scored:
    """Score the numerator and denominator of recall, and those of precision."""
    top, bottom, other_top, other_bottom = columns
    return score_sides(Over(top, bottom), Over(other_top, other_bottom), undefined)


@dataclass(frozen=True, slots=True)
class Explainer:
    """Counts a document, and scores the counts of one document or the sums over several.

    `score` takes counts and the policy's name for what becomes of 0/0.
    """

    count: Callable[[Scene], CountedTerms]
    score: Callable[[Sequence[Number], str], Scored] = score_ratio


def score_sides(recall: Expression, precision: Expression, undefined: str) -> Scored:
    """Score recall, precision and their harmonic mean."""
    return score_formulas(
        [
            settled(Formula("recall", recall, evaluate(recall)), undefined),
            settled(Formula("precision", precision, evaluate(precision)), undefined),
            f1(evaluate(recall), evaluate(precision), undefined),
        ]
    )


def score_alone(name: str, expression: Expression, undefined: str) -> Scored:
    """Score a metric without recall and precision."""
    return score_formulas([settled(Formula(name, expression, evaluate(expression)), undefined)])


def score_formulas(formulas: Sequence[Formula], before: Sequence[Block] = ()) -> Scored:
    """Take the scores from the formulas of recall, precision and F1, or of F1 alone."""
    recall, precision = (f.value for f in formulas[:-1]) if len(formulas) > 1 else (None, None)
    return Scored([*before, *formulas], recall, precision, formulas[-1].value)


_SETTLED = {
    "zero": (ZERO, "counted as zero by the policy"),
    "one": (ONE, "counted as one by the policy"),
    "skip": (None, "left out by the policy"),
}


def settled(formula: Formula, undefined: str, why: str = "0/0") -> Formula:
    """Give a value that does not exist the value that the policy has for it, and say so."""
    if formula.value is not None:
        return formula
    value, remark = _SETTLED[undefined]
    if formula.expression is None:
        remark = f"{why}, {remark}"
    return Formula(formula.name, formula.expression, value, remark)


def f1(
    recall: Number | None, precision: Number | None, undefined: str, name: str = "F1"
) -> Formula:
    """Write the harmonic mean of two numbers that may not exist."""
    if recall is None and precision is None:
        return settled(Formula(name, None, None), undefined, "the mean of 0/0 and 0/0")
    if recall is None or precision is None:
        return Formula(name, None, ZERO, "one of the two is 0/0, so nothing was right")
    if recall + precision == 0:
        return Formula(name, None, ZERO, "both are zero")
    mean = Over(Product((TWO, recall, precision)), Sum((recall, precision)))
    return Formula(name, mean, evaluate(mean))
