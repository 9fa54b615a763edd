"""Charts: systems by metric with intervals, documents of two systems, and power by documents."""

from __future__ import annotations

import math
from collections.abc import Sequence
from os import PathLike
from typing import Any

import numpy as np

from scoref.base.arrays import Floats
from scoref.comparison.comparison import Comparison, System
from scoref.comparison.power import Power
from scoref.exceptions import UsageError
from scoref.metrics.base import F1
from scoref.result import Result
from scoref.views.comparison_tables import system_title
from scoref.views.figures import GRID, SERIES, SOFT, Axes, draw_file
from scoref.views.formatting import shortened

_NAMED = 5  # documents in a figure of documents
_TEXT = {"svg.fonttype": "none"}  # names stay text, which can be searched
_BESIDE = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0), "borderaxespad": 0.0}


def draw_intervals(comparison: Comparison, path: str | PathLike[str]) -> None:
    """Draw a dot for each system under each metric, with its interval as whiskers."""
    systems, metrics = comparison.systems, comparison.metrics
    # The ranking metric comes first, and within each metric the best system.
    order = [comparison.metric, *(name for name in metrics if name != comparison.metric)]
    step = 0.8 / len(systems)
    height = 1.0 + len(order) * max(0.35, 0.16 * len(systems))

    def paint(axes: Axes) -> None:
        for at, system in enumerate(systems):
            style = {
                "color": SERIES[at % len(SERIES)].colour,
                "fmt": SERIES[(at + at // len(SERIES)) % len(SERIES)].marker,
                "label": _plain(system_title(system)),
            }
            for row, metric in enumerate(order):
                y = row + (at - (len(systems) - 1) / 2) * step
                _dot_and_whiskers(axes, system, metric, y, style)
                style.pop("label", None)
        for row in range(1, len(order)):
            axes.axhline(row - 0.5, color=GRID, linewidth=0.6, zorder=0)
        axes.set_yticks(range(len(order)), [_plain(metric) for metric in order])
        axes.set_ylim(len(order) - 0.5, -0.5)
        what = f"F1 in percent, {comparison.sampling.confidence} intervals"
        axes.set_xlabel("F1 in percent" if comparison.refusal else what)
        axes.legend(**_BESIDE)

    draw_file(path, (6.4, height), paint, {**_TEXT, "axes.grid.axis": "x"})


def _dot_and_whiskers(
    axes: Axes, system: System, metric: str, y: float, style: dict[str, Any]
) -> None:
    value = 100 * system.scores[metric].f1
    if math.isnan(value):
        return
    whiskers = None
    if system.intervals:
        low, high = (100 * end for end in system.intervals[metric].f1)
        whiskers = [[max(0.0, value - low)], [max(0.0, high - value)]]
    axes.errorbar(
        [value], [y], xerr=whiskers, markersize=4, linewidth=1.2, capsize=2, capthick=1.2, **style
    )


def draw_documents(
    comparison: Comparison,
    path: str | PathLike[str],
    one: str | None = None,
    other: str | None = None,
    metric: str | None = None,
) -> None:
    """Draw a dot for each document at its F1 by two systems, and name those far apart."""
    first, second = _two(comparison, one, other)
    name = metric or comparison.metric
    scores = [_document_scores(comparison.runs[one.name], name) for one in (first, second)]
    scored = np.flatnonzero(~np.isnan(scores).any(axis=0))
    y, x = (one[scored].tolist() for one in scores)
    documents = [comparison.results[first.name].counts.units[at] for at in scored.tolist()]
    low, high = _range([*x, *y])

    def paint(axes: Axes) -> None:
        axes.axline((low, low), slope=1, color=SOFT, linewidth=0.8, zorder=0)
        axes.scatter(x, y, s=14, color=SERIES[0].colour, alpha=0.7, linewidths=0)
        named = _far_apart(x, y, (high - low) / 30)
        handles = []
        for number, at in enumerate(named, start=1):
            # Numbers are on the side away from the diagonal.
            offset, side = (-4, "right") if y[at] > x[at] else (4, "left")
            place = {"xytext": (offset, 0), "textcoords": "offset points", "ha": side}
            axes.annotate(str(number), (x[at], y[at]), va="center", fontsize=7, **place)
            style = {"linestyle": "none", "marker": f"${number}$", "color": "black"}
            handles += axes.plot([], [], markeredgewidth=0, **style)
        if named:
            names = [_plain(shortened(documents[at], 40)) for at in named]
            small = {"markerscale": 0.7, "fontsize": 7, "title_fontsize": 8}
            axes.legend(handles, names, title="farthest apart", **_BESIDE, **small)
        axes.set(xlim=(low, high), ylim=(low, high), aspect="equal")
        axes.set_xlabel(f"{_plain(name)} F1 of {_plain(system_title(second))}, by document")
        axes.set_ylabel(f"{_plain(name)} F1 of {_plain(system_title(first))}, by document")
        better = sum(one > other for one, other in zip(y, x, strict=True))
        worse = sum(one < other for one, other in zip(y, x, strict=True))
        axes.set_title(f"{first.label} better on {better}, {second.label} on {worse} of {len(x)}")

    draw_file(path, (7.2, 4.4), paint, {**_TEXT, "axes.grid": False, "ytick.major.size": 3.5})


def _document_scores(runs: Sequence[Result], metric: str) -> Floats:
    """Return the F1 of each document in percent, as a mean over runs; NaN if it has none."""
    scores = [run.counts.unit_scores(run.metric(metric), run.policy)[:, F1] for run in runs]
    mean: Floats = 100 * np.mean(scores, axis=0)
    return mean


def draw_power(power: Power, path: str | PathLike[str]) -> None:
    """Draw the probability of finding a difference by the number of units, a line per metric."""
    kind, metrics = power.units.kind, power.metrics[: len(SERIES)]
    targets = {one.metric: one.target for one in metrics}
    if all(math.isnan(target) for target in targets.values()):
        raise UsageError("a figure of power requires a difference", "add --difference POINTS")
    needed = [one.needed.number or 0 for one in metrics]
    most = max(
        2 * len(power.units), *(min(2 * number, 100 * len(power.units)) for number in needed)
    )
    units = np.unique(np.geomspace(2, most, 200).astype(np.int64)).tolist()

    def paint(axes: Axes) -> None:
        for at, one in enumerate(metrics):
            if math.isnan(one.target) or math.isnan(one.error):
                continue
            style = SERIES[at]
            chances = [power.chance(one, number, one.target) for number in units]
            what = "unknown" if one.without_variance else f"{100 * one.target:.2f} points"
            label = f"{one.metric}, {what}"
            axes.plot(units, chances, color=style.colour, linestyle=style.line, label=_plain(label))
        axes.axhline(power.power, color=SOFT, linewidth=0.8, zorder=0)
        axes.axvline(len(power.units), color=SOFT, linewidth=0.8, linestyle=":", zorder=0)
        axes.set_xscale("log")
        ticks = [step * 10**exponent for exponent in range(9) for step in (1, 2, 5)]
        shown = [tick for tick in ticks if 2 <= tick <= most]
        axes.set_xticks(shown, [f"{tick:,}" for tick in shown])
        axes.minorticks_off()
        axes.set(xlim=(2, most), ylim=(0, 1.02))
        axes.set_xlabel(f"{kind}s (dotted: the {len(power.units)} of this test set)")
        axes.set_ylabel("probability of finding the difference")
        axes.legend(**_BESIDE)

    draw_file(path, (6.4, 3.4), paint, _TEXT)


def _two(comparison: Comparison, one: str | None, other: str | None) -> tuple[System, System]:
    """Return the systems asked for: by default the best, and the baseline or the second best."""
    if len(comparison.systems) < 2:
        raise UsageError("a figure of documents requires two systems")
    baseline = comparison.design.baseline
    names = [system.name for system in comparison.systems]
    if other is None and baseline is not None and one != baseline:
        other = baseline
    first = one or next(name for name in names if name != other)
    second = other or next(name for name in names if name != first)
    return comparison[first], comparison[second]


def _range(values: Sequence[float]) -> tuple[float, float]:
    """Return limits for both axes, a little beyond the values."""
    known = [value for value in values if not math.isnan(value)] or [0.0, 100.0]
    margin = max(1.0, 0.08 * (max(known) - min(known)))
    return min(known) - margin, max(known) + margin


def _far_apart(x: Sequence[float], y: Sequence[float], apart: float) -> list[int]:
    """Choose a few dots far from the diagonal whose names do not run into each other."""
    gaps = np.nan_to_num(np.abs(np.subtract(x, y))).tolist()
    chosen: list[int] = []
    for at in sorted(range(len(gaps)), key=lambda at: (-gaps[at], at)):
        if gaps[at] == 0 or len(chosen) == _NAMED:
            break
        if all(abs(y[at] - y[other]) > apart for other in chosen):
            chosen.append(at)
    return chosen


def _plain(text: str) -> str:
    """Keep dollars from opening a formula."""
    return text.replace("$", r"\$")
