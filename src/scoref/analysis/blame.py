"""Blame: the share of each entity and each mention in the F1 that a metric loses.

Recall is a sum over key entities divided by the largest value that this sum could have. Each key
entity therefore has a share in 1 - R, and each response entity in 1 - P. The loss of F1 consists
of both:

    1 - F1 = P / (R + P) (1 - R)  +  R / (R + P) (1 - P)

Shares in recall and precision thus become shares in F1, and their sum is exactly the loss. The
shares in an average of metrics are the means of the shares in these metrics. MUC, B³, CEAF, LEA,
pairwise links, mention detection and the linguistically aware metrics decompose in this way.

An entity distributes its loss among its mentions:

    MUC      to those that start a part of the entity, other than the first part
    B³, LEA  by the number of mentions of the entity that are not in the same part
    CEAF     to those outside the aligned entity
    others   as the metric on which they are based

If no single mention is to blame, the loss is distributed evenly. An example is a mention that
should be a separate entity.

A metric counts units. In a table whose units are the entities of one side, it therefore counts
entities. BLANC is not a sum over entities, because a link between two different entities belongs
to both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import partial

import numpy as np

from scoref.analysis.aligned_mentions import AlignedMentions
from scoref.base.arrays import Floats, Ints, sum_by
from scoref.exceptions import UsageError
from scoref.metrics import Metric, MetricLike, find_metrics
from scoref.metrics.assignment.solver import best_alignment
from scoref.metrics.ceaf import similarity
from scoref.metrics.table import NOWHERE, SideName, Table


def decomposes(metric: Metric) -> bool:
    """Whether the loss of a metric is a sum over entities."""
    if metric.parts:
        return all(decomposes(part) for part in metric.parts)
    return metric.name in WEIGHTS


@dataclass(frozen=True, slots=True, eq=False)
class EntityTable(Table):
    """A table in which each entity of one side is a unit."""

    side: SideName = "key"

    @property
    def cell_unit(self) -> Ints:
        """The entity of each cell."""
        return self.cell_key if self.side == "key" else self.cell_res


def count_entities(metric: Metric, table: Table, side: SideName) -> tuple[Floats, Floats]:
    """Return what each entity adds to the sum of its side, and the most that it could add."""
    sizes = table.key_size if side == "key" else table.res_size
    if not len(sizes):
        return np.zeros(0), np.zeros(0)
    units = {"key_unit": np.zeros_like(table.key_unit), "res_unit": np.zeros_like(table.res_unit)}
    units["key_unit" if side == "key" else "res_unit"] = np.arange(len(sizes))
    columns = {field.name: getattr(table, field.name) for field in fields(table)}
    of_entities = EntityTable(**{**columns, **units, "units": ("",) * len(sizes), "side": side})
    recall, most_recall, precision, most_precision = metric.count(of_entities).T
    return (recall, most_recall) if side == "key" else (precision, most_precision)


# The weight of each mention in the loss of its entity. `entity` is the key or the response entity
# of each row, and `sizes` are the sizes of the entities.


def _starts_of_parts(mentions: AlignedMentions, entity: Ints, sizes: Ints) -> Floats:
    cell = mentions.cell
    starts = cell == NOWHERE
    starts[mentions.first_rows(cell, ~starts, len(mentions.table.count))] = True
    starts &= entity != NOWHERE
    starts[mentions.first_rows(entity, entity != NOWHERE, len(sizes))] = False
    return np.where(starts, 1.0, 0.0)


def _unseen(mentions: AlignedMentions, entity: Ints, sizes: Ints, *, itself: int) -> Floats:
    """Count the mentions outside the part; `itself` is 1 if an unaligned mention is a part."""
    shared = np.append(mentions.table.count, itself)[mentions.cell]
    unseen: Floats = np.append(sizes, 0)[entity] - shared.astype(np.float64)
    return unseen


def _outside(mentions: AlignedMentions, _entity: Ints, _sizes: Ints, *, phi: int) -> Floats:
    table = mentions.table
    chosen = best_alignment(table.cell_key, table.cell_res, similarity(table, phi))
    return np.where(np.append(chosen, False)[mentions.cell], 0.0, 1.0)


def _unaligned(mentions: AlignedMentions, _entity: Ints, _sizes: Ints) -> Floats:
    return np.where(mentions.cell == NOWHERE, 1.0, 0.0)


Weights = Callable[[AlignedMentions, Ints, Ints], Floats]
_BASIC: dict[str, Weights] = {
    "mentions": _unaligned,
    "muc": _starts_of_parts,
    "b3": partial(_unseen, itself=0),
    "ceafm": partial(_outside, phi=3),
    "ceafe": partial(_outside, phi=4),
    "lea": partial(_unseen, itself=1),
}
_AWARE = {f"l{name}": _BASIC[name] for name in ("muc", "b3", "ceafm", "ceafe")}
WEIGHTS: dict[str, Weights] = {**_BASIC, "pairwise": _BASIC["lea"], **_AWARE}
"""The metrics that decompose, and how the loss of an entity is distributed among its mentions."""


@dataclass(frozen=True, slots=True, eq=False)
class Blame:
    """Shares in the loss of F1 of one metric.

    `key` and `response` have one share per entity, by its number in the table. `key_mention` and
    `response_mention` have one share per row of the alignment. The shares of entities sum to
    `loss`, and so do the shares of mentions.
    """

    metric: str
    loss: float
    key: Floats
    response: Floats
    key_mention: Floats
    response_mention: Floats

    @property
    def mention(self) -> Floats:
        """The share of each mention on both sides together."""
        return self.key_mention + self.response_mention


def blame(mentions: AlignedMentions, metric: MetricLike = "conll") -> Blame:
    """Distribute the loss of a metric among entities and mentions."""
    (metric,) = find_metrics([metric])
    if not decomposes(metric):
        raise UsageError(
            f"the loss of {metric.name} is not a sum over entities",
            f"choose one of: {', '.join(WEIGHTS)}, conll",
        )
    if metric.parts:
        parts = [blame(mentions, part) for part in metric.parts]
        columns = ("key", "response", "key_mention", "response_mention")
        means = {c: np.mean([getattr(part, c) for part in parts], axis=0) for c in columns}
        return Blame(metric.name, float(np.mean([part.loss for part in parts])), **means)
    table, weight_of = mentions.table, WEIGHTS[metric.name]
    in_key, most_in_key = count_entities(metric, table, "key")
    in_res, most_in_res = count_entities(metric, table, "response")
    lost = (most_in_key - in_key, most_in_res - in_res)
    key, response = _shares(mentions, (most_in_key, most_in_res), lost)
    of_key = weight_of(mentions, mentions.key, table.key_size)
    of_res = weight_of(mentions, mentions.res, table.res_size)
    by_mention = _distribute(key, mentions.key, of_key), _distribute(response, mentions.res, of_res)
    return Blame(metric.name, float(key.sum() + response.sum()), key, response, *by_mention)


def _shares(
    mentions: AlignedMentions, whole: tuple[Floats, Floats], lost: tuple[Floats, Floats]
) -> list[Floats]:
    """Return what the loss of each key and each response entity costs in F1."""
    table, macro = mentions.table, mentions.policy.average == "macro"
    units = len(table.units) if macro else 1
    unit = [of if macro else np.zeros_like(of) for of in (table.key_unit, table.res_unit)]
    wholes, losts = (
        np.stack([sum_by(of, values, units) for of, values in zip(unit, sides, strict=True)])
        for sides in (whole, lost)
    )
    exists = wholes > 0
    scored = units
    if macro and mentions.policy.where != "all":  # a unit outside the slice has no score
        scored = max(1, int(np.count_nonzero(exists.any(axis=0))))
    divisors = np.where(exists, wholes, 1.0)
    scores = np.where(exists, 1 - losts / divisors, 0.0)  # recall and precision
    both = scores.sum(axis=0)
    # If nothing is right, the sides that have entities share the loss evenly.
    even = exists / np.maximum(exists.sum(axis=0), 1)
    weights = np.where(both > 0, scores[::-1] / np.where(both > 0, both, 1.0), even)
    return [
        (weight / divisor / scored)[of] * values
        for weight, divisor, of, values in zip(weights, divisors, unit, lost, strict=True)
    ]


def _distribute(loss: Floats, entity: Ints, weight: Floats) -> Floats:
    """Distribute the loss of entities among their mentions, by weight, or evenly without any."""
    there = np.flatnonzero(entity != NOWHERE)
    at = entity[there]
    total = sum_by(at, weight[there], len(loss))
    size = np.bincount(at, minlength=len(loss))
    even = total[at] <= 0
    part = np.where(even, 1.0 / size[at], weight[there] / np.where(even, 1.0, total[at]))
    shares = np.zeros(len(entity))
    shares[there] = loss[at] * part
    return shares
