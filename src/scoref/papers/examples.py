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


def score_table(
    key: Partition,
    responses: Mapping[str, Partition],
    metrics: Mapping[str, str],
    *details: Any,
    rows: str = "response",
    columns: str = "metric",
    fields: Sequence[str] = ("F1",),
    types: Mapping[str, str] | None = None,
    corner: str = "",
    **options: Any,
) -> ExhibitTable:
    """Make a table of scores; its rows and columns are `response`, `metric`, `field`, or two."""
    scale = 100 if options.get("unit", "percent") == "percent" else 1
    values: dict[str, dict[str, float]] = {}
    for response, scores in score_all(key, responses, metrics.values(), types).documents.items():
        for metric, found in zip(metrics, scores.values(), strict=True):
            for field in fields:
                names = {"response": response, "metric": metric, "field": field}
                row, column = (
                    " ".join(names[name] for name in layout.split()) for layout in (rows, columns)
                )
                number = found[FIELDS.index(field)] * scale
                values.setdefault(row, {})[column] = number
    titles = list(next(iter(values.values())))
    numbers = {row: list(cells.values()) for row, cells in values.items()}
    return ExhibitTable(corner or rows, titles, numbers, *details, **options)
