"""Parts of the content of JSON that several views share; what does not exist is None."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scoref.resampling.effective import EffectiveUnits
    from scoref.resampling.resampled_scores import Influence, ScoreIntervals
    from scoref.resampling.sampling_options import Sampling
    from scoref.resampling.units import Units
    from scoref.result import Score


def number(value: float) -> float | None:
    """Write NaN, which JSON does not have, as null."""
    return None if math.isnan(value) else value


def pick(found: object, *names: str) -> dict[str, Any]:
    """Write some fields of an object, a NaN as null."""
    values = ((name, getattr(found, name)) for name in names)
    return {name: None if value != value else value for name, value in values}  # noqa: PLR0124  # NaN


def scored(scores: Mapping[str, Score]) -> dict[str, dict[str, float | None]]:
    """Write scores by metric."""
    return {name: pick(score, *score._fields) for name, score in scores.items()}


def ends(interval: Iterable[float]) -> list[float | None]:
    """Write an interval as its two ends."""
    return [number(end) for end in interval]


def bounded(intervals: Mapping[str, ScoreIntervals]) -> dict[str, Any]:
    """Write intervals by metric."""
    return {
        name: {score: ends(interval) for score, interval in found._asdict().items()}
        for name, found in intervals.items()
    }


def moved(influences: Iterable[Influence]) -> list[dict[str, Any]]:
    """Write which documents moved a score, and by how much."""
    return [influence._asdict() for influence in influences]


def resampling(sampling: Sampling, units: Units) -> dict[str, Any]:
    """Write how intervals and tests were made."""
    return {
        "level": sampling.level,
        "interval": sampling.method,
        "trials": sampling.trials,
        "seed": sampling.seed,
        "unit": units.kind,
        "units": len(units),
        "strata": list(units.strata),
    }


def effective_units(effective: Mapping[str, EffectiveUnits]) -> dict[str, dict[str, Any]]:
    """Write the effective number of units by metric, and the unit with the largest share."""
    return {
        metric: {"number": one.number, "largest": one.largest, "share": one.share}
        for metric, one in effective.items()
    }
