"""Walkthrough: one metric on a document and over all documents, checked against the metric.

From documents to a corpus, counts are summed and then scored, or scores are averaged.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoref.counts.counts import Counts
from scoref.explanation.blocks import Block, Formula, Grid, Total
from scoref.explanation.explainer import Columns, Explainer, Scored, Steps, mean_of, score_formulas
from scoref.explanation.expressions import Number, exact_sum
from scoref.explanation.scene import Scene, Scenes
from scoref.metrics import Metric
from scoref.policy import Policy

_TOLERANCE = 1e-9
_EVERYTHING = "all documents"
_MICRO = "Counts are summed over documents, then scored."
_MACRO = (
    "The policy averages over documents (average:macro): each document is scored, and the score of"
    " all is the mean of the documents' scores."
)


@dataclass(frozen=True, slots=True)
class ExactNumbers:
    """The counts of a metric, by column, and its scores; None if a score does not exist."""

    counts: Mapping[str, Number]
    recall: Number | None
    precision: Number | None
    f1: Number | None


@dataclass(frozen=True, slots=True)
class Walkthrough:
    """The walk-through of one metric: on the document, and over all documents if there are more.

    `steps` lead to the counts, `result` to the scores. `closing` leads from the documents to
    the corpus, and `corpus` has its numbers.
    """

    name: str
    title: str
    steps: list[Block]
    result: list[Block]
    document: ExactNumbers
    closing: list[Block]
    corpus: ExactNumbers | None

    @property
    def heading(self) -> str:
        """The title and the name, or the name of a metric that has no title."""
        return f"{self.title} [{self.name}]" if self.title else self.name

    @property
    def blocks(self) -> list[Block]:
        """All that is shown of it."""
        return [*self.steps, *self.result, *self.closing]


def walk_through(  # noqa: PLR0917  # what a metric counted, and what to show of it
    metric: Metric,
    explainer: Explainer,
    scene: Scene,
    scenes: Scenes | None,
    counts: Counts,
    policy: Policy,
) -> Walkthrough:
    """Walk through a metric on one document, and on all `scenes` if they are given."""
    steps = Steps(scene)
    columns = explainer.count(steps)
    scored = explainer.score(columns, policy.undefined)
    row = counts.rows[metric.name][scene.unit]
    _check(metric, scene.document, columns, row.tolist())
    _check(metric, scene.document, scored[1:], metric.scores(row, policy.undefined).tolist())
    closing, corpus = (
        ([], None) if scenes is None else _close(metric, explainer, scenes, counts, policy)
    )
    return Walkthrough(
        name=metric.name,
        title=metric.about.title if metric.about else "",
        steps=steps.blocks,
        result=scored.blocks,
        document=_numbers(metric, columns, scored),
        closing=closing,
        corpus=corpus,
    )


def _numbers(metric: Metric, columns: Sequence[Number], scored: Scored) -> ExactNumbers:
    return ExactNumbers(dict(zip(metric.columns, columns, strict=True)), *scored[1:])


def _check(
    metric: Metric, where: str, found: Sequence[Number | None], expected: Sequence[float]
) -> None:
    """Refuse to show numbers that are not those of the metric; None is NaN there."""
    if len(found) != len(expected) or not all(map(_is_same, found, expected)):
        shown = ", ".join("none" if one is None else repr(float(one)) for one in found)
        raise RuntimeError(
            f"the walk-through of {metric.name} on {where} finds {shown}, but the metric finds"
            f" {', '.join(map(repr, expected))}: this is an error in scoref, please report it"
        )


def _is_same(found: Number | None, expected: float) -> bool:
    if found is None or math.isnan(expected):
        return math.isnan(expected) and (found is None or math.isnan(found))
    return math.isclose(float(found), expected, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE)


def _close(
    metric: Metric, explainer: Explainer, scenes: Scenes, counts: Counts, policy: Policy
) -> tuple[list[Block], ExactNumbers]:
    """Show the counts of each document, and the score of all documents together."""
    rows: list[Columns] = []
    for scene, expected in zip(scenes, counts.rows[metric.name].tolist(), strict=True):
        rows.append(explainer.count(Steps(scene)))
        _check(metric, scene.document, rows[-1], expected)
    sums = tuple(exact_sum(column) for column in zip(*rows, strict=True))
    if policy.average == "macro":
        scored = _average(metric, explainer, rows, scenes, policy)
        blocks = scored.blocks
    else:
        scored = explainer.score(sums, policy.undefined)
        blocks = [_MICRO, *_count_tables(metric, rows, scenes), *scored.blocks]
    _check(metric, _EVERYTHING, scored[1:], counts.scores(metric, policy).tolist())
    return blocks, _numbers(metric, sums, scored)


def _count_tables(metric: Metric, rows: Sequence[Columns], scenes: Scenes) -> list[Block]:
    """Show the counts of each document; those of an average, part by part."""
    counts = iter([list(column) for column in zip(*rows, strict=True)])
    return [
        _document_table(
            {name.replace("_", " "): next(counts) for name in part.columns},
            scenes,
            f"Counts of {part.name} by document",
        )
        for part in metric.parts or (metric,)
    ]


def _document_table(
    columns: Mapping[str, Sequence[Number | None]], scenes: Scenes, caption: str
) -> Grid:
    """Show numbers by document, and their sums."""
    summed = {name: Total(values) for name, values in columns.items()}
    return Grid({"document": scenes.documents, **summed}, caption, scenes.sizes, scenes.limit)


def _average(
    metric: Metric, explainer: Explainer, rows: Sequence[Columns], scenes: Scenes, policy: Policy
) -> Scored:
    """Score each document, and average the scores that exist."""
    scored = [explainer.score(row, policy.undefined) for row in rows]
    if policy.where != "all":  # a document without anything in the slice has no score
        scored = [
            one if any(row) else one._replace(recall=None, precision=None, f1=None)
            for one, row in zip(scored, rows, strict=True)
        ]
    shown = [block.name for block in scored[-1].blocks if isinstance(block, Formula)]
    columns = {shown[-1]: [one.f1 for one in scored]}
    if metric.has_sides and not metric.parts and "recall" in shown:
        recalls, precisions = [one.recall for one in scored], [one.precision for one in scored]
        columns = {"recall": recalls, "precision": precisions} | columns
    table = _document_table(columns, scenes, "Scores by document")
    return score_formulas([mean_of(*column) for column in columns.items()], [_MACRO, table])
