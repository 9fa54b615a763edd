"""What the tables of a comparison have in common: their cells and remarks, as strings."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from scoref.comparison.comparison import Comparison, Disagreement, System
from scoref.comparison.pairwise_tests import Pair
from scoref.comparison.ranking import letters
from scoref.render.layout import bounds, interval_line, percent
from scoref.resampling.intervals import Influence
from scoref.resampling.resampling import ENUMERATED, Interval

_RUN = 4  # as many letters in a row are written as a range


class Cell(NamedTuple):
    """A score, the letters of the systems it beats, and whether it is the best of its column."""

    value: str
    beaten: str = ""
    best: bool = False


Style = Callable[[Cell], str]
Table = tuple[list[str], list[list[str]]]


def ranking(comparison: Comparison, digits: int, style: Style) -> Table:
    """Return the table of systems by the chosen metric: rank, score, interval, difference, p."""
    reference = reference_system(comparison)
    tested = not comparison.refusal
    ranked = comparison.systems[0].rank is not None
    confidence = comparison.sampling.confidence
    cells = scores(comparison, comparison.metric, digits)
    header = [*(["rank"] if ranked else []), "system", comparison.metric]
    if tested:
        header.append(confidence)
    compared = len(comparison.systems) > 1
    if compared:
        header += [f"- {reference.label}", *([confidence, "p"] if tested else [])]
    rows = []
    for system, cell in zip(comparison.systems, cells, strict=True):
        row = [*([str(system.rank)] if ranked else []), called(system), style(cell)]
        if tested:
            row.append(bounds(system.intervals[comparison.metric].f1, digits))
        if compared:
            row += difference(comparison, system, reference, digits)[: 3 if tested else 1]
        rows.append(row)
    return header, rows


def reference_system(comparison: Comparison) -> System:
    """Return the system that differences are taken to: the baseline, or the best."""
    baseline = comparison.design.baseline
    return comparison[baseline] if baseline is not None else comparison.systems[0]


def difference(comparison: Comparison, system: System, reference: System, digits: int) -> list[str]:
    """Return the difference to a reference, its interval, and the p-value."""
    if system is reference:
        return ["", "", ""]
    pair = comparison.pair(system.name, reference.name)
    value, interval = seen_from(pair, system.name)
    return [
        signed(value, digits),
        bounds(interval, digits) if interval else "",
        p_value(pair.adjusted),
    ]


def seen_from(pair: Pair, name: str) -> tuple[float, Interval | None]:
    """Return a pair's difference and interval with one of its systems first."""
    if pair.one == name:
        return pair.difference, pair.interval
    turned = Interval(-pair.interval.high, -pair.interval.low) if pair.interval else None
    return -pair.difference, turned


def by_metric(comparison: Comparison, digits: int, style: Style) -> Table:
    """Return the table of F1 by system and metric."""
    columns = [scores(comparison, metric, digits) for metric in comparison.metrics]
    rows = [
        [called(system), *(style(column[at]) for column in columns)]
        for at, system in enumerate(comparison.systems)
    ]
    return ["F1", *comparison.metrics], rows


def scores(comparison: Comparison, metric: str, digits: int) -> list[Cell]:
    """Return the F1 of each system under a metric."""
    values = [system.scores[metric].f1 for system in comparison.systems]
    shown = {percent(value, digits) for value in values if not math.isnan(value)}
    best = max(shown, key=float, default="") if len(shown) > 1 else ""
    return [
        Cell(
            percent(value, digits),
            superscript(system.beats[metric], len(comparison.systems)),
            best=percent(value, digits) == best != "",
        )
        for system, value in zip(comparison.systems, values, strict=True)
    ]


def pairs(comparison: Comparison, digits: int) -> Table:
    """Return the table of all tested pairs by the chosen metric."""
    confidence = comparison.sampling.confidence
    corrected = comparison.design.correction == "holm"
    header = ["pair", "difference", confidence, "p", *(["p, Holm"] if corrected else [])]
    rows = []
    for pair in comparison.pairs[comparison.metric]:
        one, other = comparison[pair.one], comparison[pair.other]
        cells = [f"{one.label} - {other.label}", signed(pair.difference, digits)]
        cells += [bounds(pair.interval, digits) if pair.interval else "", p_value(pair.p)]
        cells += [p_value(pair.adjusted)] if corrected else []
        rows.append([*cells, f"{pair.differing:,}", moved(pair.influences[:1], digits)])
    return [*header, "differ in", "moved most by"], rows


