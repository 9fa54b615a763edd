"""Blame: how much of a measure's loss each entity and each mention accounts for.

Recall is a sum over key entities divided by what that sum could be, so each key entity has a
share in 1 - R, and each response entity in 1 - P. The loss of F1 is made of both:

    1 - F1 = P / (R + P) (1 - R)  +  R / (R + P) (1 - P)

so shares in recall and precision become shares in F1 whose sum is the loss, exactly. An
average of measures has the mean of their shares. MUC, B³, CEAF, LEA, pairwise links, mention
detection and the linguistically aware measures decompose; BLANC does not, since a link between
two entities that are not one belongs to both, and neither do measures that are no such ratio.

An entity shares its loss among its mentions:

    MUC     those that start a part of the entity, other than the first part
    B³, LEA by how many mentions of the entity a mention does not see with it
    CEAF    those outside the aligned entity
    others  as the measure they are made from

and equally among all where none of them is to blame alone: a mention that should be an entity
of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from scoref.analysis.errors.kinds import first_rows
from scoref.analysis.aligned_mentions import AlignedMentions
from scoref.assignment.solver import best_alignment
from scoref.base.arrays import Bools, Floats, Ints, sum_by
from scoref.exceptions import UsageError
from scoref.metrics import Metric, MetricLike, find_metrics
from scoref.metrics.base import links
from scoref.metrics.ceaf import similarity
from scoref.metrics.linguistic import weigh
from scoref.overlap.table import NOWHERE, Table


class Loss(NamedTuple):
    """What each entity of a side could add to a sum, and what it fails to add."""

    whole: Floats
    lost: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Blame:
    """Shares in the loss of F1 of one measure.

    `key` and `response` have a share for each entity, by its number in the table, and
    `key_mention` and `response_mention` for each row of the alignment. Entities and mentions
    are two views of one loss: the shares of either sum to `loss`.
    """

    metric: str
    loss: float
    key: Floats
    response: Floats
    key_mention: Floats
    response_mention: Floats

    @property
    def mention(self) -> Floats:
        """What each mention has to answer for on both sides."""
        return self.key_mention + self.response_mention


def decomposes(metric: Metric) -> bool:
    """Whether the loss of a measure is a sum over entities."""
    if metric.parts:
        return all(decomposes(part) for part in metric.parts)
    return metric.name in _LOSSES


def blame(reading: AlignedMentions, metric: MetricLike = "conll") -> Blame:
    """Share out the loss of a measure among entities and mentions."""
    (chosen,) = find_metrics([metric])
    return blame_of(reading, chosen)


def blame_of(reading: AlignedMentions, metric: Metric) -> Blame:
    """Share out the loss of one metric."""
    if not decomposes(metric):
        raise UsageError(
            f"the loss of {metric.name} is not a sum over entities",
            f"that of these is: {', '.join(_LOSSES)}, conll",
        )
    if metric.parts:
        parts = [blame_of(reading, part) for part in metric.parts]
        columns = ("key", "response", "key_mention", "response_mention")
        means = {c: np.mean([getattr(part, c) for part in parts], axis=0) for c in columns}
        return Blame(metric.name, float(np.mean([part.loss for part in parts])), **means)
    measure = _LOSSES[metric.name]
    table = reading.table
    key, response = measure.losses(table)
    in_key, in_response = _factors(reading, key, response)
    ours, theirs = in_key * key.lost, in_response * response.lost
    view = _Views(reading)
    return Blame(
        metric.name,
        float(ours.sum() + theirs.sum()),
        ours,
        theirs,
        _share(ours, reading.key, measure.to_blame(view.key)),
        _share(theirs, reading.res, measure.to_blame(view.response)),
    )


def _factors(reading: AlignedMentions, key: Loss, response: Loss) -> tuple[Floats, Floats]:
    """Return what a lost unit of each key and each response entity costs in F1."""
    table, average = reading.table, reading.policy.average
    units = len(table.units) if average == "macro" else 1
    of_key = table.key_unit if average == "macro" else np.zeros_like(table.key_unit)
    of_res = table.res_unit if average == "macro" else np.zeros_like(table.res_unit)
    wholes = [sum_by(of_key, key.whole, units), sum_by(of_res, response.whole, units)]
    losts = [sum_by(of_key, key.lost, units), sum_by(of_res, response.lost, units)]
    recall, precision = (
        np.where(whole > 0, 1 - lost / np.where(whole > 0, whole, 1.0), 0.0)
        for whole, lost in zip(wholes, losts, strict=True)
    )
    both = recall + precision
    # Where nothing is right, each side that exists answers for its part of the loss.
    exists = [(whole > 0).astype(np.float64) for whole in wholes]
    even = np.maximum(exists[0] + exists[1], 1.0)
    weights = [
        np.where(both > 0, other / np.where(both > 0, both, 1.0), there / even)
        for other, there in ((precision, exists[0]), (recall, exists[1]))
    ]
    prices = [
        weight / np.where(whole > 0, whole, 1.0) / units
        for weight, whole in zip(weights, wholes, strict=True)
    ]
    return prices[0][of_key], prices[1][of_res]


def _share(loss: Floats, entity: Ints, weight: Floats) -> Floats:
    """Share the loss of entities among their mentions, by weight, or equally without any."""
    there = np.flatnonzero(entity != NOWHERE)
    at = entity[there]
    total = sum_by(at, weight[there], len(loss))
    size = np.bincount(at, minlength=len(loss))
    even = total[at] <= 0
    part = np.where(even, 1.0 / size[at], weight[there] / np.where(even, 1.0, total[at]))
    shares = np.zeros(len(entity))
    shares[there] = loss[at] * part
    return shares


class View(NamedTuple):
    """One side as its mentions see it: `own` is their entity here, `size` that of the entity.

    `shared` is how many mentions of the entity, itself included, sit with a mention on the
    other side. `starts` marks mentions that start a part other than the entity's first.
    """

    reading: AlignedMentions
    side: str
    own: Ints
    size: Ints
    shared: Ints
    starts: Bools


class _Views:
    """Both sides as their mentions see them."""

    def __init__(self, reading: AlignedMentions) -> None:
        self.reading = reading
        cell, table = reading.cell, reading.table
        count = np.append(table.count, 1)[cell]  # a mention that one side lacks is by itself
        firsts = first_rows(cell, reading.order, cell != NOWHERE, len(table.count))
        starts = cell == NOWHERE
        starts[firsts] = True
        self.key = self._side("key", reading.key, table.key_size, count, starts)
        self.response = self._side("response", reading.res, table.res_size, count, starts)

    def _side(self, side: str, own: Ints, sizes: Ints, count: Ints, starts: Bools) -> View:
        first = first_rows(own, self.reading.order, own != NOWHERE, len(sizes))
        starts = starts & (own != NOWHERE)
        starts[first] = False
        return View(self.reading, side, own, np.append(sizes, 0)[own], count, starts)


class _Measure(NamedTuple):
    losses: Callable[[Table], tuple[Loss, Loss]]
    to_blame: Callable[[View], Floats]


def _by_starts(view: View) -> Floats:
    return view.starts.astype(np.float64)


def _by_distance(view: View) -> Floats:
    apart: Floats = (view.size - view.shared).astype(np.float64)
    return apart


def _by_unseen(view: View) -> Floats:
    """As by distance, but a mention that the other side lacks does not even see itself."""
    return np.where(view.reading.cell == NOWHERE, view.size, view.size - view.shared) * 1.0


def _outside(phi: int) -> Callable[[View], Floats]:
    def outside(view: View) -> Floats:
        table = view.reading.table
        chosen = best_alignment(table.cell_key, table.cell_res, similarity(table, phi))
        inside = np.append(chosen, False)[view.reading.cell]
        return np.where(inside, 0.0, 1.0)

    return outside


def _if_missing(view: View) -> Floats:
    return np.where(view.reading.cell == NOWHERE, 1.0, 0.0)


def _cells(table: Table, values: Floats) -> tuple[Floats, Floats]:
    """Sum a value of cells by their key and by their response entities."""
    return (
        sum_by(table.cell_key, values, len(table.key_size)),
        sum_by(table.cell_res, values, len(table.res_size)),
    )


def _lost(whole: tuple[Floats, Floats], kept: tuple[Floats, Floats]) -> tuple[Loss, Loss]:
    one, other = (Loss(w, w - k) for w, k in zip(whole, kept, strict=True))
    return one, other


def _sizes(table: Table) -> tuple[Floats, Floats]:
    return table.key_size.astype(np.float64), table.res_size.astype(np.float64)


def _mentions(table: Table) -> tuple[Loss, Loss]:
    return _lost(_sizes(table), _cells(table, table.count.astype(np.float64)))


def _muc(table: Table) -> tuple[Loss, Loss]:
    key, response = _sizes(table)
    return _lost((key - 1, response - 1), _cells(table, table.count.astype(np.float64) - 1))


def _b_cubed(table: Table) -> tuple[Loss, Loss]:
    squared: Floats = table.count.astype(np.float64) ** 2
    kept = (
        _cells(table, squared / table.cell_key_size)[0],
        _cells(table, squared / table.cell_res_size)[1],
    )
    return _lost(_sizes(table), kept)


def _ceaf(phi: int) -> Callable[[Table], tuple[Loss, Loss]]:
    def losses(table: Table) -> tuple[Loss, Loss]:
        worth = similarity(table, phi)
        chosen = best_alignment(table.cell_key, table.cell_res, worth)
        sizes = _sizes(table)
        whole = sizes if phi == 3 else (np.ones_like(sizes[0]), np.ones_like(sizes[1]))
        return _lost(whole, _cells(table, np.where(chosen, worth, 0.0)))

    return losses


def _lea(table: Table) -> tuple[Loss, Loss]:
    alone = (table.cell_key_size == 1) & (table.cell_res_size == 1)
    common = links(table.count)
    in_key, in_response = (
        np.where(alone, 1.0, size * common / np.maximum(links(size), 1))
        for size in (table.cell_key_size, table.cell_res_size)
    )
    return _lost(_sizes(table), (_cells(table, in_key)[0], _cells(table, in_response)[1]))


def _pairwise(table: Table) -> tuple[Loss, Loss]:
    whole = links(table.key_size), links(table.res_size)
    return _lost(whole, _cells(table, links(table.count)))


def _linguistic(name: str) -> Callable[[Table], tuple[Loss, Loss]]:
    """Return the losses of a linguistically aware measure with Chen and Ng's weights."""

    def losses(table: Table) -> tuple[Loss, Loss]:
        cell, key, response = weigh(table, np.array([1.0, 0.75, 0.5]), 1.0)
        if name == "lmuc":
            return _lost((key, response), _cells(table, cell))
        if name == "lb3":
            kept = (
                _cells(table, table.count * cell / key[table.cell_key])[0],
                _cells(table, table.count * cell / response[table.cell_res])[1],
            )
            return _lost(_sizes(table), kept)
        if name == "lceafm":
            chosen = best_alignment(table.cell_key, table.cell_res, cell)
            return _lost((key, response), _cells(table, np.where(chosen, cell, 0.0)))
        alike = 2 * cell / (key[table.cell_key] + response[table.cell_res])
        chosen = best_alignment(table.cell_key, table.cell_res, alike)
        ones = np.ones(len(key)), np.ones(len(response))
        return _lost(ones, _cells(table, np.where(chosen, alike, 0.0)))

    return losses


_LOSSES = {
    "mentions": _Measure(_mentions, _if_missing),
    "muc": _Measure(_muc, _by_starts),
    "b3": _Measure(_b_cubed, _by_unseen),
    "ceafm": _Measure(_ceaf(3), _outside(3)),
    "ceafe": _Measure(_ceaf(4), _outside(4)),
    "lea": _Measure(_lea, _by_distance),
    "pairwise": _Measure(_pairwise, _by_distance),
    "lmuc": _Measure(_linguistic("lmuc"), _by_starts),
    "lb3": _Measure(_linguistic("lb3"), _by_unseen),
    "lceafm": _Measure(_linguistic("lceafm"), _outside(3)),
    "lceafe": _Measure(_linguistic("lceafe"), _outside(4)),
}
