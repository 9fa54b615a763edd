"""Explanation: the walk-through of some measures on one document, and the sums over all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scoref.exceptions import UsageError
from scoref.explanation.blocks import Block, Section
from scoref.explanation.expressions import Number
from scoref.metrics import find_metric
from scoref.result import Side


@dataclass(frozen=True, slots=True)
class Numbers:
    """What a measure counts, by column, and its scores; None where one does not exist."""

    counts: Mapping[str, Number]
    recall: Number | None
    precision: Number | None
    f1: Number | None


@dataclass(frozen=True, slots=True)
class Walk:
    """The walk-through of one measure: on the document, and over all documents if there are more.

    `steps` lead to the counts, `result` to the scores. `closing` leads from the documents to
    the corpus, whose numbers are `corpus`.
    """

    name: str
    title: str
    steps: list[Block]
    result: list[Block]
    document: Numbers
    closing: list[Block]
    corpus: Numbers | None

    @property
    def blocks(self) -> list[Block]:
        """All that is shown of it."""
        return [*self.steps, *self.result, *self.closing]


@dataclass(frozen=True, slots=True, eq=False)
class Explanation:
    """How scores come about: `str(explanation)`, or one of the other views."""

    document: str
    documents: int
    key: Side
    response: Side
    opening: Section
    walks: Mapping[str, Walk]
    signature: str
    notes: tuple[str, ...]

    def __getitem__(self, metric: str) -> Walk:
        if metric not in self.walks and (known := find_metric(metric).name) in self.walks:
            return self.walks[known]
        if metric not in self.walks:
            has = f"it has: {', '.join(self.walks)}"
            raise UsageError(f"this explanation has no metric {metric!r}", has)
        return self.walks[metric]

    def __str__(self) -> str:
        return self.to_text()

    def to_text(self) -> str:
        """Render for a terminal of 80 columns."""
        return self.render("text")

    def to_markdown(self) -> str:
        """Render as Markdown."""
        return self.render("markdown")

    def to_latex(self) -> str:
        """Render as LaTeX for the booktabs package."""
        return self.render("latex")

    def to_json(self) -> str:
        """Render for programs: numbers as fractions and at full precision."""
        return self.render("json")

    def render(self, output: str) -> str:
        """Render as `text`, `markdown`, `latex` or `json`."""
        from scoref.explanation.views import render  # noqa: PLC0415  # renderers take explanations

        return render(self, output)