def taus(comparison: Comparison) -> Table | None:
    """Return Kendall's tau between the rankings of the metrics, each pair once.

    Two systems have one order or the other: there a tau says nothing.
    """
    names = comparison.metrics
    if len(names) < 2 or len(comparison.systems) < 3:
        return None
    rows = []
    for at, one in enumerate(names[1:], start=1):
        values = [comparison.taus[other, one] for other in names[:at]]
        shown = ["" if math.isnan(value) else f"{value:.2f}" for value in values]
        rows.append([one, *shown, *[""] * (len(names) - 1 - at)])
    return ["Kendall's tau", *names[:-1]], rows


def remarks(comparison: Comparison) -> list[str]:
    """Say how to read the table, how it was made, and how far to trust it."""
    lines = []
    if comparison.refusal:
        lines.append(comparison.refusal)
        lines.append(f"to have them, {comparison.units.remedy()}")
    else:
        lines.append(interval_line(comparison.sampling, comparison.units))
        if len(comparison.systems) > 1:
            lines += [test_line(comparison), legend(comparison)]
    lines += [
        f"caution: {caution}" for caution in (*comparison.cautions, comparison.blind) if caution
    ]
    return [*lines, *_disagreements(comparison)]


def _disagreements(comparison: Comparison) -> list[str]:
    """Say which metrics disagree on which systems, and where that comes from most."""
    found: dict[tuple[str, str, str], list[Disagreement]] = {}
    for one in comparison.disagreements:
        found.setdefault((one.metric, one.better, one.worse), []).append(one)
    lines = []
    for (metric, better, worse), others in found.items():
        against = ", ".join(one.against for one in others)
        documents = ", ".join(document for document, _ in others[0].influences[:3])
        lines.append(
            f"{metric} disagrees with {against}: it prefers {called(comparison[better])} to"
            f" {called(comparison[worse])}, {'they' if len(others) > 1 else 'that'} the reverse,"
            f" all significantly; look at {documents}"
        )
    return lines


def legend(comparison: Comparison) -> str:
    """Say what letters and ranks mean."""
    text = f"letters after a score: systems it beats at p < {comparison.sampling.level:g}"
    if comparison.systems[0].rank is not None:
        text += "; one rank: not told apart from the first of the group"
    return text


def test_line(comparison: Comparison) -> str:
    """Say which test was made."""
    design, sampling, units = comparison.design, comparison.sampling, comparison.units
    tests = comparison.pairs[comparison.metric]
    trials, seed = f"{sampling.draws.trials:,}", f", seed {sampling.draws.seed}"
    if design.test == "bootstrap":
        text = f"shifted paired bootstrap, {trials} draws"
    elif all(pair.exact for pair in tests):
        text, seed = f"randomisation over {units.kind}s, all exchanges", ""
    else:
        text = f"approximate randomisation over {units.kind}s, {trials} exchanges"
        if len(units) <= ENUMERATED or any(pair.exact for pair in tests):
            text += f", or all where at most {ENUMERATED} {units.kind}s differ"
    holm = f"Holm's correction over {len(tests)} pairs per metric"
    corrected = holm if design.correction == "holm" else "no correction"
    return f"tests: {text}{seed}, two-sided" + (f"; {corrected}" if len(tests) > 1 else "")


def called(system: System) -> str:
    """Name a system after its letter."""
    return f"{system.label} {system.name}"


def signed(value: float, digits: int) -> str:
    """Show a difference in points with its sign."""
    return percent(value, digits, "+")


def moved(influences: Sequence[Influence], digits: int) -> str:
    """Name documents and how much each moved a score."""
    return ", ".join(f"{document} ({signed(value, digits)})" for document, value in influences)


def p_value(p: float) -> str:
    """Show a p-value, which is never zero."""
    if math.isnan(p):
        return ""
    return "<0.0001" if p < 0.00005 else f"{p:.4f}"


def superscript(labels: Sequence[str], systems: int) -> str:
    """Write letters one after the other, runs as ranges, with commas where some are doubled."""
    order = {letters(at): at for at in range(systems)}
    runs: list[list[str]] = []
    for label in labels:
        if runs and order[runs[-1][-1]] + 1 == order[label]:
            runs[-1].append(label)
        else:
            runs.append([label])
    parts = [
        part for run in runs for part in ([f"{run[0]}-{run[-1]}"] if len(run) >= _RUN else run)
    ]
    separate = systems > 26 or any("-" in part for part in parts)
    return (",".join if separate else "".join)(parts)
