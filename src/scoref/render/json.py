"""JSON for programs: everything a result has, at full precision; what does not exist is null."""

from __future__ import annotations

import json
import math
from typing import Any

from scoref.result import Result, Score, Side


def render(result: Result, *, per_document: bool, digits: int) -> str:  # noqa: ARG001  # exact anyway
    """Render a result for programs. Keys may be added in later versions; these stay."""
    content: dict[str, Any] = {
        "signature": result.signature,
        "key": _side(result.key),
        "response": _side(result.response),
        "scores": {name: _score(score) for name, score in result.scores.items()},
        "counts": {name: result.totals(name) for name in result},
        "notes": list(result.notes),
    }
    if per_document:
        content["documents"] = {
            document: {name: _score(score) for name, score in scores.items()}
            for document, scores in result.documents.items()
        }
    return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False)


def _side(side: Side) -> dict[str, Any]:
    return side._asdict()


def _score(score: Score) -> dict[str, float | None]:
    return {name: None if math.isnan(value) else value for name, value in score._asdict().items()}
