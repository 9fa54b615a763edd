"""Cautions: why intervals should be read with care.

few units             or many that count as few, since some are much larger than others
size and score        units of other sizes than those at hand would have other scores
no variance           all units give the same score, so intervals are only bounds
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from scoref.base.phrases import counted, listed
from scoref.resampling.effective import EffectiveUnits
from scoref.resampling.jackknife import Spread
from scoref.resampling.units import Units

_FEW = 10
_SMALL_PART = 0.2  # of the units
_UNEQUAL = 0.85  # of the units: below it, sizes vary so much that larger units can be missing
_CORRELATED = 1.3  # the least rank correlation, in standard errors
_EFFECT = 0.4  # of the width of the interval: how far one larger unit would move the score
_SCORES = ("recall", "precision", "F1")

Spreads = Mapping[str, Sequence[Spread]]
"""The spreads of recall, precision and F1 by metric, or those of other values by name."""


def effective_cautions(effective: Mapping[str, EffectiveUnits], units: Units) -> list[str]:
    """Return a warning for metrics that a few units decide, and for few units at all."""
    count, kind = len(units), units.kind
    if count < 2:
        return []
    dominated = {
        metric: one for metric, one in effective.items() if one.number < _SMALL_PART * count
    }
    found = []
    if dominated:
        metric, worst = _fewest(dominated.items())
        found.append(
            f"{counted(count, kind)} count as {worst.number:.1f} by {_names(dominated, metric)}:"
            f" {worst.largest} alone has {100 * worst.share:.0f} % of the counts of {metric}, so"
            " intervals can be too narrow"
        )
    few = {metric: one for metric, one in effective.items() if one.number < _FEW}
    few = {metric: one for metric, one in few.items() if metric not in dominated}
    if few:
        metric, worst = _fewest(few.items())
        found.append(
            f"few {kind}s: {counted(count, kind)} count as {worst.number:.1f} of equal size by"
            f" {_names(few, metric)}; intervals are wide, and they hold only if other {kind}s are"
            " like these"
        )
    return found


def size_cautions(effective: Mapping[str, EffectiveUnits], units: Units) -> list[str]:
    """Return a warning if the scores of units depend on their size, and sizes vary much.

    The limits were chosen by simulation; see the manual's page on calibration.
    """
    correlated = _CORRELATED / math.sqrt(max(len(units) - 1, 1))
    related = {
        metric: one
        for metric, one in effective.items()
        if abs(one.size_correlation) >= correlated
        and abs(one.size_effect) >= _EFFECT
        and one.number < _UNEQUAL * len(units)
    }
    if not related:
        return []
    metric, worst = max(related.items(), key=lambda item: abs(item[1].size_effect))
    count = len(related) - 1
    others = f" (size matters by {counted(count, 'other metric')} too)" if count else ""
    kind, compared = f"{units.kind}s", "lower" if worst.size_effect < 0 else "higher"
    caution = (
        f"larger {kind} have {compared} scores by {metric}: one {units.kind} five times as large as"
        f" the largest would move the score by {100 * abs(worst.size_effect):.0f} % of the width of"
        f" its interval{others}; intervals of pooled scores can miss the truth, since it depends on"
        f" {kind} that are larger than these: use --average macro, or score {kind} by size;"
        " intervals of differences are affected less"
    )
    return [caution]


def _fewest(items: Iterable[tuple[str, EffectiveUnits]]) -> tuple[str, EffectiveUnits]:
    return min(items, key=lambda item: item[1].number)


def _names(metrics: Mapping[str, object], first: str) -> str:
    others = len(metrics) - 1
    return first if not others else f"{first} (and few by {counted(others, 'other metric')})"


def variance_cautions(
    spreads: Mapping[str, Spreads], units: Units, level: float, of: str = "of"
) -> list[str]:
    """Return warnings for values of which the units show no variance, by system or pair.

    `of` is what comes before the names of the metrics. Systems or pairs with the same metrics are
    named together.
    """
    groups: dict[tuple[str, ...], list[str]] = {}
    shares: dict[tuple[str, ...], float] = {}
    for subject, by_metric in spreads.items():
        named = [pair for metric, some in by_metric.items() for pair in _bounds(metric, some)]
        if named:
            names = tuple(name for name, _ in named)
            groups.setdefault(names, []).append(subject)
            unlike = max(one.share_unlike(level) for _, one in named)
            shares[names] = max(unlike, shares.get(names, 0.0))
    what, confidence = counted(len(units), units.kind), f"{100 * (1 - level):.10g} %"
    return [
        *(
            f"{_whose(subjects)}the {what} show no variance {of} {listed(names)}: intervals are"
            f" bounds, since with {confidence} confidence at most {100 * shares[names]:.1f} % of"
            f" {units.kind}s are unlike these"
            for names, subjects in groups.items()
        ),
        *_without_interval(spreads, what),
    ]


def _whose(subjects: Sequence[str]) -> str:
    return f"{listed(subjects)}: " if any(subjects) else ""


def _bounds(metric: str, spreads: Sequence[Spread]) -> list[tuple[str, Spread]]:
    """Return the scores whose intervals are bounds, by name: the metric, if it is all of them."""
    flat = [(at, one) for at, one in enumerate(spreads) if one.without_variance and one.has_limits]
    every = len(flat) == sum(not math.isnan(one.value) for one in spreads)
    if every:
        return [(metric, one) for _, one in flat[:1]]
    return [(f"{_SCORES[at]} of {metric}", one) for at, one in flat]


def _without_interval(spreads: Mapping[str, Spreads], units: str) -> Iterator[str]:
    """Say why scores that exist have no interval."""
    for subject, by_metric in spreads.items():
        undefined, unlimited = (
            [metric for metric, some in by_metric.items() if any(map(is_missing, some))]
            for is_missing in (_is_undefined, _is_unlimited)
        )
        if undefined:
            why = f"the score is undefined without one of the {units}"
            yield f"{_whose([subject])}no interval of {listed(undefined)}: {why}"
        if unlimited:
            why = f"the {units} show no variance, and the score has no lower limit"
            yield f"{_whose([subject])}no interval of {listed(unlimited)}: {why}"


def _is_undefined(spread: Spread) -> bool:
    return math.isnan(spread.error) and not math.isnan(spread.value)


def _is_unlimited(spread: Spread) -> bool:
    return spread.without_variance and not spread.has_limits
