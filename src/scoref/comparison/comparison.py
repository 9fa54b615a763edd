"""compare(): several systems on one key become a ranking, with intervals and tests."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from os import PathLike
from typing import Unpack

from scoref.base.phrases import listed
from scoref.comparison.pairwise_tests import (
    CORRECTIONS,
    TESTS,
    Correction,
    Design,
    Judged,
    Pair,
    Test,
    judge,
)
from scoref.comparison.ranking import kendall_tau, letters, rank_groups
from scoref.comparison.systems import score_systems, shared_notes
from scoref.exceptions import UsageError
from scoref.metrics import MetricLike
from scoref.policy import Policy
from scoref.preparation.inputs import Input, ReadOptions
from scoref.preparation.same_text import AUTO, Checks
from scoref.resampling.intervals import (
    Influence,
    Sampling,
    SamplingOptions,
    ScoreIntervals,
    most_moved,
)
from scoref.resampling.resampling import ENUMERATED
from scoref.resampling.units import Units
from scoref.result import Result, Score, Side

_BY = "conll"


@dataclass(frozen=True, slots=True)
class System:
    """One system of a comparison; `label` is its letter, `beats` the letters of those it beats.

    `rank` is that of its group: systems that the test cannot tell from the best of a group
    share its rank. There is none where not all pairs are tested.
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
    """Two metrics that disagree on two systems, each significantly, and where that comes from."""

    better: str
    worse: str
    metric: str
    against: str
    influences: tuple[Influence, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Systems, best first by `metric`; pairs by metric; and how metrics agree on the ranking.

    `refusal` says why there are no intervals and no tests, where there are none; `blind` why
    no difference could be significant, where none could.
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
            f"no system is called {name!r}", f"there are: {listed([s.name for s in self.systems])}"
        )

    def pair(self, one: str, other: str, metric: str | None = None) -> Pair:
        """Return a tested pair, with the better system of the ranking first."""
        for pair in self.pairs[metric or self.metric]:
            if {pair.one, pair.other} == {one, other}:
                return pair
        raise UsageError(f"{one} and {other} have not been tested against each other")

    def __str__(self) -> str:
        return self.to_text()

    def to_text(self, *, details: bool = False, digits: int = 2) -> str:
        """Render as aligned text, scores in percent; `details` adds pairs and agreement."""
        return self.render("text", details=details, digits=digits)

    def to_json(self) -> str:
        """Render everything as JSON, scores from 0 to 1 at full precision."""
        return self.render("json")

    def to_csv(self) -> str:
        """Render a row per system and metric, scores from 0 to 1 at full precision."""
        return self.render("csv")

    def to_latex(self, *, details: bool = False, digits: int = 2) -> str:
        """Render as a LaTeX table for the booktabs package, scores in percent."""
        return self.render("latex", details=details, digits=digits)

    def to_markdown(self, *, details: bool = False, digits: int = 2) -> str:
        """Render as Markdown, scores in percent."""
        return self.render("markdown", details=details, digits=digits)

    def render(self, output: str, *, details: bool = False, digits: int = 2) -> str:
        """Render as `text`, `json`, `csv`, `latex` or `markdown`."""
        from scoref.comparison.views.comparison import ComparisonView  # noqa: PLC0415  # it takes comparisons

        return ComparisonView(self, details, digits).render(output)

    def draw(self, path: str | PathLike[str]) -> None:
        """Draw systems by metric with their intervals, as SVG or PNG by the file's name."""
        from scoref.comparison.views.figures import draw_intervals  # noqa: PLC0415  # it takes comparisons

        draw_intervals(self, path)

    def draw_documents(
        self,
        path: str | PathLike[str],
        one: str | None = None,
        other: str | None = None,
        metric: str | None = None,
    ) -> None:
        """Draw each document's F1 by two systems, the two best by default, as SVG or PNG."""
        from scoref.comparison.views.figures import draw_documents  # noqa: PLC0415  # it takes comparisons

        draw_documents(self, path, one, other, metric)


