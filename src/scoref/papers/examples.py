"""Partitions written compactly, and all responses to a key scored in one go."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from scoref.corpus.corpus import Corpus
from scoref.metrics import MetricLike
from scoref.papers.exhibits import ExhibitTable
from scoref.result import Result
from scoref.scoring import score

Partition = Sequence[Sequence[Hashable]]
FIELDS = ("R", "P", "F1")
LABELS = {
    "muc": "MUC",
    "b3": "B³",
    "ceafm": "CEAFm",
    "ceafe": "CEAFe",
    "blanc": "BLANC",
    "lea": "LEA",
}


def labelled(*metrics: str) -> dict[str, str]:
    """Return metrics by the labels that papers use."""
    return {LABELS[metric]: metric for metric in metrics}


def entities(text: str) -> list[list[str]]:
    """Read entities of one-letter mentions: `abc de` is {a, b, c} and {d, e}."""
    return [list(word) for word in text.split()]


def with_singletons(groups: Partition, mentions: Iterable[Hashable]) -> list[list[Hashable]]:
    """Add every mention that is in no group as an entity of its own."""
    grouped = {mention for group in groups for mention in group}
    return [*map(list, groups), *([mention] for mention in mentions if mention not in grouped)]


def score_all(
    key: Partition,
    responses: Mapping[str, Partition],
    metrics: Iterable[MetricLike],
    types: Mapping[str, str] | None = None,
) -> Result:
    """Score each response against the key, as a document of its own in one corpus."""
    return score(
        Corpus.from_entities(dict.fromkeys(responses, key), types, "key"),
        Corpus.from_entities(responses, types, "response"),
        list(metrics),
    )


def f1s(result: Result) -> dict[str, list[float]]:
    """List, for each response, the F1 of each metric in percent."""
    return {
        name: [100 * score.f1 for score in scores.values()]
        for name, scores in result.documents.items()
    }


def table_of_responses(
    key: Partition,
    responses: Mapping[str, Partition],
    metrics: Mapping[str, str],
    *details: Any,
    fields: Sequence[str] = ("F1",),
    unit: str = "percent",
    **options: Any,
) -> ExhibitTable:
    """Make a table with a row per response, and some fields of each metric as columns."""
    scale = 100 if unit == "percent" else 1
    documents = score_all(key, responses, metrics.values()).documents
    values = {
        name: [scale * score[FIELDS.index(field)] for score in scores.values() for field in fields]
        for name, scores in documents.items()
    }
    columns = [f"{label} {field}" for label in metrics for field in fields]
    columns = list(metrics) if len(fields) == 1 else columns
    return ExhibitTable.of("response", columns, values, *details, unit=unit, **options)


def table_of_metrics(
    key: Partition, response: Partition, metrics: Mapping[str, str], *details: Any, **options: Any
) -> ExhibitTable:
    """Make a table with a row per metric: recall, precision and F1 of one response."""
    result = score_all(key, {"response": response}, metrics.values())
    values = {label: list(result[metric]) for label, metric in metrics.items()}
    return ExhibitTable.of("metric", FIELDS, values, *details, unit="fraction", digits=4, **options)
