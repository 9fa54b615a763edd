"""What the tables for people have in common: their cells, as strings."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Protocol

from scoref.base.phrases import counted
from scoref.result import Result, Side

if TYPE_CHECKING:
    from scoref.resampling.intervals import Intervals, Sampling
    from scoref.resampling.resampling import Interval
    from scoref.resampling.units import Units

_SCORES = ("recall", "precision", "F1")
ALL = "all"
"""What the row of all documents together is called in a table of documents."""


def percent(value: float, digits: int, sign: str = "") -> str:
    """Show a score in percent, with a sign if asked for, or nothing where it does not exist."""
    if math.isnan(value):
        return ""
    rounded = round(100 * value, digits) + 0.0  # no minus before a zero
    return f"{rounded:{sign if rounded else ''}.{digits}f}"


def bounds(interval: Interval, digits: int) -> str:
    """Show an interval in percent, or nothing where it does not exist."""
    low, high = (percent(end, digits) for end in interval)
    return f"[{low}, {high}]" if low else ""


def score_header(intervals: Intervals | None) -> list[str]:
    """Return the header of `score_rows`."""
    if intervals is None:
        return ["metric", *_SCORES]
    return ["metric", *(cell for name in _SCORES for cell in (name, intervals.sampling.confidence))]


def score_rows(result: Result, digits: int, intervals: Intervals | None) -> list[list[str]]:
    """Return a row per metric: its name, recall, precision and F1, each with its interval."""
    rows = []
    for name, score in result.scores.items():
        sign = ">=" if name in result.counts.most else ""  # a bound never looks like a score
        cells = [[sign + shown] if (shown := percent(v, digits)) else [""] for v in score[:2]]
        cells.append([sign + f1_percent(score.f1, digits)])
        for cell, interval in zip(cells, intervals[name] if intervals else (), strict=False):
            cell.append(bounds(interval, digits))
        rows.append([name, *(part for cell in cells for part in cell)])
    return rows


def interval_lines(result: Result, intervals: Intervals | None, digits: int) -> list[str]:
    """Say how intervals were made, and which document moved the last metric most."""
    if intervals is None:
        return []
    lines = [interval_line(intervals.sampling, intervals.units)]
    *_, last = result
    for document, difference in intervals.influences[last][:1]:
        f1 = result[last].f1 - difference
        change = percent(-difference, digits, "+")
        lines.append(f"without {document}, {last} is {percent(f1, digits)} ({change})")
    return [*lines, *(f"caution: {caution}" for caution in intervals.cautions)]


def interval_line(sampling: Sampling, units: Units) -> str:
    """Say how intervals were made."""
    kind = {"percentile": "percentile", "bca": "BCa"}[sampling.method]
    draws = counted(sampling.draws.trials, "draw")
    of = counted(len(units), units.kind)
    strata = f" in {counted(len(units.strata), 'stratum', 'strata')}" if units.strata else ""
    return (
        f"{sampling.confidence} intervals: {kind} bootstrap, {draws} of {of}{strata},"
        f" seed {sampling.draws.seed}"
    )


def f1_percent(value: float, digits: int) -> str:
    """Show an F1 in percent; every measure has one, unless it is undefined."""
    return percent(value, digits) or "undefined"


def document_rows(result: Result, digits: int) -> list[list[str]]:
    """Return a row per document, the F1 of each metric, and a last row for all together."""
    rows = [
        [document, *(f1_percent(scores[name].f1, digits) for name in result)]
        for document, scores in result.documents.items()
    ]
    return [*rows, [ALL, *(f1_percent(score.f1, digits) for score in result.scores.values())]]


class Sides(Protocol):
    """What has two sides: a result, or an explanation of one."""

    @property
    def key(self) -> Side:
        """What the key had."""
        ...

    @property
    def response(self) -> Side:
        """What the response had."""
        ...


def side_lines(result: Sides) -> list[list[str]]:
    """Say what each side had."""
    return [_side_line("key", result.key), _side_line("response", result.response)]


def _side_line(name: str, side: Side) -> list[str]:
    return [
        name,
        side.source if side.source != name else "",
        counted(side.documents, "document"),
        counted(side.mentions, "mention"),
        counted(side.entities, "entity", "entities"),
    ]


def done_lines(result: Sides) -> list[str]:
    """Say what the policy did to the data."""
    lines = []
    for what, key, response in (
        ("repeated mentions", result.key.duplicates_dropped, result.response.duplicates_dropped),
        ("singletons", result.key.singletons_dropped, result.response.singletons_dropped),
    ):
        if key or response:
            lines.append(f"{what} dropped: {key:,} from the key, {response:,} from the response")
    return lines
