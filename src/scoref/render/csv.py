"""Comma-separated values for spreadsheets and data frames, at full precision."""

from __future__ import annotations

import csv
import io
import math

from scoref.result import Result, Score


def render(result: Result, *, per_document: bool, digits: int) -> str:  # noqa: ARG001  # exact anyway
    """Render a row per metric; with documents, a row per document and metric.

    The rows of all documents together have an empty document.
    """
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    first = ["document"] if per_document else []
    rows.writerow([*first, "metric", "recall", "precision", "f1", "signature"])
    if per_document:
        for document, scores in result.documents.items():
            for name, score in scores.items():
                rows.writerow([document, name, *_values(score), result.signature])
    for name, score in result.scores.items():
        rows.writerow([*([""] if per_document else []), name, *_values(score), result.signature])
    return text.getvalue().rstrip("\n")


def _values(score: Score) -> list[str]:
    return ["" if math.isnan(value) else repr(value) for value in score]
