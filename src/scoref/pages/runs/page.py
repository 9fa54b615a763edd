"""The page of runs: one file with learning curves, a table, and the comparison of two runs."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

from scoref.base.html import Markup, join, tag
from scoref.base.phrases import counted
from scoref.pages.runs.scored_runs import RunFile, Runs
from scoref.pages.toolkit import assets, button, html_file, section, simple_header
from scoref.resampling.cautions import effective_cautions, size_cautions, variance_cautions
from scoref.resampling.resampled_scores import Resampled
from scoref.resampling.sampling_options import Sampling
from scoref.resampling.units import Units

MOST_PAIRED = 60
"""With more runs, pairs are shown without intervals: there would be thousands."""


def page(data: dict[str, Any], title: str, *, reload_after: int = 0) -> str:
    """Return the page; with `reload_after`, it loads itself again after so many seconds."""
    about = f"{counted(len(data['runs']), 'run')} · {counted(data['documents'], 'document')}"
    return html_file(
        f"{title}: coreference runs",
        f"{assets('toolkit', 'base.css', 'page.css')}\n{assets('runs', 'runs.css')}",
        tag("a", "Skip to the curves", href="#curves", class_="skip"),
        simple_header(title, about),
        tag("main", _problems(data), _sections(data), _method(data)),
        script=f"{assets('toolkit', 'elements.js')}\n{assets('runs', 'runs.js')}",
        data={**data, "reload": reload_after},
    )


def _problems(data: dict[str, Any]) -> Markup:
    lines = [tag("li", tag("b", name), f": {message}") for name, message in data["problems"]]
    return tag("ul", lines, class_="problems", role="status") if lines else Markup("")


def _sections(data: dict[str, Any]) -> Markup:
    lead = f"F1 of each run. Bands are {data['confidence']} intervals over documents."
    if data["refusal"]:
        lead = f"F1 of each run, without intervals: {data['refusal']}."
    pick = [tag("label", f"{name} ", tag("select", id=name.lower())) for name in ("Run", "With")]
    save = button("Save as CSV", "csv")
    pair, table = (tag("div", id=name, class_="scroll", tabindex="0") for name in ("pair", "table"))
    two = (
        section("compare", "Compare two runs", "", tag("p", pick, class_="pick"), pair),
        section("runs", "All runs", "", save, table),
    )
    curves = section("curves", "Learning curves", lead, tag("div", id="charts"))
    return join(curves, tag("div", two, class_="two"))


def _method(data: dict[str, Any]) -> Markup:
    notes = tag("ul", [tag("li", note) for note in data["notes"]]) if data["notes"] else ""
    text = (
        "The comparison has the jackknife's interval of the difference, and a t-test without"
        " correction for the number of pairs. For a paper, test the runs that you chose before"
        " looking with `scoref compare`."
    )
    return section("method", "Data and method", text, notes, tag("code", data["signature"]))


def page_data(runs: Runs, sampling: Sampling) -> dict[str, Any]:
    """Return what the page shows."""
    results = list(runs.results.values())
    first = results[0]
    units = sampling.counted_units(results)
    refusal = units.refusal()
    metrics = {} if refusal else _resample(runs, units, sampling)
    return {
        "metrics": list(first),
        "metric": "conll" if "conll" in first else list(first)[-1],
        "runs": [
            _run(run, {name: _scores(result[name]) for name in result}, at, metrics)
            for at, (run, result) in enumerate(runs.results.items())
        ],
        "pairs": _pairs(metrics) if len(results) <= MOST_PAIRED else {},
        "confidence": sampling.confidence,
        "refusal": refusal,
        "documents": len(first.counts.units),
        "key": {"mentions": first.key.mentions, "entities": first.key.entities},
        "signature": first.signature,
        "notes": [*runs.notes, *_cautions(metrics, runs, sampling)],
        "problems": runs.located_problems(),
    }


def _resample(runs: Runs, units: Units, sampling: Sampling) -> dict[str, Resampled]:
    systems = [[result] for result in runs.results.values()]
    chosen = systems[0][0].counts.metrics
    return {metric.name: Resampled.of(systems, metric, units, sampling) for metric in chosen}


def _run(
    run: RunFile, scores: dict[str, Any], at: int, metrics: dict[str, Resampled]
) -> dict[str, Any]:
    intervals = {name: _interval(one.interval(at)) for name, one in metrics.items()}
    about = {"name": run.name, "title": run.title, "series": run.series, "step": run.step}
    return {**about, "scores": scores, "intervals": intervals}


def _cautions(metrics: dict[str, Resampled], runs: Runs, sampling: Sampling) -> list[str]:
    """Return warnings about the intervals of runs."""
    if not metrics:
        return []
    units = next(iter(metrics.values())).units
    effective = {name: one.effective() for name, one in metrics.items()}
    f1 = {
        run.title: {name: (one.spread(at),) for name, one in metrics.items()}
        for at, run in enumerate(runs.results)
    }
    return [
        *effective_cautions(effective, units),
        *size_cautions(effective, units),
        *variance_cautions(f1, units, sampling.level),
    ]


def _pairs(metrics: dict[str, Resampled]) -> dict[str, list[list[Any]]]:
    """Return, for each pair of runs in turn, the interval of its difference and the p-value."""
    found: dict[str, list[list[Any]]] = {}
    for name, one in metrics.items():
        places = combinations(range(len(one.values)), 2)
        spreads = [(place, one.difference_spread(*place)) for place in places]
        found[name] = [
            [*_interval(one.difference(*place)), _number(spread.p_different())]
            for place, spread in spreads
        ]
    return found


def _interval(ends: tuple[float, float]) -> list[float | None]:
    return [_number(ends[0]), _number(ends[1])]


def _scores(score: tuple[float, ...]) -> list[float | None]:
    return [_number(value) for value in score]


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value
