"""From documents to a corpus: counts are summed and then scored, or scores averaged."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from scoref.counts.counts import Counts
from scoref.explanation.blocks import Block, Column, Formula, Grid
from scoref.explanation.explainer import Columns, Explainer, Scored
from scoref.explanation.explanation import Numbers
from scoref.explanation.expressions import (
    Number,
    Over,
    Sum,
    defined,
    evaluate,
    exact_sum,
    whole,
)
from scoref.explanation.numbers import check, numbers
from scoref.explanation.scene import Scenes
from scoref.metrics import Metric
from scoref.policy import Policy

_FEW = 4  # documents whose scores fit into the formula of their mean
_EVERYTHING = "all documents"
_MICRO = "Counts are summed over documents, then scored."
_MACRO = (
    "The policy averages over documents (average:macro): each is scored, and the score of all is"
    " the mean of the documents' scores."
)


class Closing(NamedTuple):
    """How the score of all documents comes about, and its numbers."""

    closing: list[Block]
    corpus: Numbers


def close(
    metric: Metric,
    explainer: Explainer,
    scenes: Scenes,
    counts: Counts,
    policy: Policy,
) -> Closing:
    """Show what each document counts, and the score of all together."""
    rows: list[Columns] = []
    for scene, expected in zip(scenes, counts.rows[metric.name].tolist(), strict=True):
        rows.append(explainer.count(scene).columns)
        check(metric, scene.document, rows[-1], expected)
    sums = tuple(exact_sum(column) for column in zip(*rows, strict=True))
    if policy.average == "macro":
        blocks, scored = _average(metric, explainer, rows, scenes, policy)
    else:
        scored = explainer.score(sums, policy.undefined)
        tables = _count_tables(metric, rows, scenes)
        blocks = [_MICRO, *tables, *scored.blocks]
    check(metric, _EVERYTHING, scored.values, counts.scores(metric, policy).tolist())
    return Closing(blocks, numbers(metric, sums, scored))


def _count_tables(metric: Metric, rows: Sequence[Columns], scenes: Scenes) -> list[Block]:
    """Show the counts of each document; those of an average, part by part."""
    weights = whole(scenes.mentions().tolist())
    tables: list[Block] = []
    start = 0
    for part in metric.parts or (metric,):
        end = start + len(part.columns)
        columns = [
            Column(name.replace("_", " "), [row[at] for row in rows], summed=True)
            for name, at in zip(part.columns, range(start, end), strict=True)
        ]
        caption = f"Counts of {part.name} by document"
        document = Column("document", scenes.documents)
        tables.append(Grid([document, *columns], weights, scenes.limit, caption))
        start = end
    return tables


def _average(
    metric: Metric,
    explainer: Explainer,
    rows: Sequence[Columns],
    scenes: Scenes,
    policy: Policy,
) -> tuple[list[Block], Scored]:
    """Score each document, and average what exists."""
    scored = [explainer.score(row, policy.undefined) for row in rows]
    shown = [block.name for block in scored[-1].blocks if isinstance(block, Formula)]
    fields = [(shown[-1], [one.f1 for one in scored])]
    if metric.has_sides and not metric.parts and "recall" in shown:
        fields = [
            ("recall", [one.recall for one in scored]),
            ("precision", [one.precision for one in scored]),
            *fields,
        ]
    document = Column("document", scenes.documents)
    columns = [Column(name, values, summed=True) for name, values in fields]
    weights = whole(scenes.mentions().tolist())
    means = [_mean(name, values) for name, values in fields]
    blocks: list[Block] = [
        _MACRO,
        Grid([document, *columns], weights, scenes.limit, "Scores by document"),
        *means,
    ]
    recall, precision = (f.value for f in means[:-1]) if len(means) > 1 else (None, None)
    return blocks, Scored([*means], recall, precision, means[-1].value)


def _mean(name: str, values: Sequence[Number | None]) -> Formula:
    there = defined(values)
    terms = Sum(tuple(there)) if len(there) <= _FEW else exact_sum(there)
    mean = Over(terms, Fraction(len(there)))
    left_out = len(values) - len(there)
    remark = f"{left_out} left out because 0/0" if left_out else ""
    return Formula(name, mean if there else None, evaluate(mean), remark)
