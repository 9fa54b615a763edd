"""compare(): a ranking of several systems on one key, with intervals and significance tests."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import Unpack

import numpy as np

from scoref.base.phrases import counted, letters, listed, type_of
from scoref.base.viewed import Tabular, find_view
from scoref.base.visible import visible
from scoref.comparison.pairwise_tests import (
    CORRECTION_FAMILIES,
    CORRECTIONS,
    TESTS,
    Correction,
    CorrectionFamily,
    Design,
    MetricComparison,
    Pair,
    Test,
    compare_by_metric,
)
from scoref.comparison.ranking import (
    Disagreement,
    few_differences,
    find_disagreements,
    never_significant,
    rank_correlations,
    rank_groups,
    uneven_runs,
)
from scoref.comparison.systems import SystemInput, score_runs, shared_notes
from scoref.exceptions import UsageError
from scoref.matching.inputs import Input, OneOrTwo, ReadOptions
from scoref.matching.same_text import AUTO, Checks
from scoref.metrics import MetricLike
from scoref.policy import Policy, PolicyLike
from scoref.resampling.cautions import effective_cautions, size_cautions, variance_cautions
from scoref.resampling.effective import EffectiveUnits
from scoref.resampling.jackknife import Spread
from scoref.resampling.resampled_scores import ScoreIntervals
from scoref.resampling.sampling_options import ComparisonOptions, Sampling
from scoref.resampling.units import Units
from scoref.result import Result, Score, Side

_BY = "conll"


@dataclass(frozen=True, slots=True)
class System:
    """One system of a comparison.

    * `name`: Its name.
    * `label`: Its letter in tables.
    * `rank`: The rank of its group: systems that are not significantly different from the best
      system of a group share its rank. It is None if not all pairs are tested.
    * `scores`: Its scores by metric; means, if it has several runs.
    * `intervals`: The intervals of its scores, by metric.
    * `beats`: By metric, the letters of the systems that are significantly worse.
    * `response`: The numbers of its response.
    * `runs`: The scores of each run.
    * `deviations`: The standard deviations of several runs.
    """

    name: str
    label: str
    rank: int | None
    scores: Mapping[str, Score]
    intervals: Mapping[str, ScoreIntervals]
    beats: Mapping[str, tuple[str, ...]]
    response: Side
    runs: tuple[Mapping[str, Score], ...] = ()
    deviations: Mapping[str, Score] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Comparison(Tabular):
    """Systems, best first by `metric`; pairs by metric; and the agreement of metrics.

    Two comparisons are equal if the results of all runs, the tests and the sampling are.

    * `metric`: The metric that ranks the systems.
    * `metrics`: All metrics.
    * `systems`: The systems, best first.
    * `pairs`: The tested pairs, by metric.
    * `taus`: Kendall's tau between the rankings by two metrics.
    * `disagreements`: Metrics that disagree significantly on two systems.
    * `results`: The result of each system, or of its first run.
    * `runs`: The results of all runs of each system.
    * `effective`: The effective number of documents, by metric.
    * `spreads`: The F1 of the systems by `metric`, with their standard errors.
    * `refusal`: The reason if intervals and tests are not possible, or an empty string.
    * `blind`: The reason if no difference can be significant, or an empty string.

    Options of the views are `details`, which adds pairs and agreement, `digits`, and for LaTeX
    `style`: `conll` is the table of most papers, with MUC, B³, CEAF_e and the average.
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
    runs: Mapping[str, tuple[Result, ...]]
    effective: Mapping[str, EffectiveUnits]
    spreads: Mapping[str, Spread]
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

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Comparison):
            return NotImplemented
        settings = self.metric, self.design, self.sampling
        same = settings == (other.metric, other.design, other.sampling)
        return same and dict(self.runs) == dict(other.runs)

    def __hash__(self) -> int:
        return hash((self.signature, self.metric, tuple(self.runs)))

    def __repr__(self) -> str:
        scores = (f"{one.name} {100 * one.scores[self.metric].f1:.2f}" for one in self.systems)
        on = counted(len(self.units), self.units.kind)
        return visible(f"<Comparison: F1 by {self.metric} {', '.join(scores)} (percent); {on}>")

    def draw(self, path: str | PathLike[str]) -> None:
        """Draw systems by metric with their intervals, as SVG or PNG by the name of the file."""
        find_view("Comparison.draw")(self, path)

    def draw_documents(
        self,
        path: str | PathLike[str],
        one: str | None = None,
        other: str | None = None,
        metric: str | None = None,
    ) -> None:
        """Draw the F1 of each document by two systems, by default the best two, as SVG or PNG."""
        find_view("Comparison.draw_documents")(self, path, one, other, metric)


