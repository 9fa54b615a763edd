"""The tables of a comparison, and what is said below them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby

from scoref.base.phrases import letters
from scoref.base.viewed import MetricName
from scoref.comparison.comparison import Comparison, System
from scoref.comparison.pairwise_tests import Pair
from scoref.comparison.ranking import Disagreement
from scoref.resampling.bootstrap import Interval
from scoref.resampling.significance import ENUMERATED
from scoref.views.formatting import bounds, effective_line, interval_line, percent
from scoref.views.model import TableCell, TableRow, TableView, best_in_bold

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
    systems = comparison.systems
    return best_in_bold(
        [percent(system.scores[metric].f1, digits) for system in systems],
        [superscript(system.beats[metric], len(systems)) for system in systems],
        [spread_of_runs(system, metric, digits) for system in systems],
    )


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


def spread_of_runs(system: System, metric: str, digits: int) -> str:
    """Write the standard deviation of F1 over runs, or nothing for a single run."""
    if metric not in system.deviations:
        return ""
    return f" ± {percent(system.deviations[metric].f1, digits)}"


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


def remarks(comparison: Comparison) -> list[str]:
    """Say how to read the tables, how they were made, and how far to trust them."""
    if comparison.refusal:
        lines = [comparison.refusal, f"to get them, {comparison.units.remedy()}"]
    else:
        lines = [interval_line(comparison.sampling, comparison.units), *_together(comparison)]
        if len(comparison.systems) > 1:
            lines += [test_line(comparison), _legend(comparison), *_equivalence(comparison)]
        lines += runs_line(comparison)
        lines.append(effective_line(comparison.effective, comparison.metric, comparison.units))
    lines += [
        f"{system_title(system)}: {'; '.join(fidelity.lines())}"
        for system in comparison.systems
        if (fidelity := comparison.results[system.name].fidelity) is not None
    ]
    cautions = filter(None, (*comparison.cautions, comparison.blind))
    return [*lines, *(f"caution: {one}" for one in cautions), *_disagreements(comparison)]


def _together(comparison: Comparison) -> list[str]:
    """Say for what the intervals of differences hold."""
    pairs, design = comparison.pairs[comparison.metric], comparison.design
    if len(pairs) < 2:
        return []
    if design.correction == "none":
        return ["intervals of differences: each holds for its own pair"]
    return [f"intervals of differences hold for all {_family(comparison)} together (max-t)"]


def _family(comparison: Comparison) -> str:
    """Name the pairs over which p-values are corrected."""
    pairs = len(comparison.pairs[comparison.metric])
    if comparison.design.family == "all":
        return f"{pairs} pairs by {len(comparison.metrics)} metrics"
    return f"{pairs} pairs per metric"


def _equivalence(comparison: Comparison) -> list[str]:
    """Say what the test of equivalence found."""
    limit = comparison.design.equivalent
    if limit is None:
        return []
    same = [
        f"{comparison[pair.one].label} and {comparison[pair.other].label}"
        for pair in comparison.pairs[comparison.metric]
        if pair.equivalent
    ]
    found = ", ".join(same) or "no pair"
    tests = f"two one-sided tests for a difference of less than {100 * limit:g} points"
    return [f"p, same: {tests}; equivalent by {comparison.metric}: {found}"]


def runs_line(comparison: Comparison) -> list[str]:
    """Say how many runs a score is the mean of."""
    runs = [len(system.runs) for system in comparison.systems]
    if max(runs) < 2:
        return []
    number = f"{runs[0]}" if len(set(runs)) == 1 else f"{min(runs)} to {max(runs)}"
    return [
        f"scores: mean ± sd of {number} runs; intervals and tests include the variance between runs"
    ]


def _disagreements(comparison: Comparison) -> list[str]:
    """Say which metrics disagree on which systems, and which documents contribute most."""
    found: dict[tuple[str, str, str], list[Disagreement]] = {}
    for one in comparison.disagreements:
        found.setdefault((one.metric, one.better, one.worse), []).append(one)
    lines = []
    for (metric, better, worse), others in found.items():
        against = ", ".join(one.against for one in others)
        documents = ", ".join(document for document, _ in others[0].influences[:3])
        prefer = "prefer" if len(others) > 1 else "prefers"
        lines.append(
            f"{metric} prefers {system_title(comparison[better])} to"
            f" {system_title(comparison[worse])}, but {against} {prefer} the reverse,"
            f" each significantly; see {documents}"
        )
    return lines


def _legend(comparison: Comparison) -> str:
    """Say what letters and ranks mean."""
    text = f"letters after a score: systems it beats at p < {comparison.sampling.level:g}"
    if comparison.systems[0].rank is not None:
        text += "; same rank: not significantly different from the first of the group"
    return text


def level_legend(comparison: Comparison) -> str:
    """Say in a caption what letters and bold mean."""
    level = f"{comparison.sampling.level:g}"
    return f"Letters: the systems that a system beats at p < {level}. Bold: the best"


def test_line(comparison: Comparison) -> str:
    """Say which test was made."""
    design, sampling, units = comparison.design, comparison.sampling, comparison.units
    tests = comparison.pairs[comparison.metric]
    trials, seed = f"{sampling.trials:,}", f", seed {sampling.seed}"
    if design.test == "bootstrap":
        text = f"shifted paired bootstrap with Student's t, {trials} draws"
    elif all(pair.exact for pair in tests):
        text, seed = f"randomisation over {units.kind}s, all exchanges", ""
    else:
        text = f"approximate randomisation over {units.kind}s, {trials} exchanges"
        if len(units) <= ENUMERATED or any(pair.exact for pair in tests):
            text += f", or all where at most {ENUMERATED} {units.kind}s differ"
    names = {"holm": "Holm's correction", "maxt": "step-down max-t correction"}
    corrected = "no correction"
    if design.correction in names:
        corrected = f"{names[design.correction]} over {_family(comparison)}"
    return f"tests: {text}{seed}, two-sided" + (f"; {corrected}" if len(tests) > 1 else "")
