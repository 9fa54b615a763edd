"""What an explainer is: a metric in exact arithmetic that shows its work.

Like a metric, it has two parts: one counts a document, the other scores any sum of counts. It
counts the metric's own columns, so the two can be compared number by number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from scoref.base.arrays import Bools, Ints
from scoref.explanation.blocks import (
    Block,
    Formula,
    Grid,
    GridColumns,
    LazyCells,
    MentionSets,
    Total,
)
from scoref.explanation.expressions import (
    ONE,
    TWO,
    ZERO,
    Expression,
    Fractions,
    Number,
    Over,
    Product,
    Sum,
    choose,
    defined,
    evaluate,
    exact_sum,
)
from scoref.explanation.scene import Partition, Scene
from scoref.metrics.assignment.solver import best_alignment

Columns = tuple[Number, ...]
_FEW = 4  # numbers that fit into the formula of their mean


@dataclass(frozen=True, slots=True)
class Steps:
    """The steps that lead to the counts of a document, written down one after the other."""

    scene: Scene
    blocks: list[Block] = field(default_factory=list)

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


def show_entities(steps: Steps, side: Partition, caption: str = "") -> None:
    """Show the entities of one side."""
    scene, members = steps.scene, side.members
    columns: GridColumns = {
        "entity": side.names,
        "id": side.ids,
        "size": Total(side.sizes),
        "mentions": LazyCells(len(members), lambda at: scene.mentions(members[at])),
    }
    steps.table(caption or f"Entities of the {side.side}", columns, side.sizes)


def show_overlaps(steps: Steps) -> None:
    """Show the mentions that each key entity shares with each response entity.

    Mentions that only one side has are in rows of their own.
    """
    scene, (key, response) = steps.scene, steps.scene.sides
    cells = key.named(scene.table.cell_key), response.named(scene.table.cell_res)
    rows = [
        *zip(*cells, scene.cell_members, strict=True),
        *((name, "-", alone) for name, alone in zip(key.names, key.alone, strict=True)),
        *(("-", name, alone) for name, alone in zip(response.names, response.alone, strict=True)),
    ]
    rows = [row for row in rows if row[2]]
    if not rows:
        steps.show("Neither side has mentions.")
        return
    names, others, members = zip(*rows, strict=True)
    sizes = [len(some) for some in members]
    columns: GridColumns = {
        "key": names,
        "response": others,
        "n": Total(sizes),
        "mentions": LazyCells(len(rows), lambda at: scene.mentions(members[at])),
    }
    caption = "What they share; a row with a dash has the mentions that only one side has"
    steps.table(caption, columns, sizes)


def part_cells(scene: Scene, side: Partition) -> LazyCells:
    """List the parts into which the other side cuts each entity.

    A mention that the other side lacks is a part of its own.
    """

    def parts(entity: int) -> MentionSets:
        found = [scene.cell_members[cell] for cell in side.cells[entity]]
        found += [[row] for row in side.alone[entity]]
        shown = scene.first(found)
        return MentionSets(tuple(map(scene.mentions, shown)), len(found) - len(shown))

    return LazyCells(len(side.members), parts)


def show_groups(steps: Steps, title: str, groups: Mapping[str, Ints], caption: str = "") -> None:
    """Show groups of mentions: how many there are, and which."""
    columns: GridColumns = {
        title: list(groups),
        "number": [len(rows) for rows in groups.values()],
        "which": [steps.scene.mentions(rows.tolist()) for rows in groups.values()],
    }
    steps.show(Grid(columns, caption))


def show_chosen(
    steps: Steps,
    caption: str,
    columns: GridColumns,
    worth: Fractions,
    chosen: Bools,
    *,
    weight: Fractions | None = None,
    title: str = "aligned",
) -> Number:
    """Show pairs; the worth of the chosen ones is in a column of its own, whose sum is returned.

    If not all pairs are shown, the chosen ones come first.
    """
    columns = {**columns, title: Total(choose(chosen, worth, None))}
    size = np.abs(worth if weight is None else weight)
    (total,) = steps.table(
        caption, columns, choose(chosen, size + max(size, default=ZERO) + 1, size)
    )
    return total


def best_pairs(one: Ints, other: Ints, worth: Fractions) -> Bools:
    """Mark the pairs of the best one-to-one alignment, as the metrics choose it."""
    return best_alignment(one, other, worth.astype(np.float64))
