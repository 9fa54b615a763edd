"""compare(): a ranking of several systems on one key, with intervals and significance tests."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from os import PathLike
from typing import Unpack

from scoref.base.phrases import listed
from scoref.comparison.pairwise_tests import (
    CORRECTIONS,
    TESTS,
    Correction,
    Design,
    MetricComparison,
    Pair,
    Test,
    compare_by_metric,
)
from scoref.comparison.ranking import kendall_tau, letters, rank_groups
from scoref.comparison.systems import score_systems, shared_notes
from scoref.exceptions import UsageError
from scoref.metrics import MetricLike
from scoref.policy import PolicyLike
from scoref.preparation.inputs import Input, ReadOptions
from scoref.preparation.same_text import AUTO, Checks
from scoref.resampling.intervals import (
    Influence,
    Sampling,
    SamplingOptions,
    ScoreIntervals,
    most_moved,
)
from scoref.resampling.significance import ENUMERATED
from scoref.resampling.units import Units
from scoref.result import Result, Score, Side

_BY = "conll"


@dataclass(frozen=True, slots=True)
class System:
    """One system of a comparison: its letter (`label`) and the letters of systems that it `beats`.

    `rank` is the rank of its group: systems that are not significantly different from the best
    system of a group share its rank. It is None if not all pairs are tested.
    """

    name: str
    label: str
    rank: int | None
    scores: Mapping[str, Score]
    intervals: Mapping[str, ScoreIntervals]
    beats: Mapping[str, tuple[str, ...]]
    response: Side


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two metrics that disagree significantly on two systems, and the documents that cause it."""

    better: str
    worse: str
    metric: str
    against: str
    influences: tuple[Influence, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Systems, best first by `metric`; pairs by metric; and the agreement of metrics.

    `refusal` is the reason if intervals and tests are not possible. `blind` is the reason if no
    difference can be significant.
    """

    metric: str
    metrics: tuple[str, ...]
    systems: tuple[System, ...]
    pairs: Mapping[str, tuple[Pair, ...]]
    taus: Mapping[tuple[str, str], float]
    disagreements: tuple[Disagreement, ...]
    design: Design
    sampling: Sampling
    units: Units
    key: Side
    signature: str
    results: Mapping[str, Result]
    notes: tuple[str, ...]
    cautions: tuple[str, ...]
    refusal: str = ""
    blind: str = ""

    def __getitem__(self, name: str) -> System:
        for system in self.systems:
            if system.name == name:
                return system
        raise UsageError(
            f"unknown system {name!r}", f"one of: {listed([s.name for s in self.systems])}"
        )

    def pair(self, one: str, other: str, metric: str | None = None) -> Pair:
        """Return a tested pair; its first system is the one that ranks higher."""
        for pair in self.pairs[metric or self.metric]:
            if {pair.one, pair.other} == {one, other}:
                return pair
        raise UsageError(f"{one} and {other} were not tested against each other")

    def __str__(self) -> str:
        return self.to_text()

    def to_text(self, *, details: bool = False, digits: int = 2) -> str:
        """Render as aligned text, scores in percent; `details` adds pairs and agreement."""
        return self.render("text", details=details, digits=digits)

    def to_json(self) -> str:
        """Render everything as JSON, scores from 0 to 1 at full precision."""
        return self.render("json")

    def to_csv(self) -> str:
        """Render as one row per system and metric, scores from 0 to 1 at full precision."""
        return self.render("csv")

    def to_latex(self, *, details: bool = False, digits: int = 2) -> str:
        """Render as a LaTeX table for the booktabs package, scores in percent."""
        return self.render("latex", details=details, digits=digits)

    def to_markdown(self, *, details: bool = False, digits: int = 2) -> str:
        """Render as Markdown, scores in percent."""
        return self.render("markdown", details=details, digits=digits)

    def render(self, output: str, *, details: bool = False, digits: int = 2) -> str:
        """Render as `text`, `json`, `csv`, `latex` or `markdown`."""
        from scoref.comparison.views.comparison import ComparisonView  # noqa: PLC0415  # a cycle

        return ComparisonView(self, details, digits).render(output)

    def draw(self, path: str | PathLike[str]) -> None:
        """Draw systems by metric with their intervals, as SVG or PNG by the name of the file."""
        from scoref.comparison.views.figures import draw_intervals  # noqa: PLC0415  # a cycle

        draw_intervals(self, path)

    def draw_documents(
        self,
        path: str | PathLike[str],
        one: str | None = None,
        other: str | None = None,
        metric: str | None = None,
    ) -> None:
        """Draw the F1 of each document by two systems, by default the best two, as SVG or PNG."""
        from scoref.comparison.views.figures import draw_documents  # noqa: PLC0415  # a cycle

        draw_documents(self, path, one, other, metric)


def compare(
    key: Input | None,
    systems: Mapping[str, Input | Result],
    metrics: Iterable[MetricLike] | None = None,
    policy: PolicyLike | None = None,
    *,
    by: str | None = None,
    baseline: str | None = None,
    test: Test = "randomisation",
    correction: Correction = "holm",
    format: str | None = None,  # noqa: A002  # what the command line calls it
    encoding: str | None = None,
    check_words: Checks = AUTO,
    **resampling: Unpack[SamplingOptions],
) -> Comparison:
    """Compare systems: `scoref.compare(key, {"base": a, "ours": b})`.

    A system is a Result, a counts file, or any response that `score` takes. The key can be None if
    all systems are results or counts files. Systems are ranked `by` one metric, by default conll
    or else the last metric. All pairs are tested, or only the pairs with the `baseline`.

    Intervals and tests are made by resampling documents. `level` (0.05) is the level of the tests,
    and intervals have the confidence 1 - level. `method` is `percentile` or `bca`. `trials`
    (10,000) draws are made with `seed` (0) in `jobs` (1) threads. Documents of the same block
    (`blocks`) are drawn together, and draws are made within each stratum (`strata`). Both are a
    regular expression on document names, a mapping from names, or a function of a name.
    """
    sampling = Sampling(**resampling)
    _check_choice("test", test, TESTS)
    _check_choice("correction", correction, CORRECTIONS)
    if not systems:
        raise UsageError("compare requires at least one system")
    if baseline is not None:
        _check_choice("baseline", baseline, tuple(systems))
    options = ReadOptions.under(policy, format, encoding, check_words)
    results = score_systems(key, systems, metrics, policy, options, jobs=sampling.jobs)
    return compare_results(results, Design(test, correction, baseline), sampling, by)


def _check_choice(what: str, value: str, known: Sequence[str]) -> None:
    if value not in known:
        raise UsageError(f"unknown {what} {value!r}", f"one of: {', '.join(known)}")


def compare_results(
    results: Mapping[str, Result], design: Design, sampling: Sampling, by: str | None = None
) -> Comparison:
    """Compare results on the same key, documents and metrics."""
    first = next(iter(results.values()))
    ranked_by = _ranking_metric(first, by)
    order = sorted(results, key=lambda name: _descending(results[name][ranked_by].f1))
    units = sampling.units(first.counts.units)
    ordered = {name: results[name] for name in order}
    by_metric = compare_by_metric(ordered, design, sampling, units)
    ranking = by_metric[ranked_by]
    ranks: list[int | None] = [None] * len(order)
    if ranking.tested and design.baseline is None:
        ranks = [*rank_groups(len(order), ranking.differ)]
    systems = tuple(
        System(
            name=name,
            label=letters(at),
            rank=ranks[at],
            scores=results[name].scores,
            intervals={m: one.intervals[at] for m, one in by_metric.items() if one.intervals},
            beats={m: one.letters_beaten(at) for m, one in by_metric.items()},
            response=results[name].response,
        )
        for at, name in enumerate(order)
    )
    return Comparison(
        metric=ranked_by,
        metrics=tuple(by_metric),
        systems=systems,
        pairs={name: one.pairs for name, one in by_metric.items()},
        taus=_taus(by_metric),
        disagreements=tuple(_disagreements(by_metric)),
        design=design,
        sampling=sampling,
        units=units,
        key=first.key,
        signature=first.signature,
        results=ordered,
        notes=tuple(shared_notes(results)),
        cautions=tuple(units.cautions()),
        refusal=units.refusal(),
        blind=_blind(units, ranking, design),
    )


def _taus(by_metric: Mapping[str, MetricComparison]) -> dict[tuple[str, str], float]:
    return {
        (one, other): kendall_tau(by_metric[one].f1, by_metric[other].f1)
        for one, other in combinations(by_metric, 2)
    }


def _disagreements(by_metric: Mapping[str, MetricComparison]) -> Iterable[Disagreement]:
    """List the pairs of systems on which two metrics disagree, both significantly."""
    for one, other in combinations(by_metric.values(), 2):
        for pair in permutations(range(len(one.names)), 2):
            better, worse = (one.names[at] for at in pair)
            if (better, worse) in one.winners and (worse, better) in other.winners:
                moved = one.resampled.contributions(*pair) - other.resampled.contributions(*pair)
                influences = most_moved(one.resampled.units.documents, moved)
                yield Disagreement(better, worse, one.metric, other.metric, influences)


def _ranking_metric(result: Result, by: str | None) -> str:
    """Return the metric that ranks systems: the requested one, conll, or else the last."""
    if by is not None:
        return result.metric(by).name
    names = list(result)
    return _BY if _BY in names else names[-1]


def _descending(f1: float) -> tuple[bool, float]:
    """Return a sort key: largest first, and undefined scores last."""
    return math.isnan(f1), -f1


def _blind(units: Units, ranking: MetricComparison, design: Design) -> str:
    """Return the reason why no difference can be significant, or an empty string."""
    if not ranking.tested or not ranking.pairs:
        return ""
    sampling = ranking.resampled.sampling
    smallest, remedy = 1 / (1 + sampling.trials), "more --trials"
    if design.test == "randomisation" and len(units) <= ENUMERATED:
        smallest, remedy = 2 / 2 ** len(units), f"more {units.kind}s"
    tests = len(ranking.pairs) if design.correction == "holm" else 1
    if tests * smallest < sampling.level:
        return ""
    corrected = f" ({min(1.0, tests * smallest):.2g} after Holm's correction)" if tests > 1 else ""
    return (
        f"no difference can be significant: the smallest possible p is {smallest:.2g}{corrected};"
        f" use {remedy}"
    )
