"""What an explainer is: a metric in exact arithmetic that shows its work.

As a metric, it has two parts: one counts a document, one scores any sum of counts. What it
counts are the metric's own columns, so the two can be compared number by number.
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
class Counted:
    """What a document counts, and the steps that lead there."""

    columns: Columns
    blocks: list[Block] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Scored:
    """Recall, precision and F1 as the policy has them, and how they come about.

    What does not exist is None: the recall of a measure without sides, or 0/0 if the policy
    leaves it out.
    """

    blocks: list[Block]
    recall: Number | None
    precision: Number | None
    f1: Number | None

    @property
    def values(self) -> tuple[Number | None, ...]:
        """Recall, precision and F1."""
        return self.recall, self.precision, self.f1


Score = Callable[[Sequence[Number], str], Scored]
"""Takes counts and what the policy makes of 0/0."""


def score_ratio(columns: Sequence[Number], undefined: str) -> Scored:
    """Score the numerator and denominator of recall, and those of precision."""
    top, bottom, other_top, other_bottom = columns
    return score_sides(Over(top, bottom), Over(other_top, other_bottom), undefined)


@dataclass(frozen=True, slots=True)
class Explainer:
    """Counts a document, and scores the counts of one or the sums over several."""

    count: Callable[[Scene], Counted]
    score: Score = score_ratio


def score_sides(recall: Expression, precision: Expression, undefined: str) -> Scored:
    """Score recall, precision and their harmonic mean."""
    formulas = [
        settled(Formula("recall", recall, evaluate(recall)), undefined),
        settled(Formula("precision", precision, evaluate(precision)), undefined),
        f1(evaluate(recall), evaluate(precision), undefined),
    ]
    blocks: list[Block] = [*formulas]
    return Scored(blocks, *(formula.value for formula in formulas))


def score_alone(name: str, expression: Expression, undefined: str) -> Scored:
    """Score a measure that has no recall and precision."""
    formula = settled(Formula(name, expression, evaluate(expression)), undefined)
    return Scored([formula], None, None, formula.value)


_SETTLED = {
    "zero": (ZERO, "counted as zero by the policy"),
    "one": (ONE, "counted as one by the policy"),
    "skip": (None, "left out by the policy"),
}


def settled(formula: Formula, undefined: str, why: str = "0/0") -> Formula:
    """Give a value that does not exist the one that the policy has for it, and say so."""
    if formula.value is not None:
        return formula
    value, what = _SETTLED[undefined]
    remark = what if formula.expression is not None else f"{why}, {what}"
    return Formula(formula.name, formula.expression, value, remark)


def harmonic_mean(one: Number, other: Number) -> Over:
    """Write the harmonic mean of two numbers."""
    return Over(Product((TWO, one, other)), Sum((one, other)))


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
    mean = harmonic_mean(recall, precision)
    return Formula(name, mean, evaluate(mean))
