"""The tables of a comparison: the ranking, F1 by metric, pairs, and agreement of metrics."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby

from scoref.base.viewed import MetricName
from scoref.comparison.comparison import Comparison, System
from scoref.comparison.pairwise_tests import Pair
from scoref.comparison.ranking import letters
from scoref.resampling.bootstrap import Interval
from scoref.views.formatting import bounds, percent
from scoref.views.model import TableCell, TableRow, TableView

_RUN = 4  # as many letters in a row are written as a range


def ranking_table(comparison: Comparison, digits: int, how: Sequence[str]) -> TableView:
    """Return systems by the chosen metric: rank, score, interval, difference, p."""
    reference = reference_system(comparison)
    tested = [comparison.sampling.confidence] if not comparison.refusal else []
    ranked = ["rank"] if comparison.systems[0].rank is not None else []
    compared = [f"- {reference.label}"] if len(comparison.systems) > 1 else []
    rows: list[TableRow] = []
    cells = _f1_cells(comparison, comparison.metric, digits)
    for system, cell in zip(comparison.systems, cells, strict=True):
        row: list[str | TableCell] = [str(system.rank)] if ranked else []
        row += [system_title(system), cell]
        if tested:
            row.append(bounds(system.intervals[comparison.metric].f1, digits))
        if compared:
            row += _difference(comparison, system, reference, digits)[: None if tested else 1]
        rows.append(row)
    p = [*tested, "p"] if tested and compared else []
    p += ["p, same"] if p and comparison.design.equivalent else []
    return TableView(
        [*ranked, "system", MetricName(comparison.metric), *tested, *compared, *p],
        rows,
        left=1 + len(ranked),
        caption=[f"Systems by F1 of {comparison.metric} in percent", *how],
    )


def reference_system(comparison: Comparison) -> System:
    """Return the system that differences are taken to: the baseline, or the best."""
    baseline = comparison.design.baseline
    return comparison[baseline] if baseline is not None else comparison.systems[0]


def _difference(
    comparison: Comparison, system: System, reference: System, digits: int
) -> list[str]:
    """Return the difference to a reference, its interval, and the p-value."""
    if system is reference:
        return ["", "", "", *([""] if comparison.design.equivalent else [])]
    pair = comparison.pair(system.name, reference.name)
    value, interval = difference_to(pair, system.name, pair.simultaneous)
    shown = [percent(value, digits, "+"), bounds(interval, digits), show_p(pair.adjusted)]
    return [*shown, *([show_p(pair.p_equivalent)] if comparison.design.equivalent else [])]


def difference_to(
    pair: Pair, name: str, interval: Interval | None
) -> tuple[float, Interval | None]:
    """Return a pair's difference and its interval as seen from one of its systems."""
    if pair.one == name:
        return pair.difference, interval
    return -pair.difference, Interval(-interval.high, -interval.low) if interval else None


def metric_table(comparison: Comparison, digits: int, how: Sequence[str]) -> TableView:
    """Return F1 by system and metric."""
    names = [system_title(system) for system in comparison.systems]
    columns = [_f1_cells(comparison, metric, digits) for metric in comparison.metrics]
    return TableView(
        ["F1", *map(MetricName, comparison.metrics)],
        list(zip(names, *columns, strict=True)),
        caption=["F1 in percent", *how],
    )


def _f1_cells(comparison: Comparison, metric: str, digits: int) -> list[TableCell]:
    """Return the F1 of each system, the best in bold, with the letters of those it beats."""
    shown = [percent(system.scores[metric].f1, digits) for system in comparison.systems]
    known = set(filter(None, shown))
    best = max(known, key=float) if len(known) > 1 else None
    many = len(comparison.systems)
    cells = []
    for system, value in zip(comparison.systems, shown, strict=True):
        spread = f" ± {percent(system.deviations[metric].f1, digits)}" if system.deviations else ""
        beaten = superscript(system.beats[metric], many)
        cells.append(TableCell(f"{value}{spread}", beaten, bold=value == best))
    return cells


def pair_table(comparison: Comparison, digits: int, how: Sequence[str]) -> TableView:
    """Return all tested pairs by the chosen metric."""
    titles = {"holm": ["p, Holm"], "maxt": ["p, max-t"], "none": []}
    corrected = titles[comparison.design.correction]
    confidence = comparison.sampling.confidence
    rows = []
    for pair in comparison.pairs[comparison.metric]:
        row = [f"{comparison[pair.one].label} - {comparison[pair.other].label}"]
        row += [percent(pair.difference, digits, "+"), bounds(pair.simultaneous, digits)]
        row += [show_p(pair.p), *([show_p(pair.adjusted)] if corrected else [])]
        moved = [f"{name} ({percent(value, digits, '+')})" for name, value in pair.influences[:1]]
        rows.append([*row, f"{pair.differing:,}", *(moved or [""])])
    return TableView(
        ["pair", "difference", confidence, "p", *corrected, "differ in", "moved most by"],
        rows,
        caption=[f"Differences in F1 of {comparison.metric}, in points", *how],
    )


def tau_table(comparison: Comparison) -> list[TableView]:
    """Return Kendall's tau between the rankings of the metrics, each pair once, if it says more.

    Two systems have one order or the other: there a tau says nothing.
    """
    names = comparison.metrics
    if len(names) < 2 or len(comparison.systems) < 3:
        return []
    rows = []
    for at, one in enumerate(names[1:], start=1):
        values = [comparison.taus[other, one] for other in names[:at]]
        shown = ["" if math.isnan(value) else f"{value:.2f}" for value in values]
        rows.append([MetricName(one), *shown, *[""] * (len(names) - 1 - at)])
    caption = ["Agreement of the rankings by F1"]
    return [TableView(["Kendall's tau", *map(MetricName, names[:-1])], rows, caption=caption)]


def system_title(system: System) -> str:
    """Name a system after its letter."""
    return f"{system.label} {system.name}"


def show_p(p: float) -> str:
    """Show a p-value, which is never zero."""
    if math.isnan(p):
        return ""
    return "<0.0001" if p < 0.00005 else f"{p:.4f}"


def superscript(labels: Sequence[str], systems: int) -> str:
    """Write letters one after the other, runs as ranges, with commas where some are doubled."""
    order = {letters(at): at for at in range(systems)}
    parts: list[str] = []
    for _, numbered in groupby(enumerate(labels), lambda pair: order[pair[1]] - pair[0]):
        run = [label for _, label in numbered]
        parts += [f"{run[0]}-{run[-1]}"] if len(run) >= _RUN else run
    separate = systems > 26 or any("-" in part for part in parts)
    return (",".join if separate else "".join)(parts)
