"""JSON for programs: everything a result has, at full precision; what does not exist is null."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from scoref.result import Result, Score, Side

if TYPE_CHECKING:
    from scoref.resampling.intervals import Influence, Intervals, Sampling
    from scoref.resampling.resampling import Interval
    from scoref.resampling.units import Units


def render(
    result: Result,
    *,
    per_document: bool,
    digits: int,  # noqa: ARG001  # exact anyway
    intervals: Intervals | None,
) -> str:
    """Render a result for programs. Keys may be added in later versions; these stay."""
    content: dict[str, Any] = {
        "signature": result.signature,
        "key": _side(result.key),
        "response": _side(result.response),
        "scores": {name: scored(score) for name, score in result.scores.items()},
        "counts": {name: result.totals(name) for name in result},
        "notes": list(result.notes),
    }
    if bounds := result.bounds:
        content["bounds"] = {
            name: {
                score: [number(low), number(getattr(bound.high, score))]
                for score, low in bound.low._asdict().items()
            }
            for name, bound in bounds.items()
        }
    if intervals is not None:
        content["intervals"] = {
            name: {score: ends(interval) for score, interval in intervals[name]._asdict().items()}
            for name in result
        }
        content["influences"] = {name: moved(intervals.influences[name]) for name in result}
        content["resampling"] = resampling(intervals.sampling, intervals.units)
        content["cautions"] = intervals.cautions
    if per_document:
        content["documents"] = {
            document: {name: scored(score) for name, score in scores.items()}
            for document, scores in result.documents.items()
        }
    return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False)


def _side(side: Side) -> dict[str, Any]:
    return side._asdict()


def number(value: float) -> float | None:
    """Write NaN, which JSON does not have, as null."""
    return None if math.isnan(value) else value


def scored(score: Score) -> dict[str, float | None]:
    """Write a score."""
    return {name: number(value) for name, value in score._asdict().items()}


def ends(interval: Interval) -> list[float | None]:
    """Write an interval as its two ends."""
    return [number(end) for end in interval]


def moved(influences: Iterable[Influence]) -> list[dict[str, Any]]:
    """Write which documents moved a score, and by how much."""
    return [influence._asdict() for influence in influences]


def resampling(sampling: Sampling, units: Units) -> dict[str, Any]:
    """Write how intervals and tests were made."""
    return {
        "level": sampling.level,
        "interval": sampling.method,
        "trials": sampling.draws.trials,
        "seed": sampling.draws.seed,
        "unit": units.kind,
        "units": len(units),
        "strata": list(units.strata),
    }