def compare(
    key: Input | None,
    systems: Mapping[str, SystemInput],
    metrics: Iterable[MetricLike] | None = None,
    policy: PolicyLike | None = None,
    *,
    by: str | None = None,
    baseline: str | None = None,
    test: Test = "randomisation",
    correction: Correction = "holm",
    family: CorrectionFamily = "metric",
    equivalent: float | None = None,
    format: OneOrTwo = None,  # noqa: A002  # what the command line calls it
    encoding: OneOrTwo = None,
    check_words: Checks = AUTO,
    **choices: Unpack[ComparisonOptions],
) -> Comparison:
    """Compare systems: `scoref.compare(key, {"base": a, "ours": b})`.

    Intervals and tests are made by resampling documents. Keywords say how: `level` (0.05) is the
    level of the tests, and intervals have the confidence 1 - level. `method` is `jackknife`,
    `percentile` or `bca`. `trials` (10,000) draws are made with `seed` (0) in `jobs` (1) threads.
    Documents of the same block (`blocks`) are drawn together, and draws are made within each
    stratum (`strata`). Both are a regular expression on document names, a mapping from names, or a
    function of a name.

    * `key`: The reference, as in `scoref.score`. It can be None if all systems are results or
      counts files.
    * `systems`: The systems by name. A system is a `Result`, a counts file, or any response that
      `score` takes, or a list of these for several runs of the system.
    * `metrics`: Names such as `"b3"` or `"blanc(alpha=0.2)"`, `Metric` objects, or functions from a
      `Table` to counts of shape (units, 4). By default, those of `scoref score`.
    * `policy`: A `Policy`, or a dict of its fields.
    * `by`: The metric that ranks the systems, by default conll, or else the last metric.
    * `baseline`: The system that all others are tested against. By default, all pairs are tested.
    * `test`: The paired test: `randomisation` or `bootstrap`.
    * `correction`: The correction of p-values: `holm`, `maxt` or `none`.
    * `family`: Whether to correct over the pairs of each `metric`, or over those of `all` metrics.
    * `equivalent`: The largest difference in F1, from 0 to 1, that counts as none. Then equivalence
      is tested as well.
    * `format`: The name of the format, by default detected; a pair of names for key and response.
    * `encoding`: The text encoding, by default UTF-8; a pair for key and response.
    * `check_words`: Whether to compare words, as in `scoref.score`.
    * `choices`: The keywords for resampling, and fields of the policy.
    """
    sampling, of_policy = Sampling.split(**choices)
    if of_policy:
        policy = Policy.of(policy, **of_policy)
    check_choice("test", test, TESTS)
    check_choice("correction", correction, CORRECTIONS)
    check_choice("family", family, CORRECTION_FAMILIES)
    if equivalent is not None and not 0 < equivalent < 1:
        raise UsageError("the limit of equivalence must be above 0 and below 100 points")
    if not isinstance(systems, Mapping):
        raise UsageError(
            f"the systems are {type_of(systems)}, but must be a dict with their names",
            'pass {"base": response, "ours": response}; a list is the runs of one system',
        )
    if not systems:
        raise UsageError("compare requires at least one system")
    if baseline is not None:
        check_choice("baseline", baseline, tuple(systems))
    options = ReadOptions.under(policy, format, encoding, check_words)
    results = score_runs(key, systems, metrics, policy, options, jobs=sampling.jobs)
    design = Design(test, correction, baseline, family, equivalent)
    return compare_results(results, design, sampling, by)


