"""Comma-separated values for spreadsheets and data frames, at full precision."""

from __future__ import annotations

import csv
import io
import math
from typing import TYPE_CHECKING

from scoref.result import Result

if TYPE_CHECKING:
    from scoref.resampling.intervals import Intervals

_SCORES = ("recall", "precision", "f1")


def render(
    result: Result,
    *,
    per_document: bool,
    digits: int,  # noqa: ARG001  # exact anyway
    intervals: Intervals | None,
) -> str:
    """Render a row per metric; with documents, a row per document and metric.

    The rows of all documents together have an empty document; only they have intervals.
    """
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    first = ["document"] if per_document else []
    ends = [f"{score}_{end}" for score in _SCORES for end in ("low", "high")] if intervals else []
    rows.writerow([*first, "metric", *_SCORES, *ends, "signature"])
    if per_document:
        for document, scores in result.documents.items():
            for name, score in scores.items():
                blank = [""] * len(ends)
                rows.writerow([document, name, *map(exact, score), *blank, result.signature])
    for name, score in result.scores.items():
        values = [*score, *(end for one in intervals[name] for end in one)] if intervals else score
        together = [""] if per_document else []
        rows.writerow([*together, name, *map(exact, values), result.signature])
    return text.getvalue().rstrip("\n")


def exact(value: float) -> str:
    """Write a number that reads back as the very same, or nothing where there is none."""
    return "" if math.isnan(value) else repr(value)
