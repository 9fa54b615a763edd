"""A comparison for programs: everything it has, at full precision."""

from __future__ import annotations

import json
from typing import Any

from scoref.comparison.comparison import Comparison, Disagreement, System
from scoref.comparison.pairwise_tests import Pair
from scoref.render.json import ends, moved, number, resampling, scored
from scoref.result import Side


def render(comparison: Comparison, *, details: bool, digits: int) -> str:  # noqa: ARG001  # all, exact
    """Render everything. Keys may be added in later versions; these stay."""
    design = comparison.design
    content: dict[str, Any] = {
        "signature": comparison.signature,
        "metric": comparison.metric,
        "metrics": list(comparison.metrics),
        "test": {"kind": design.test, "correction": design.correction, "baseline": design.baseline},
        "resampling": resampling(comparison.sampling, comparison.units),
        "key": _side(comparison.key),
        "systems": [_system(system) for system in comparison.systems],
        "pairs": {name: [_pair(one) for one in pairs] for name, pairs in comparison.pairs.items()},
        "kendall_tau": [
            {"metrics": list(metrics), "tau": number(tau)}
            for metrics, tau in comparison.taus.items()
        ],
        "disagreements": [_disagreement(one) for one in comparison.disagreements],
        "notes": list(comparison.notes),
        "cautions": list(comparison.cautions),
        "refusal": comparison.refusal or None,
        "blind": comparison.blind or None,
    }
    return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False)


def _side(side: Side) -> dict[str, Any]:
    """Write a side without its path, which counts files do not have."""
    return {name: value for name, value in side._asdict().items() if name != "source"}


def _system(system: System) -> dict[str, Any]:
    return {
        "name": system.name,
        "label": system.label,
        "rank": system.rank,
        "response": _side(system.response),
        "scores": {name: scored(score) for name, score in system.scores.items()},
        "intervals": {
            name: {score: ends(interval) for score, interval in found._asdict().items()}
            for name, found in system.intervals.items()
        },
        "beats": {name: list(beaten) for name, beaten in system.beats.items()},
    }


def _pair(pair: Pair) -> dict[str, Any]:
    return {
        "one": pair.one,
        "other": pair.other,
        "difference": number(pair.difference),
        "interval": ends(pair.interval) if pair.interval else None,
        "p": number(pair.p),
        "p_adjusted": number(pair.adjusted),
        "significant": pair.significant,
        "exact": pair.exact,
        "units_that_differ": pair.differing,
        "influences": moved(pair.influences),
    }


def _disagreement(one: Disagreement) -> dict[str, Any]:
    return {
        "better": one.better,
        "worse": one.worse,
        "metric": one.metric,
        "against": one.against,
        "influences": moved(one.influences),
    }
