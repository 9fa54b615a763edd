"""A summary of errors: how many, what each kind costs, the most expensive entities, slices."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from scoref.analysis.blame import Blame, blame_of, decomposes
from scoref.analysis.contrast import VERDICTS, key_entities
from scoref.analysis.errors.kinds import first_rows
from scoref.analysis.errors.records import Errors, Repair
from scoref.analysis.aligned_mentions import AlignedMentions
from scoref.analysis.slices import Slice, slices
from scoref.base.arrays import Floats, Ints
from scoref.metrics import Metric, MetricLike, find_metrics
from scoref.overlap.table import NOWHERE, PRONOUN

MOST = 10
_BY = "conll"


@dataclass(frozen=True, slots=True)
class Expensive:
    """An entity and the F1 that it costs: a key entity in recall, a response entity in precision.

    `verdict` says what the response made of a key entity. `row` is that of the mention which
    `words` are taken from, the first that is no pronoun.
    """

    side: str
    document: str
    name: str
    words: str
    span: object
    mentions: int
    verdict: str
    cost: float
    row: int


@dataclass(frozen=True, slots=True, eq=False)
class Summary:
    """What there is to say about the errors of one response.

    `metric` is the measure that says what entities cost, or None if none of those asked for
    is a sum over entities.
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
    """Summarise errors; entities are priced `by` one metric, conll if it is among them."""
    chosen = find_metrics(metrics)
    pricing = _pricing(chosen, by)
    shares = None if pricing is None else blame_of(errors.original, pricing)
    return Summary(
        errors=errors,
        repairs=errors.repairs(chosen),
        metric=None if pricing is None else pricing.name,
        loss=0.0 if shares is None else shares.loss,
        expensive=() if shares is None else expensive(errors.original, shares, most),
        slices=slices(errors.original),
    )


def _pricing(metrics: tuple[Metric, ...], by: MetricLike | None) -> Metric | None:
    if by is not None:
        return find_metrics([by])[0]
    able = {metric.name: metric for metric in metrics if decomposes(metric)}
    return able.get(_BY) or next(reversed(able.values()), None)


def expensive(reading: AlignedMentions, shares: Blame, most: int = MOST) -> tuple[Expensive, ...]:
    """List the entities of both sides that cost most."""
    verdicts = key_entities(reading).verdict
    found = [
        (cost, side, entity)
        for side, costs in (("key", shares.key), ("response", shares.response))
        for entity, cost in _highest(costs, most)
    ]
    found.sort(key=lambda one: -one[0])
    names = {side: reading.names(side) for side in ("key", "response")}
    anchors = {side: _anchors(reading, side) for side in ("key", "response")}
    table = reading.table
    listed = []
    for cost, side, entity in found[:most]:
        row = int(anchors[side][entity])
        size = table.key_size if side == "key" else table.res_size
        listed.append(
            Expensive(
                side=side,
                document=table.units[reading.unit[row]],
                name=names[side][entity],
                words=reading.words(row),
                span=reading.mention(row),
                mentions=int(size[entity]),
                verdict=VERDICTS[verdicts[entity]] if side == "key" else "",
                cost=cost,
                row=row,
            )
        )
    return tuple(listed)


def _highest(costs: Floats, most: int) -> list[tuple[int, float]]:
    order = np.argsort(-costs, kind="stable")[:most]
    return [(int(at), float(costs[at])) for at in order if costs[at] > 0]


def _anchors(reading: AlignedMentions, side: str) -> Ints:
    entity = reading.key if side == "key" else reading.res
    sizes = reading.table.key_size if side == "key" else reading.table.res_size
    there = entity != NOWHERE
    telling = first_rows(entity, reading.order, there & (reading.type != PRONOUN), len(sizes))
    first = first_rows(entity, reading.order, there, len(sizes))
    return np.where(telling == NOWHERE, first, telling)
