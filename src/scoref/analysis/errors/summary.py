"""A summary of errors: counts, the cost of each kind, the most expensive entities, slices."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from scoref.analysis.aligned_mentions import AlignedMentions
from scoref.analysis.blame import Blame, blame, decomposes
from scoref.analysis.contrast import VERDICTS, key_entities
from scoref.analysis.errors.collection import Errors
from scoref.analysis.errors.kinds import Repair
from scoref.analysis.mention_classes import Slice, slices
from scoref.base.arrays import Floats
from scoref.metrics import Metric, MetricLike, find_metrics
from scoref.metrics.table import SideName

MOST = 10
_BY = "conll"


@dataclass(frozen=True, slots=True)
class Expensive:
    """An entity and the F1 that it costs: a key entity in recall, a response entity in precision.

    `name` is its name in the file, `number` that of `EntityNumbers`. `verdict` says how the
    response resolves a key entity. `words` and `span` are those of the mention that represents the
    entity: its first that is not a pronoun.
    """

    side: SideName
    document: str
    name: str
    number: int
    words: str
    span: object
    mentions: int
    verdict: str
    cost: float


@dataclass(frozen=True, slots=True, eq=False)
class Summary:
    """The summary of the errors of one response.

    `metric` is the metric in which the cost of entities is given, or None if no chosen metric is
    a sum over entities.
    """

    errors: Errors
    repairs: tuple[Repair, ...]
    metric: str | None
    loss: float
    expensive: tuple[Expensive, ...]
    slices: tuple[Slice, ...]


def summarise(
    errors: Errors,
    metrics: Iterable[MetricLike] | None = None,
    by: MetricLike | None = None,
    most: int = MOST,
) -> Summary:
    """Summarise errors; the cost of entities is given in the metric `by`, conll by default."""
    chosen = find_metrics(metrics)
    repairs, classes = errors.repairs(chosen), slices(errors.original)
    if (metric := _pricing(chosen, by)) is None:
        return Summary(errors, repairs, None, 0.0, (), classes)
    shares = blame(errors.original, metric)
    entities = expensive(errors.original, shares, most)
    return Summary(errors, repairs, metric.name, shares.loss, entities, classes)


def _pricing(metrics: tuple[Metric, ...], by: MetricLike | None) -> Metric | None:
    if by is not None:
        return find_metrics([by])[0]
    able = {metric.name: metric for metric in metrics if decomposes(metric)}
    return able.get(_BY) or next(reversed(able.values()), None)


def expensive(mentions: AlignedMentions, shares: Blame, most: int = MOST) -> tuple[Expensive, ...]:
    """Return the entities of both sides that cost most."""
    verdicts = key_entities(mentions).verdict
    found: list[Expensive] = []
    sides: tuple[tuple[SideName, Floats], ...] = (
        ("key", shares.key),
        ("response", shares.response),
    )
    for side, costs in sides:
        names, rows = mentions.names[side], mentions.representatives(side)
        numbers = mentions.numbers.of(side)
        _, size = mentions.entities(side)
        for entity in np.argsort(-costs, kind="stable")[:most].tolist():
            row = int(rows[entity])
            found.append(
                Expensive(
                    side=side,
                    document=mentions.table.units[mentions.unit[row]],
                    name=names[entity],
                    number=int(numbers[entity]),
                    words=mentions.words(row),
                    span=mentions.mention(row),
                    mentions=int(size[entity]),
                    verdict=VERDICTS[verdicts[entity]] if side == "key" else "",
                    cost=float(costs[entity]),
                )
            )
    found.sort(key=lambda one: -one.cost)
    return tuple(one for one in found[:most] if one.cost > 0)
