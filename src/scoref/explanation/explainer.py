"""What an explainer is: a metric in exact arithmetic that shows its work.

Like a metric, it has two parts: one counts a document, the other scores any sum of counts. It
counts the metric's own columns, so the two can be compared number by number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

from scoref.explanation.blocks import Block, Formula, Grid, GridColumns
from scoref.explanation.expressions import (
    ONE,
    TWO,
    ZERO,
    Expression,
    Number,
    Over,
    Product,
    Sum,
    defined,
    evaluate,
    exact_sum,
)
from scoref.explanation.scene import Scene

Columns = tuple[Number, ...]
_FEW = 4  # numbers that fit into the formula of their mean


@dataclass(frozen=True, slots=True)
class Steps:
    """The steps that lead to the counts of a document, written down one after the other."""

    scene: Scene
    blocks: list[Block] = field(default_factory=list)

    def on(self, scene: Scene) -> Steps:
        """Continue with the same document, perhaps with other partitions."""
        return self if scene is self.scene else Steps(scene, self.blocks)

    def show(self, *blocks: Block) -> None:
        """Add texts, formulas, and tables that show all of their rows."""
        self.blocks.extend(blocks)

    def table(self, caption: str, columns: GridColumns, weight: Any = None) -> Columns:
        """Add a table of the heaviest rows; return the sum of each column that has one."""
        grid = Grid(columns, caption, weight, self.scene.limit)
        self.show(grid if len(grid) else f"{caption}: none.")
        return grid.sums


class Scored(NamedTuple):
    """Recall, precision and F1 under the policy, and the formulas that lead to them.

    A value that does not exist is None: the recall of a metric without sides, or 0/0 if the
    policy skips it.
    """

    blocks: list[Block]
    recall: Number | None
    precision: Number | None
    f1: Number | None


def score_ratio(columns: Sequence[Number], undefined: str, **_: Any) -> Scored:
    """Score the numerator and denominator of recall, and those of precision."""
    top, bottom, other_top, other_bottom = columns
    return score_sides(Over(top, bottom), Over(other_top, other_bottom), undefined)


@dataclass(frozen=True, slots=True)
class Explainer:
    """Counts a document, and scores the counts of one document or the sums over several.

    `count` takes steps, which it completes. `score` takes counts and the policy's name for what
    becomes of 0/0. Both take the parameters of the metric.
    """

    count: Callable[..., Columns]
    score: Callable[..., Scored] = score_ratio

    def with_parameters(self, **parameters: Any) -> Explainer:
        """Return the explainer of one metric of a family."""
        return Explainer(partial(self.count, **parameters), partial(self.score, **parameters))


def score_sides(recall: Expression, precision: Expression, undefined: str) -> Scored:
    """Score recall, precision and their harmonic mean."""
    one, other = Formula.of("recall", recall), Formula.of("precision", precision)
    mean = f1(one.value, other.value, undefined)
    return score_formulas([settled(one, undefined), settled(other, undefined), mean])


def score_alone(columns: Sequence[Number], undefined: str, *, name: str, **_: Any) -> Scored:
    """Score a metric without recall and precision: its first count over its second."""
    return score_formulas([settled(Formula.of(name, Over(*columns[:2])), undefined)])


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
    return Formula.of(name, Over(Product((TWO, recall, precision)), Sum((recall, precision))))


def mean_of(name: str, values: Sequence[Number | None]) -> Formula:
    """Write the mean of the numbers that exist."""
    there = defined(values)
    terms = Sum(tuple(there)) if len(there) <= _FEW else exact_sum(there)
    missing = len(values) - len(there)
    remark = f"{missing} left out because 0/0" if missing else ""
    mean = Over(terms, Fraction(len(there))) if there else None
    return Formula(name, mean, evaluate(mean) if mean else None, remark)
