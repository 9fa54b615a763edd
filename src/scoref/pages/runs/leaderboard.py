"""The page of a leaderboard: systems in groups, with intervals and tests, by several metrics."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from scoref.base.html import Markup, join, tag
from scoref.base.phrases import counted
from scoref.comparison.comparison import Comparison, System, compare_results
from scoref.comparison.pairwise_tests import Design
from scoref.exceptions import UsageError
from scoref.pages.runs.scored_runs import Runs
from scoref.pages.toolkit import assets, html_file, section, simple_header
from scoref.pages.toolkit.systems import (
    MINUS,
    beaten,
    f1_range,
    letter,
    percent,
    points,
    signed,
    whisker,
)
from scoref.resampling.sampling_options import Sampling
from scoref.result import Result
from scoref.views.comparison_tables import difference_to, remarks, show_p

_DESIGN = Design("randomisation", "holm", None, "metric", None)
_SHARED = "Systems that share a rank are not significantly different from the first of them."


def ranked(runs: Runs, by: str, sampling: Sampling) -> Comparison:
    """Compare runs as systems; the runs of a subfolder are the runs of one system."""
    systems: dict[str, list[Result]] = {}
    alone = {run.name for run in runs.results if not run.series}
    for run, result in runs.results.items():
        if run.series in alone:
            raise UsageError(
                f"{run.series} is the name of a file and of a folder of runs",
                "rename one of the two",
            )
        systems.setdefault(run.series or run.name, []).append(result)
    return compare_results(systems, _DESIGN, sampling, by)


def leaderboard(
    comparison: Comparison,
    title: str,
    problems: Sequence[tuple[str, str]] = (),
    *,
    reload_after: int = 0,
) -> str:
    """Return the page; with `reload_after`, it loads itself again after so many seconds."""
    systems, documents = len(comparison.systems), comparison.key.documents
    about = f"{counted(systems, 'system')} · {counted(documents, 'document')}"
    waiting = [tag("li", tag("b", name), f": {message}") for name, message in problems]
    lines = [tag("li", line) for line in remarks(comparison)]
    code = tag("code", comparison.signature)
    return html_file(
        f"{title}: leaderboard",
        f"{assets('toolkit', 'base.css', 'systems.css', 'page.css')}\n{assets('runs', 'runs.css')}",
        tag("a", "Skip to the ranking", href="#ranking", class_="skip"),
        simple_header(f"{title}: leaderboard", about),
        tag(
            "main",
            tag("ul", waiting, class_="problems", role="status") if waiting else "",
            _ranking(comparison),
            _metrics(comparison),
            section("method", "Method", "", tag("ul", lines), code),
        ),
        script=f"{assets('toolkit', 'elements.js')}\n{assets('runs', 'leaderboard.js')}",
        data={"reload": reload_after},
    )


def _ranking(comparison: Comparison) -> Markup:
    """Show rank, score, interval and the distance to the best; a line separates groups."""
    metric = comparison.metric
    tested = not comparison.refusal
    limits = f1_range(comparison, metric)
    scale = f"{100 * limits[0]:.0f} to {100 * limits[1]:.0f}"
    heads = ["rank", "system", f"{metric} F1"]
    if tested:
        best = f"from {letter(comparison.systems[0])}"
        heads += [scale, comparison.sampling.confidence, best, comparison.sampling.confidence, "p"]
    rows, before = [], None
    for at, system in enumerate(comparison.systems):
        cells = [tag("td", "" if system.rank is None else str(system.rank), class_="rank")]
        cells += [tag("th", signed(at, system), scope="row")]
        cells += [
            tag("td", tag("strong", percent(system.scores[metric].f1)), _spread(system, metric))
        ]
        if tested:
            cells += [tag("td", whisker(at, system, metric, limits))]
            cells += [tag("td", _ends(system.intervals[metric].f1), class_="soft")]
            cells += [tag("td", cell) for cell in _behind(comparison, system)]
        rows.append(tag("tr", cells, class_="group" if system.rank != before else None))
        before = system.rank
    lead = _SHARED if tested else f"Without intervals and tests: {comparison.refusal}."
    caption = f"Systems by {metric} F1 in percent"
    return section("ranking", "Ranking", lead, _table(caption, heads, rows, "numbers ranking"))


def _behind(comparison: Comparison, system: System) -> tuple[str, str, str]:
    """Return how far a system is behind the best, with the interval and the p-value."""
    first = comparison.systems[0]
    if system is first:
        return "", "", ""
    pair = comparison.pair(system.name, first.name)
    value, interval = difference_to(pair, system.name, pair.simultaneous)
    return points(value), _ends(interval), show_p(pair.adjusted)


def _metrics(comparison: Comparison) -> Markup:
    """Show F1 by every metric, with the letters of the systems that score significantly lower."""
    systems = comparison.systems
    best = {m: max(one.scores[m].f1 for one in systems) for m in comparison.metrics}
    rows = []
    for at, system in enumerate(systems):
        cells = [tag("th", signed(at, system), scope="row")]
        for metric in comparison.metrics:
            value = system.scores[metric].f1
            shown = tag("strong", percent(value)) if value == best[metric] else percent(value)
            letters = tag("sup", beaten(system.beats.get(metric, ())))
            cells.append(tag("td", shown, _spread(system, metric), letters))
        rows.append(tag("tr", cells))
    lead = "F1 in percent. The best score of a metric is bold."
    if not comparison.refusal:
        lead += " Letters name the systems that score significantly lower."
    heads = ["system", *comparison.metrics]
    return section("metrics", "All metrics", lead, _table("F1 by metric", heads, rows, "numbers"))


def _table(caption: str, heads: Iterable[str], rows: Sequence[Markup], class_: str) -> Markup:
    header = tag("thead", tag("tr", [tag("th", name, scope="col") for name in heads]))
    table = tag("table", tag("caption", caption), header, tag("tbody", rows), class_=class_)
    return tag("div", table, class_="scroll", tabindex="0", role="region", aria_label=caption)


def _spread(system: System, metric: str) -> Markup:
    """Show the standard deviation over runs, if there are several."""
    if metric not in system.deviations:
        return Markup("")
    return join(" ", tag("small", f"± {percent(system.deviations[metric].f1)}"))


def _ends(interval: tuple[float, float] | None) -> str:
    if interval is None:
        return ""
    low, high = (100 * end for end in interval)
    return "" if math.isnan(low) else f"{low:.2f} to {high:.2f}".replace("-", MINUS)
