"""Figures of a comparison: systems by metric with intervals, and documents of two systems.

Drawn with matplotlib, which is an extra. The same comparison gives the same SVG, byte for
byte: text stays text, and nothing of the time or the machine is written.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import Any

from scoref.comparison.comparison import Comparison, System
from scoref.exceptions import ScorefError, UsageError
from scoref.formats.io.sources import write_whole
from scoref.metrics.base import F1

Axes = Any  # matplotlib need not be there, not even for a type checker

# Okabe & Ito's colours can be told apart by nearly everyone; shapes help in print.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_SHAPES = "osD^vPX"
_NAMED = 5  # documents in a figure of documents
_RC = {
    "svg.hashsalt": "scoref",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def draw_intervals(comparison: Comparison, path: str | PathLike[str]) -> None:
    """Draw a dot for each system under each metric, with its interval as whiskers."""
    systems, metrics = comparison.systems, comparison.metrics
    # The ranking metric stands on top, the best system first within each metric.
    order = [comparison.metric, *(name for name in metrics if name != comparison.metric)]
    step = 0.8 / len(systems)
    height = 1.0 + len(order) * max(0.35, 0.16 * len(systems))

    def paint(axes: Axes) -> None:
        for at, system in enumerate(systems):
            style = {
                "color": _COLOURS[at % len(_COLOURS)],
                "fmt": _SHAPES[(at + at // len(_COLOURS)) % len(_SHAPES)],
                "label": _called(system),
            }
            for row, metric in enumerate(order):
                y = row + (at - (len(systems) - 1) / 2) * step
                _dot_and_whiskers(axes, system, metric, y, style)
                style.pop("label", None)
        for row in range(1, len(order)):
            axes.axhline(row - 0.5, color="#DDDDDD", linewidth=0.6, zorder=0)
        axes.set_yticks(range(len(order)), [_plain(metric) for metric in order])
        axes.set_ylim(len(order) - 0.5, -0.5)
        what = f"F1 in percent, {comparison.sampling.confidence} intervals"
        axes.set_xlabel("F1 in percent" if comparison.refusal else what)
        axes.grid(axis="x", color="#EEEEEE", linewidth=0.6)
        axes.set_axisbelow(True)
        axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), frameon=False, borderaxespad=0.0)

    _save(path, (6.4, height), paint)


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
    axes.errorbar([value], [y], xerr=whiskers, markersize=4, linewidth=1.2, capsize=2, **style)


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
    values = []
    for system in (first, second):
        result = comparison.results[system.name]
        scores = result.counts.unit_scores(result.metric(name), result.policy)
        values.append((100 * scores[:, F1]).tolist())
    y, x = values
    documents = comparison.results[first.name].counts.units
    low, high = _range([*x, *y])

    def paint(axes: Axes) -> None:
        axes.axline((low, low), slope=1, color="#999999", linewidth=0.8, zorder=0)
        axes.scatter(x, y, s=14, color=_COLOURS[0], alpha=0.7, linewidths=0)
        named = _far_apart(x, y, (high - low) / 30)
        for number, at in enumerate(named, start=1):
            axes.annotate(
                str(number),
                (x[at], y[at]),
                xytext=(-4 if y[at] > x[at] else 4, 0),  # away from the diagonal
                textcoords="offset points",
                ha="right" if y[at] > x[at] else "left",
                va="center",
                fontsize=7,
            )
        names = [_short(documents[at]) for at in named]
        handles = [
            axes.plot([], [], linestyle="none", marker=f"${n}$", color="black", markeredgewidth=0)[
                0
            ]
            for n in range(1, len(names) + 1)
        ]
        if names:
            axes.legend(
                handles,
                names,
                title="farthest apart",
                loc="upper left",
                bbox_to_anchor=(1.01, 1.0),
                frameon=False,
                borderaxespad=0.0,
                markerscale=0.7,
                fontsize=7,
                title_fontsize=8,
            )
        axes.set(xlim=(low, high), ylim=(low, high), aspect="equal")
        axes.set_xlabel(f"{_plain(name)} F1 of {_called(second)}, by document")
        axes.set_ylabel(f"{_plain(name)} F1 of {_called(first)}, by document")
        better = sum(ours > theirs for ours, theirs in zip(y, x, strict=True))
        worse = sum(ours < theirs for ours, theirs in zip(y, x, strict=True))
        axes.set_title(
            f"{first.label} better on {better}, {second.label} on {worse} of {len(x)}", fontsize=9
        )

    _save(path, (7.2, 4.4), paint)


def _two(comparison: Comparison, one: str | None, other: str | None) -> tuple[System, System]:
    """Return the systems asked for: by default the best, and the baseline or the second best."""
    if len(comparison.systems) < 2:
        raise UsageError("a figure of documents takes two systems")
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
    gaps = [
        0.0 if math.isnan(a) or math.isnan(b) else abs(a - b) for a, b in zip(x, y, strict=True)
    ]
    chosen: list[int] = []
    for at in sorted(range(len(gaps)), key=lambda at: (-gaps[at], at)):
        if gaps[at] == 0 or len(chosen) == _NAMED:
            break
        if all(abs(y[at] - y[other]) > apart for other in chosen):
            chosen.append(at)
    return chosen


def _short(name: str, most: int = 40) -> str:
    return _plain(name if len(name) <= most else f"{name[: most - 3]}...")


def _called(system: System) -> str:
    return _plain(f"{system.label} {system.name}")


def _plain(text: str) -> str:
    """Keep dollars from opening a formula."""
    return text.replace("$", r"\$")


def _save(path: str | PathLike[str], size: tuple[float, float], paint: Any) -> None:
    """Draw and write; the kind of file follows from its name."""
    kind = Path(path).suffix.lower().removeprefix(".")
    if kind not in {"svg", "png"}:
        raise UsageError(f"a figure is written as .svg or .png, not as {Path(path).name!r}")
    try:
        matplotlib = import_module("matplotlib")
        figures = import_module("matplotlib.figure")
    except ImportError:
        raise ScorefError(
            "figures are drawn with matplotlib, which is not installed",
            "pip install 'scoref[figures]'",
        ) from None
    with matplotlib.rc_context(_RC):
        figure = figures.Figure(figsize=size, layout="constrained")
        paint(figure.subplots())
        metadata = {"Date": None} if kind == "svg" else {"Software": None}
        with write_whole(path) as stream:
            figure.savefig(stream, format=kind, dpi=200, metadata=metadata)
