"""The content of a report: the comparison of the systems, and the analysis of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from scoref.analysis.aligned_mentions import COLUMNS, AlignedMentions, align_mentions
from scoref.analysis.contrast import Contrast, KeyEntities, contrast, key_entities
from scoref.analysis.errors import Errors, Repair, errors_of
from scoref.analysis.errors.gains import gains
from scoref.analysis.errors.kinds import ALL
from scoref.analysis.errors.summary import Summary, summarise
from scoref.analysis.mention_classes import SIZES, MentionScores, classify, document_lengths
from scoref.analysis.statistics import Statistics, statistics
from scoref.base.arrays import Bools, Floats, Ints
from scoref.base.progress import progress
from scoref.comparison.comparison import Comparison, compare_results
from scoref.comparison.pairwise_tests import Design
from scoref.comparison.systems import SystemInput, list_runs
from scoref.corpus.document import genres
from scoref.counts.counts import Counts
from scoref.engines.local import assemble_prepared
from scoref.exceptions import UsageError
from scoref.matching.inputs import Input, ReadOptions, as_corpus
from scoref.matching.requirements import Requirements
from scoref.metrics import MetricLike, find_metrics
from scoref.metrics.table import NOWHERE
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
    """The content of a report; `analyses` are in the order of the ranking.

    The page has the words of the documents if `with_text`, and the paths of files if `show_paths`.
    """

    comparison: Comparison
    analyses: tuple[SystemAnalysis, ...]
    contrasts: tuple[Contrast, ...]
    key: Statistics
    notes: tuple[str, ...]
    with_text: bool = False
    show_paths: bool = False

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


class SliceClasses(NamedTuple):
    """What a slice classifies by, the names of its classes, and the class of each item."""

    by: str
    names: tuple[str, ...]
    of: Ints


def mention_classes(mentions: AlignedMentions) -> list[SliceClasses]:
    """Classify rows by the size of their entity and by distance."""
    scores = MentionScores(mentions)
    size = np.where(scores.in_key, scores.key_size, scores.res_size)
    unit, edges, distance = scores.distance()
    return [
        _classes("size", classify(size, SIZES), len(size)),
        _classes(f"distance in {unit}", classify(distance, edges), len(size)),
    ]


def document_classes(mentions: AlignedMentions) -> list[SliceClasses]:
    """Classify documents by genre and by length."""
    genre = np.array(genres(mentions.alignment.units))
    unit, edges, lengths = document_lengths(mentions)
    by_genre = ((name, genre == name) for name in sorted(set(genre.tolist())))
    return [
        _classes("genre", by_genre, len(lengths)),
        _classes(f"document length in {unit}", classify(lengths, edges), len(lengths)),
    ]


def error_classes(analysis: SystemAnalysis) -> Ints:
    """Return the classes of each error as an array of shape (errors, slices of mentions)."""
    listing = analysis.errors.listing
    first = listing.first_row
    meant = listing.meant[first]
    rows = np.where(meant == NOWHERE, first, meant)
    return np.stack([one.of[rows] for one in mention_classes(analysis.mentions)], axis=1)


def slice_name(by: str) -> str:
    """Return the short name of a slice in a link: size, distance, genre or length."""
    return "length" if by.startswith("document length") else by.split(maxsplit=1)[0]


def _classes(by: str, classes: Iterable[tuple[str, Bools]], items: int) -> SliceClasses:
    of = np.full(items, NOWHERE, dtype=np.int64)
    names = []
    for number, (name, members) in enumerate(classes):
        of[members] = number
        names.append(name)
    return SliceClasses(by, tuple(names), of)
