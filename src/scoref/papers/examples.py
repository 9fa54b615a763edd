"""Partitions written compactly, and all responses to a key scored in one go."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence

from scoref.corpus.corpus import Corpus
from scoref.metrics import MetricLike
from scoref.result import Result
from scoref.scoring import score

Partition = Sequence[Sequence[Hashable]]


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
    metrics: Sequence[MetricLike],
    types: Mapping[str, str] | None = None,
) -> Result:
    """Score each response against the key, as a document of its own in one corpus."""
    return score(
        Corpus.from_entities(dict.fromkeys(responses, key), types, "key"),
        Corpus.from_entities(responses, types, "response"),
        metrics,
    )


def f1s(result: Result, scale: float = 100) -> dict[str, list[float]]:
    """List, for each response, the F1 of each metric."""
    return {
        name: [scale * score.f1 for score in scores.values()]
        for name, scores in result.documents.items()
    }