def check_choice(what: str, value: str, known: Sequence[str]) -> None:
    """Refuse a value that is not one of those that are known."""
    if value not in known:
        raise UsageError(f"unknown {what} {value!r}", f"one of: {', '.join(known)}")


def compare_results(
    results: Mapping[str, Sequence[Result]],
    design: Design,
    sampling: Sampling,
    by: str | None = None,
) -> Comparison:
    """Compare the results of the runs of systems on the same key, documents and metrics."""
    first = next(iter(results.values()))[0]
    ranked_by = ranking_metric(first, by)
    scores = {name: _mean_scores(runs) for name, runs in results.items()}
    order = sorted(results, key=lambda name: _descending(scores[name][ranked_by].f1))
    units = sampling.counted_units(run for runs in results.values() for run in runs)
    ordered = {name: tuple(results[name]) for name in order}
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
            scores=scores[name],
            intervals={m: one.intervals[at] for m, one in by_metric.items() if one.intervals},
            beats={m: one.letters_beaten(at) for m, one in by_metric.items()},
            response=ordered[name][0].response,
            runs=tuple(run.scores for run in ordered[name]),
            deviations={
                m: Score(*one.resampled.deviation_of_runs(at).tolist())
                for m, one in by_metric.items()
                if len(ordered[name]) > 1
            },
        )
        for at, name in enumerate(order)
    )
    effective = {name: one.resampled.effective() for name, one in by_metric.items()}
    return Comparison(
        metric=ranked_by,
        metrics=tuple(by_metric),
        systems=systems,
        pairs={name: one.pairs for name, one in by_metric.items()},
        taus=rank_correlations(by_metric),
        disagreements=tuple(find_disagreements(by_metric)),
        design=design,
        sampling=sampling,
        units=units,
        key=first.key,
        signature=first.signature,
        results={name: runs[0] for name, runs in ordered.items()},
        runs=ordered,
        effective=effective,
        spreads={name: ranking.score_spread(at) for at, name in enumerate(order)},
        notes=tuple(shared_notes(results)),
        cautions=(
            *effective_cautions(effective, units),
            *size_cautions(effective, units),
            *_variance_cautions(by_metric, units, sampling.level),
            *units.cautions(),
            *uneven_runs(ordered),
            *few_differences(ranking),
        ),
        refusal=units.refusal(),
        blind=never_significant(ranking, len(by_metric)),
    )


def _variance_cautions(
    by_metric: Mapping[str, MetricComparison], units: Units, level: float
) -> list[str]:
    """Return warnings about systems and pairs of which the units show no variance."""
    first = next(iter(by_metric.values()))
    if not first.tested:
        return []
    systems = {
        name: {m: one.resampled.spreads(at) for m, one in by_metric.items()}
        for at, name in enumerate(first.names)
    }
    pairs = {
        f"{pair.one} and {pair.other}": {
            m: one.spreads[at : at + 1] for m, one in by_metric.items()
        }
        for at, pair in enumerate(first.pairs)
    }
    return [
        *variance_cautions(systems, units, level),
        *variance_cautions(pairs, units, level, "of the difference by"),
    ]


def _mean_scores(runs: Sequence[Result]) -> dict[str, Score]:
    """Return the mean scores of some runs; the scores of a single run stay as they are."""
    if len(runs) == 1:
        return runs[0].scores
    return {name: Score(*np.mean([run[name] for run in runs], axis=0).tolist()) for name in runs[0]}


def ranking_metric(result: Result, by: str | None = None) -> str:
    """Return the metric that ranks systems: the requested one, conll, or else the last."""
    if by is not None:
        return result.metric(by).name
    names = list(result)
    return _BY if _BY in names else names[-1]


def _descending(f1: float) -> tuple[bool, float]:
    """Return a sort key: largest first, and undefined scores last."""
    return math.isnan(f1), -f1