def compare(
    key: Input | None,
    systems: Mapping[str, Input | Result],
    metrics: Iterable[MetricLike] | None = None,
    policy: Policy | None = None,
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

    A system is whatever `score` takes as a response, a counts file, or a Result. The key can
    be None if none of them has to be scored. Systems are ranked `by` one metric, conll unless
    it is not among the metrics, and tested in pairs, or all against the `baseline`.

    Intervals and tests resample documents: `level` (0.05) is that of the tests, and intervals
    hold 1 - level; `method` is `percentile` or `bca`; `trials` (10,000), `seed` and `jobs` say how
    draws are made; `blocks` are documents that are drawn together, `strata` documents among which
    draws are made: a regular expression on document names, a mapping from names, or a function.
    """
    sampling = Sampling.of(**resampling)
    if test not in TESTS:
        raise UsageError(f"unknown test {test!r}", f"one of: {', '.join(TESTS)}")
    if correction not in CORRECTIONS:
        known = ", ".join(CORRECTIONS)
        raise UsageError(f"unknown correction {correction!r}", f"one of: {known}")
    if not systems:
        raise UsageError("there is no system to compare")
    if baseline is not None and baseline not in systems:
        names = ", ".join(systems)
        raise UsageError(f"the baseline {baseline!r} is not a system", f"there are: {names}")
    options = ReadOptions(format, encoding, check_words)
    results = score_systems(key, systems, metrics, policy, options, jobs=sampling.draws.jobs)
    return compare_results(results, Design(test, correction, baseline), sampling, by)


def compare_results(
    results: Mapping[str, Result], design: Design, sampling: Sampling, by: str | None = None
) -> Comparison:
    """Compare systems that have been scored on the same key, documents and metrics."""
    first = next(iter(results.values()))
    ranked_by = _ranking_metric(first, by)
    order = sorted(results, key=lambda name: _descending(results[name][ranked_by].f1))
    documents = first.counts.units
    units = sampling.units(documents)
    judged = judge({name: results[name] for name in order}, design, sampling, units)
    ranking = judged[ranked_by]
    ranks: list[int | None] = [None] * len(order)
    if ranking.tested and design.baseline is None:
        ranks = [*rank_groups(len(order), ranking.differ)]
    systems = tuple(
        System(
            name=name,
            label=letters(at),
            rank=ranks[at],
            scores=results[name].scores,
            intervals={m: one.intervals[at] for m, one in judged.items() if one.intervals},
            beats={m: one.beaten_by(at) for m, one in judged.items()},
            response=results[name].response,
        )
        for at, name in enumerate(order)
    )
    return Comparison(
        metric=ranked_by,
        metrics=tuple(judged),
        systems=systems,
        pairs={name: one.pairs for name, one in judged.items()},
        taus=_taus(judged),
        disagreements=tuple(_disagreements(judged, order, documents)),
        design=design,
        sampling=sampling,
        units=units,
        key=first.key,
        signature=first.signature,
        results={name: results[name] for name in order},
        notes=tuple(shared_notes(results)),
        cautions=tuple(units.cautions()),
        refusal=units.refusal(),
        blind=_blind(units, ranking, design),
    )


def _taus(judged: Mapping[str, Judged]) -> dict[tuple[str, str], float]:
    return {
        (one, other): kendall_tau(judged[one].f1, judged[other].f1)
        for one, other in combinations(judged, 2)
    }


def _disagreements(
    judged: Mapping[str, Judged], names: Sequence[str], documents: Sequence[str]
) -> Iterable[Disagreement]:
    """List the pairs on which two metrics disagree, each significantly."""
    place = {name: at for at, name in enumerate(names)}
    for one, other in combinations(judged.values(), 2):
        for better, worse in sorted(one.winners, key=lambda pair: (place[pair[0]], place[pair[1]])):
            if (worse, better) in other.winners:
                pair = place[better], place[worse]
                moved = one.resampled.contributions(*pair) - other.resampled.contributions(*pair)
                yield Disagreement(
                    better, worse, one.metric, other.metric, most_moved(documents, moved)
                )


def _ranking_metric(result: Result, by: str | None) -> str:
    """Return the metric that ranks: the one asked for, conll, or else the last."""
    if by is not None:
        return result.metric(by).name
    names = list(result)
    return _BY if _BY in names else names[-1]


def _descending(f1: float) -> tuple[bool, float]:
    """Order scores from the best down, those that do not exist last."""
    return math.isnan(f1), -f1


def _blind(units: Units, judged: Judged, design: Design) -> str:
    """Say why the tests cannot find anything, if they cannot."""
    if not judged.tested or not judged.pairs:
        return ""
    sampling = judged.resampled.sampling
    smallest, remedy = 1 / (1 + sampling.draws.trials), "more --trials"
    if design.test == "randomisation" and len(units) <= ENUMERATED:
        smallest, remedy = 2 / 2 ** len(units), f"more {units.kind}s"
    tests = len(judged.pairs) if design.correction == "holm" else 1
    if tests * smallest < sampling.level:
        return ""
    corrected = f" ({min(1.0, tests * smallest):.2g} after Holm's correction)" if tests > 1 else ""
    return (
        f"no difference can be significant: the smallest possible p is {smallest:.2g}{corrected};"
        f" it takes {remedy}"
    )
