"""The content of a report: the comparison of the systems, and the analysis of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from scoref.analysis.aligned_mentions import COLUMNS, AlignedMentions, align_mentions
from scoref.analysis.contrast import Contrast, KeyEntities, contrast, key_entities
from scoref.analysis.errors import Errors, Repair, errors_of
from scoref.analysis.errors.gains import gains
from scoref.analysis.errors.kinds import ALL
from scoref.analysis.errors.summary import Summary, summarise
from scoref.analysis.statistics import Statistics, statistics
from scoref.base.arrays import Floats
from scoref.base.progress import progress
from scoref.comparison.comparison import Comparison, compare_results
from scoref.comparison.pairwise_tests import Design
from scoref.comparison.systems import SystemInput, list_runs
from scoref.counts.counts import Counts
from scoref.engines.local import assemble_prepared
from scoref.exceptions import UsageError
from scoref.matching.inputs import Input, ReadOptions, as_corpus
from scoref.matching.requirements import Requirements
from scoref.metrics import MetricLike, find_metrics
from scoref.policy import Policy, PolicyLike
from scoref.resampling.sampling_options import Sampling
from scoref.result import Result

MOST = 12
"""How many expensive entities the report lists per system."""


@dataclass(frozen=True, eq=False)
class SystemAnalysis:
    """The analysis of one system: its errors and their summary, and how it resolves entities.

    `gains` are what the repair of each single error is worth, in F1 of the ranking metric.
    """

    name: str
    errors: Errors
    summary: Summary
    entities: KeyEntities
    gains: Floats

    @property
    def mentions(self) -> AlignedMentions:
        """The mentions that were scored."""
        return self.errors.original

    @property
    def repairs_of_kinds(self) -> tuple[Repair, ...]:
        """The repairs of one kind of error each."""
        return tuple(one for one in self.summary.repairs if one.name != ALL)


@dataclass(frozen=True, eq=False)
class Content:
    """The content of a report; `analyses` are in the order of the ranking."""

    comparison: Comparison
    analyses: tuple[SystemAnalysis, ...]
    contrasts: tuple[Contrast, ...]
    key: Statistics
    notes: tuple[str, ...]

    @property
    def has_words(self) -> bool:
        """Whether the words of the documents are known."""
        return self.analyses[0].mentions.text is not None


def gather(
    key: Input,
    systems: Mapping[str, SystemInput],
    metrics: Iterable[MetricLike] | None = None,
    policy: PolicyLike | None = None,
    options: ReadOptions | None = None,
) -> Content:
    """Read, score, compare and analyse all systems; the key is read once.

    If a system has several runs, the comparison is of all runs, and the analysis of the first.
    """
    if not systems:
        raise UsageError("a report requires at least one system")
    policy, options = Policy.of(policy), options or ReadOptions()
    chosen = find_metrics(metrics)
    requirements = Requirements.of(chosen, policy, options, shown=COLUMNS)
    corpus = as_corpus(key, "key", options, requirements.reading(key).of_key)
    readings: dict[str, AlignedMentions] = {}
    results: dict[str, list[Result]] = {name: [] for name in systems}
    for name, runs in systems.items():
        for response in list_runs(name, runs):
            if isinstance(response, Result):
                raise UsageError(f"{name} is a result, but a report requires a response")
            reading = align_mentions(corpus, response, policy, options, requirements.of_metrics)
            readings.setdefault(name, reading)
            counts = Counts.of(reading.table, chosen)
            results[name].append(assemble_prepared(counts, reading.aligned))
    comparison = compare_results(results, Design(), Sampling())
    (ranking,) = (metric for metric in chosen if metric.name == comparison.metric)
    analyses = []
    with progress("analysing systems", len(comparison.systems)) as advance:
        for system in comparison.systems:
            errors = errors_of(readings[system.name])
            summary, entities = summarise(errors, chosen, most=MOST), key_entities(errors.original)
            worth = gains(errors, ranking)
            analyses.append(SystemAnalysis(system.name, errors, summary, entities, worth))
            advance(1)
    contrasts = contrast({analysis.name: analysis.entities for analysis in analyses})
    about_key, notes = statistics(analyses[0].mentions.sides[0]), _notes(comparison, analyses)
    return Content(comparison, tuple(analyses), contrasts, about_key, notes)


def _notes(comparison: Comparison, analyses: Iterable[SystemAnalysis]) -> tuple[str, ...]:
    """Return each note once: those of the comparison, then those of the error analysis."""
    scored = {note for result in comparison.results.values() for note in result.notes}
    own = (note for analysis in analyses for note in analysis.errors.notes if note not in scored)
    first = ["errors and documents are those of the first run of each system"]
    if all(len(system.runs) == 1 for system in comparison.systems):
        first = []
    return tuple(dict.fromkeys([*comparison.notes, *own, *first]))
