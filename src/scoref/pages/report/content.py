"""The content of a report: the comparison of the systems, and the analysis of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from scoref.analysis.aligned_mentions import COLUMNS, AlignedMentions, align_mentions
from scoref.analysis.contrast import Contrast, KeyEntities, contrast, key_entities
from scoref.analysis.curves import Curves, curves_of, has_long_documents
from scoref.analysis.errors import Errors, Repair, errors_of
from scoref.analysis.errors.gains import gains
from scoref.analysis.errors.kinds import ALL
from scoref.analysis.errors.summary import Summary, summarise
from scoref.analysis.mention_classes import OF_DOCUMENTS, available_fields
from scoref.analysis.slice_counts import classify
from scoref.analysis.slice_tests import ScoredSlice, correct
from scoref.analysis.slices import SliceWork
from scoref.analysis.statistics import Statistics, statistics
from scoref.base.arrays import Floats, Ints
from scoref.base.progress import progress
from scoref.comparison.comparison import Comparison, compare_results
from scoref.comparison.pairwise_tests import Design
from scoref.comparison.systems import SystemInput, list_runs
from scoref.counts.counts import Counts
from scoref.engines.local import assemble_prepared
from scoref.exceptions import UsageError
from scoref.matching.fields import Field
from scoref.matching.inputs import Input, ReadOptions, as_corpus
from scoref.matching.requirements import Requirements
from scoref.metrics import MetricLike, find_metrics
from scoref.metrics.table import NOWHERE
from scoref.policy import ALL_MENTIONS, Policy, PolicyLike
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

    `curves` are those of each system in the ranking metric, if documents are long. The page has the
    words of the documents if `with_text`, and the paths of files if `show_paths`.
    """

    comparison: Comparison
    analyses: tuple[SystemAnalysis, ...]
    contrasts: tuple[Contrast, ...]
    key: Statistics
    notes: tuple[str, ...]
    fields: tuple[Field, ...]
    slices: tuple[ScoredSlice, ...]
    slice_tests: int
    curves: tuple[Curves, ...] = ()
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
    chosen = find_metrics(metrics, "a report")
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
    fields = available_fields(one.mentions for one in analyses)
    aligned = {one.name: one.mentions.aligned for one in analyses}
    selected = replace(policy, where=ALL_MENTIONS)  # the alignments have no other mentions
    work = SliceWork(aligned, find_metrics(["b3"]), selected, "share", Sampling())
    work.pairs = []  # only what the page shows is tested
    rows = [row for field in fields for row in work.slices_of(field)]
    rows, tests = correct(rows, Sampling().level, "holm")
    contrasts = contrast({analysis.name: analysis.entities for analysis in analyses})
    about_key, notes = statistics(analyses[0].mentions.sides[0]), _notes(comparison, analyses)
    prepared = [analysis.mentions.aligned for analysis in analyses]
    curves: tuple[Curves, ...] = ()
    if has_long_documents(prepared[0]):
        curves = tuple(curves_of(one, (ranking,), Sampling()) for one in prepared)
    about = (about_key, notes, tuple(fields), tuple(rows), tests, curves)
    return Content(comparison, tuple(analyses), contrasts, *about)


def _notes(comparison: Comparison, analyses: Iterable[SystemAnalysis]) -> tuple[str, ...]:
    """Return each note once: those of the comparison, then those of the error analysis."""
    scored = {note for result in comparison.results.values() for note in result.notes}
    own = (note for analysis in analyses for note in analysis.errors.notes if note not in scored)
    first = ["errors and documents are those of the first run of each system"]
    if all(len(system.runs) == 1 for system in comparison.systems):
        first = []
    return tuple(dict.fromkeys([*comparison.notes, *own, *first]))


def fields_of(content: Content, *, documents: bool) -> list[Field]:
    """Return the fields of documents or of mentions, but types, which all errors have."""
    known = (field for field in content.fields if field.name != "type")
    return [field for field in known if (field.name in OF_DOCUMENTS) == documents]


def slice_names(content: Content, field: Field) -> list[str]:
    """Return the names of the slices of a field, with those of all systems."""
    return [row.name for row in content.slices if row.by == field.name]


def slice_numbers(content: Content, field: Field, mentions: AlignedMentions) -> Ints:
    """Return the slice of each row, numbered as `slice_names` has them."""
    return classify(field, mentions.alignment).renumber(slice_names(content, field))


def error_classes(content: Content, analysis: SystemAnalysis) -> Ints:
    """Return the classes of each error as an array of shape (errors, fields of mentions)."""
    listing = analysis.errors.listing
    first = listing.first_row
    meant = listing.meant[first]
    rows = np.where(meant == NOWHERE, first, meant)
    nothing = np.zeros((len(rows), 0), dtype=np.int64)
    fields = fields_of(content, documents=False)
    numbers = (slice_numbers(content, field, analysis.mentions)[rows] for field in fields)
    return np.column_stack([nothing, *numbers])
