"""The data of a page of runs: scores, intervals, and the differences of all pairs."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

from scoref.resampling.resampled import Resampled
from scoref.resampling.sampling import Sampling
from scoref.resampling.units import Units
from scoref.runs.folder import RunFile
from scoref.runs.scored_runs import Runs

MOST_PAIRED = 60
"""With more runs, pairs are shown without intervals: there would be thousands."""


def page_data(runs: Runs, sampling: Sampling) -> dict[str, Any]:
    """Return what the page shows."""
    results = list(runs.results.values())
    first = results[0]
    units = sampling.counted_units(results)
    refusal = units.refusal()
    metrics = {} if refusal else _resample(runs, units, sampling)
    return {
        "metrics": list(first),
        "metric": "conll" if "conll" in first else list(first)[-1],
        "runs": [
            _run(run, {name: _scores(result[name]) for name in result}, at, metrics)
            for at, (run, result) in enumerate(runs.results.items())
        ],
        "pairs": _pairs(metrics) if len(results) <= MOST_PAIRED else {},
        "confidence": sampling.confidence,
        "refusal": refusal,
        "documents": len(first.counts.units),
        "key": {"mentions": first.key.mentions, "entities": first.key.entities},
        "signature": first.signature,
        "notes": runs.notes,
        "problems": [[run.title, error.message] for run, error in runs.problems.items()],
    }


def _resample(runs: Runs, units: Units, sampling: Sampling) -> dict[str, Resampled]:
    systems = [[result] for result in runs.results.values()]
    chosen = systems[0][0].counts.metrics
    return {metric.name: Resampled.of(systems, metric, units, sampling) for metric in chosen}


def _run(
    run: RunFile, scores: dict[str, Any], at: int, metrics: dict[str, Resampled]
) -> dict[str, Any]:
    intervals = {name: _interval(one.interval(at)) for name, one in metrics.items()}
    about = {"name": run.name, "title": run.title, "series": run.series, "step": run.step}
    return {**about, "scores": scores, "intervals": intervals}


def _pairs(metrics: dict[str, Resampled]) -> dict[str, list[list[Any]]]:
    """Return, for each pair of runs in turn, the interval of its difference and the p-value."""
    found: dict[str, list[list[Any]]] = {}
    for name, one in metrics.items():
        places = combinations(range(len(one.values)), 2)
        spreads = [(place, one.difference_spread(*place)) for place in places]
        found[name] = [
            [*_interval(one.difference(*place)), _number(spread.p_different())]
            for place, spread in spreads
        ]
    return found


def _interval(ends: tuple[float, float]) -> list[float | None]:
    return [_number(ends[0]), _number(ends[1])]


def _scores(score: tuple[float, ...]) -> list[float | None]:
    return [_number(value) for value in score]


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value
