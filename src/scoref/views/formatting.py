"""Numbers, lines and parts of JSON that several views share."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from scoref.base.phrases import counted

if TYPE_CHECKING:
    from scoref.resampling.bootstrap import Interval
    from scoref.resampling.effective import EffectiveUnits
    from scoref.resampling.sampling_options import Sampling
    from scoref.resampling.units import Units
    from scoref.result import Side

FIELDS = ("recall", "precision", "f1")
INTERVAL_FIELDS = tuple(f"{field}_{end}" for field in FIELDS for end in ("low", "high"))


def percent(value: float, digits: int, sign: str = "") -> str:
    """Show a score in percent, with a sign if asked for, or nothing where it does not exist."""
    if math.isnan(value):
        return ""
    rounded = round(100 * value, digits) + 0.0  # no minus before a zero
    return f"{rounded:{sign if rounded else ''}.{digits}f}"


def shortened(text: str, most: int) -> str:
    """Cut a text that is longer than `most` characters."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


def bounds(interval: Interval | None, digits: int) -> str:
    """Show an interval in percent, or nothing where it does not exist."""
    if interval is None or math.isnan(interval.low):
        return ""
    return "[{}, {}]".format(*(percent(end, digits) for end in interval))


def interval_line(sampling: Sampling, units: Units) -> str:
    """Say how intervals were made."""
    of = str(units)
    strata = f" in {counted(len(units.strata), 'stratum', 'strata')}" if units.strata else ""
    if sampling.method == "jackknife":
        how = f"jackknife over {of}{strata}, Student's t"
    else:
        kind = "BCa" if sampling.method == "bca" else sampling.method
        draws = counted(sampling.trials, "draw")
        how = f"{kind} bootstrap, {draws} of {of}{strata}, seed {sampling.seed}"
    return f"{sampling.confidence} intervals: {how}"


def effective_line(effective: Mapping[str, EffectiveUnits], metric: str, units: Units) -> str:
    """Say how many units of equal size the units count as, by metric, and which is the largest."""
    numbers = ", ".join(f"{name} {one.number:.1f}" for name, one in effective.items())
    one = effective[metric]
    return (
        f"effective {units.kind}s, of {len(units):,}: {numbers}; by {metric}, the largest,"
        f" {one.largest}, has {100 * one.share:.0f} % of the counts"
    )


def side_row(name: str, side: Side) -> list[str]:
    """Say what the key or the response had: its name, its path unless that says no more, counts."""
    return [
        name,
        side.source if side.source != name else "",
        counted(side.documents, "document"),
        counted(side.mentions, "mention"),
        counted(side.entities, "entity", "entities"),
    ]


def side_rows(key: Side, response: Side) -> list[list[str]]:
    """Say what both sides had."""
    return [side_row("key", key), side_row("response", response)]


def dropped_lines(key: Side, response: Side) -> list[str]:
    """Say what the policy dropped."""
    dropped = {
        "repeated mentions": (key.duplicates_dropped, response.duplicates_dropped),
        "singletons": (key.singletons_dropped, response.singletons_dropped),
        "nested mentions and verb phrases": (key.others_dropped, response.others_dropped),
    }
    return [
        f"{what} dropped: {from_key:,} from the key, {from_response:,} from the response"
        for what, (from_key, from_response) in dropped.items()
        if from_key or from_response
    ]


def pick(found: object, *names: str) -> dict[str, Any]:
    """Return some fields of an object."""
    return {name: getattr(found, name) for name in names}


def as_dicts(found: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return named tuples by name, such as scores by metric, as dicts."""
    return {name: one._asdict() for name, one in found.items()}


def resampling(sampling: Sampling, units: Units) -> dict[str, Any]:
    """Say in JSON how intervals and tests were made."""
    return {
        "level": sampling.level,
        "interval": sampling.method,
        **pick(sampling, "trials", "seed"),
        "unit": units.kind,
        "units": len(units),
        "strata": units.strata,
    }
