"""An explainer that records what a metric does, for a metric without a walk-through of its own.

A metric sums over pairs of entities, over key entities, over response entities, or over the pairs
of the best one-to-one alignment. It is given a table in exact fractions whose sums record their
terms; each count is then shown term by term. A metric that sums over mentions is given a table in
which each mention is a document of its own.

The scores are two ratios of counts, or what the metric makes of them; for ARCS and ACE, formulas
show how.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import fields
from fractions import Fraction
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Bools, Floats, Ints
from scoref.explanation.blocks import Formula, Grid, GridColumns, Total
from scoref.explanation.explainer import (
    Columns,
    Explainer,
    Scored,
    Steps,
    best_pairs,
    f1,
    score_formulas,
    score_ratio,
    score_sides,
    settled,
    show_chosen,
)
from scoref.explanation.expressions import (
    ZERO,
    Number,
    Over,
    Sum,
    exact,
    exact_sum,
    fractions,
    sum_groups,
)
from scoref.metrics import Metric
from scoref.metrics.base import score_ratio as divide_counts
from scoref.metrics.table import Table

_TEXT = (
    "This metric has no walk-through of its own. The tables show its counts, and the terms that it"
    " sums over entities or mentions of the document."
)
_NAMES = ("recall", "precision", "F1")
_CELLS, _KEYS, _RESPONSES = "pairs of entities", "key entities", "response entities"
_ALIGNED = "aligned pairs of entities"


class RecordedSum(Fraction):
    """A sum that records its terms, and what it is a sum over in which table."""

    table: Table
    over: str
    terms: list[Number]

    def __new__(cls, table: Table, over: str, values: NDArray[Any]) -> Self:
        """Sum the values of one document."""
        terms = [v if isinstance(v, Fraction) else exact(v) for v in values.tolist()]
        recorded = super().__new__(cls, exact_sum(terms))
        recorded.table, recorded.over, recorded.terms = table, over, terms
        return recorded

    @property
    def number(self) -> Number:
        """The sum, as a float if a term is not exact."""
        return exact_sum(self.terms)


class RecordedAlignment(RecordedSum):
    """A sum over the aligned pairs of entities, with all pairs and what they are worth."""

    pairs: tuple[Ints, Ints]
    worth: NDArray[Any]
    aligned: Bools

    @classmethod
    def of(cls, table: Table, pairs: tuple[Ints, Ints], worth: NDArray[Any]) -> Self:
        """Align entities so that the sum is greatest."""
        aligned = best_pairs(*pairs, worth)
        recorded = cls(table, _ALIGNED, worth[aligned])
        exactly = [v if isinstance(v, Fraction) else exact(v) for v in worth.tolist()]
        recorded.worth = np.array([*exactly, None], dtype=np.object_)[:-1]
        recorded.pairs, recorded.aligned = pairs, aligned
        return recorded


class RecordingTable(Table):
    """The table of one document in fractions; what is summed is recorded."""

    __slots__ = ()

    @classmethod
    def of(cls, table: Table, *, exactly: bool) -> RecordingTable:
        """Make a table that records, of fractions or of integers."""
        columns = {field.name: getattr(table, field.name) for field in fields(table)}
        if exactly:
            sizes = ("key_size", "res_size", "count")
            columns |= {name: fractions(columns[name]) for name in sizes}
        return cls(**columns)

    @property
    def key_kept(self) -> Ints:
        """How many mentions of each key entity the response has."""
        return sum_groups(self.cell_key, self.count, len(self.key_size))

    @property
    def res_kept(self) -> Ints:
        """How many mentions of each response entity the key has."""
        return sum_groups(self.cell_res, self.count, len(self.res_size))

    def sum_cells(self, values: NDArray[Any]) -> Any:
        """Record a sum over pairs of entities."""
        return np.array([RecordedSum(self, _CELLS, values)], dtype=np.object_)

    def sum_keys(self, values: NDArray[Any]) -> Any:
        """Record a sum over key entities."""
        return np.array([RecordedSum(self, _KEYS, values)], dtype=np.object_)

    def sum_responses(self, values: NDArray[Any]) -> Any:
        """Record a sum over response entities."""
        return np.array([RecordedSum(self, _RESPONSES, values)], dtype=np.object_)

    def sum_aligned(self, worth: NDArray[Any], pairs: tuple[Ints, Ints] | None = None) -> Any:
        """Record the sum of the best one-to-one alignment."""
        aligned = RecordedAlignment.of(self, pairs or (self.cell_key, self.cell_res), worth)
        return np.array([aligned], dtype=np.object_)


def record(metric: Metric, counts: Floats, score: Callable[..., Scored] | None = None) -> Explainer:
    """Explain a metric by the terms that it sums; `counts` are its own, a row per document.

    `score` explains the scores. Without it they are the metric's own, or two ratios.
    """

    def count(steps: Steps) -> Columns:
        own = [exact(value) for value in counts[steps.scene.unit].tolist()]
        found = _recorded_counts(metric, steps.scene.table, own)
        columns = tuple(one.number if isinstance(one, RecordedSum) else one for one in found)
        steps.show(*([f"Formula: {metric.about.formula}."] if metric.about else []), _TEXT)
        if any(isinstance(one, RecordedSum) for one in found):
            _show_terms(steps, metric, found)
        else:
            _show_mentions(steps, metric, own)
        if columns:
            steps.show(Grid({"count": list(metric.columns), "value": columns}, "Counts"))
        return columns

    def own_scores(columns: Sequence[Number], undefined: str) -> Scored:
        scores = metric.scores(np.array([float(number) for number in columns]), "skip").tolist()
        values = [None if math.isnan(value) else value for value in scores]
        formulas = [Formula(name, None, v) for name, v in zip(_NAMES, values, strict=True)]
        policy = "skip" if metric.keeps_undefined else undefined
        settled_formulas = [settled(formula, policy) for formula in formulas]
        return score_formulas(settled_formulas if metric.has_sides else settled_formulas[-1:])

    if score is None:
        score = score_ratio if metric.score is divide_counts else own_scores
    return Explainer(count, score)


def _recorded_counts(metric: Metric, table: Table, own: Sequence[Number]) -> Sequence[Number]:
    """Count a document with a table that records, or return the metric's own counts.

    A metric is any code: it may do to numbers what fractions, or even recorded sums, cannot do. It
    may also change the table, whose entities are then others, and the terms cannot be shown.
    """

    def shown(value: Any) -> Number:
        if isinstance(value, RecordedSum) and value.table is not recording:
            return value.number
        return value if isinstance(value, Fraction) else exact(float(value))

    for exactly in (True, False):
        try:
            recording = RecordingTable.of(table, exactly=exactly)
            found = metric.count(recording)[0]
            if all(math.isclose(a, b, abs_tol=1e-9) for a, b in zip(found, own, strict=True)):
                return [shown(value) for value in found]
        except Exception:  # noqa: BLE001, S112  # the metric counts, but cannot be recorded
            continue
    return own


def _show_terms(steps: Steps, metric: Metric, found: Sequence[Number]) -> None:
    """Show the terms of the recorded sums, a table for each thing that was summed over."""
    scene, (n, k, r) = steps.scene, steps.scene.cell_sizes
    names: dict[str, tuple[GridColumns, Ints]] = {
        _CELLS: ({**scene.cell_columns(), "|k|": k, "|r|": r}, n)
    }
    for over, side, sign in zip((_KEYS, _RESPONSES), scene.sides, ("|k|", "|r|"), strict=True):
        names[over] = {"entity": side.names, sign: side.sizes}, side.sizes
    sums: dict[int, RecordedSum] = {}
    titles: dict[int, list[str]] = {}
    for name, one in zip(metric.columns, found, strict=True):
        if isinstance(one, RecordedSum):
            sums[id(one)] = one
            titles.setdefault(id(one), []).append(name.replace("_", " "))
    for at, one in sums.items():
        if isinstance(one, RecordedAlignment):
            _show_alignment(steps, one, ", ".join(titles[at]))
    for over, (columns, weight) in names.items():
        summed = {
            ", ".join(titles[at]): Total(one.terms) for at, one in sums.items() if one.over == over
        }
        if summed:
            steps.table(f"Sums over {over}", {**columns, **summed}, weight)


def _show_alignment(steps: Steps, recorded: RecordedAlignment, title: str) -> None:
    """Show pairs of entities, what they are worth, and which of them are aligned."""
    scene, (key, response) = steps.scene, recorded.pairs
    columns: GridColumns = {
        **scene.pair_columns(key, response),
        "|k|": scene.key_side.sizes[key],
        "|r|": scene.response_side.sizes[response],
        "worth": recorded.worth,
    }
    caption = f"Sums over {_ALIGNED}: one to one, so that the sum is greatest"
    show_chosen(steps, caption, columns, recorded.worth, recorded.aligned, title=title)


def _show_mentions(steps: Steps, metric: Metric, own: Sequence[Number]) -> None:
    """Show what each mention adds to the counts, if these are sums over mentions."""
    scene = steps.scene
    try:
        added = scene.count_per_mention(metric.count)
    except Exception:  # noqa: BLE001  # the metric counts, but not mention by mention
        return
    if not np.allclose(added.sum(axis=0), [float(count) for count in own], atol=1e-9):
        return
    rows = np.flatnonzero(added.any(axis=1))
    rows = rows[np.argsort(scene.source.order[scene.at[rows]])]
    terms = {
        name.replace("_", " "): Total([exact(value) or None for value in column])
        for name, column in zip(metric.columns, added[rows].T.tolist(), strict=True)
    }
    columns: GridColumns = {
        "mention": scene.mention_cells(rows),
        **scene.pair_columns(scene.key[rows], scene.res[rows]),
    }
    steps.table("Sums over mentions", {**columns, **terms})


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
