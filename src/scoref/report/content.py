"""What a report tells: systems compared, and the errors of each, computed before it is laid out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from scoref.analysis.aligned_mentions import COLUMNS, AlignedMentions, align_mentions
from scoref.analysis.contrast import Contrast, KeyEntities, contrast, key_entities, only_right
from scoref.analysis.entity_numbers import EntityNumbers
from scoref.analysis.errors import Errors, errors_of
from scoref.analysis.errors.summary import Summary, summarise
from scoref.analysis.statistics import Statistics, statistics
from scoref.base.progress import progress
from scoref.comparison.comparison import Comparison, compare_results
from scoref.comparison.pairwise_tests import Design
from scoref.counts.counts import Counts
from scoref.exceptions import UsageError
from scoref.metrics import MetricLike, find_metrics
from scoref.policy import Policy
from scoref.preparation.regrouping import columns_of
from scoref.preparation.same_text import AUTO, Checks
from scoref.resampling.intervals import Sampling
from scoref.result import Result
from scoref.scoring import Input, as_corpus, needs_of

MOST = 12
_SHOWN = 8


@dataclass(frozen=True, eq=False)
class Part:
    """One system: its name, its errors and their summary, and its entities."""

    name: str
    errors: Errors
    summary: Summary
    entities: KeyEntities
    numbering: EntityNumbers

    @property
    def reading(self) -> AlignedMentions:
        """The alignment that was scored."""
        return self.errors.original


@dataclass(frozen=True, eq=False)
class Content:
    """All that a report says; systems stand in the order of the ranking."""

    comparison: Comparison
    parts: tuple[Part, ...]
    contrasts: tuple[Contrast, ...]
    key: Statistics
    notes: tuple[str, ...]

    @property
    def has_words(self) -> bool:
        """Whether the words of the documents are known."""
        text = self.parts[0].reading.text
        return text is not None and "word" in text

    def only_right(self, one: Part, other: Part) -> list[int]:
        """Return some key entities that one system gets right and another does not."""
        return list(only_right(one.entities, other.entities)[:_SHOWN])


def gather(
    key: Input,
    systems: Mapping[str, Input],
    metrics: Iterable[MetricLike] | None = None,
    policy: Policy | None = None,
    format: str | None = None,  # noqa: A002  # what the command line calls it
    *,
    encoding: str | None = None,
    check_words: Checks = AUTO,
) -> Content:
    """Read, score, compare and analyse all systems; the key is read once."""
    if not systems:
        raise UsageError("there is no system to report on")
    policy = policy or Policy()
    chosen = find_metrics(metrics)
    corpus = as_corpus(key, "key", format, {*COLUMNS, *columns_of(policy.unit)}, encoding)
    readings = {
        name: align_mentions(
            corpus,
            given,
            policy,
            format,
            needs=needs_of(chosen),
            encoding=encoding,
            check_words=check_words,
        )
        for name, given in systems.items()
    }
    results = {
        name: Result(
            key=reading.aligned.key,
            response=reading.aligned.response,
            counts=Counts.of(reading.table, chosen),
            policy=reading.aligned.policy,
            signature=reading.aligned.signature,
            notes=reading.aligned.notes,
        )
        for name, reading in readings.items()
    }
    comparison = compare_results(results, Design("randomisation", "holm", None), Sampling())
    parts = []
    with progress("analysing systems", len(comparison.systems)) as advance:
        for system in comparison.systems:
            errors = errors_of(readings[system.name])
            parts.append(
                Part(
                    name=system.name,
                    errors=errors,
                    summary=summarise(errors, chosen, most=MOST),
                    entities=key_entities(errors.original),
                    numbering=EntityNumbers(errors.original),
                )
            )
            advance(1)
    return Content(
        comparison=comparison,
        parts=tuple(parts),
        contrasts=contrast({part.name: part.entities for part in parts}),
        key=statistics(parts[0].reading.sides[0]),
        notes=_notes(comparison, parts),
    )


def _notes(comparison: Comparison, parts: Iterable[Part]) -> tuple[str, ...]:
    """Say each note once: what is said of a comparison, then what is said of errors alone."""
    said = {note for result in comparison.results.values() for note in result.notes}
    own = (note for part in parts for note in part.errors.notes if note not in said)
    return tuple(dict.fromkeys([*comparison.notes, *own]))
