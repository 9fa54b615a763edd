"""Contributions: what each mention adds to the counts of a metric, so that slices add up to it.

A metric that is a sum over entities has a numerator and a denominator for each of them. An entity
divides these among its mentions:

    mentions       1 to each mention, and 1 to each that the other side has
    MUC            a link to each mention but the first of its entity; it is found if the other
                   side has an earlier mention of the entity together with it (Stoyanov et al. 2009)
    B³             1 to each, and the share of its entity that is together with it
    CEAF           evenly to all, and to those in the aligned entity
    LEA, pairwise  evenly to all, and by the number of other mentions that are together with it

BLANC counts links of two mentions, and each has a half of them. The mean of several metrics has the
contributions of each.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from scoref.analysis.aligned_mentions import AlignedMentions
from scoref.analysis.blame import count_entities
from scoref.base.arrays import Bools, Floats, Ints
from scoref.metrics import Metric
from scoref.metrics.assignment.solver import best_alignment
from scoref.metrics.blanc import count as count_blanc
from scoref.metrics.ceaf import similarity
from scoref.metrics.table import NOWHERE, SideName

Weights = Callable[[AlignedMentions, Ints, Ints], Floats]
"""The weight of each row in its entity, given the entity of each row and the sizes of entities."""


def divides(metric: Metric) -> bool:
    """Whether the counts of a metric can be divided among mentions."""
    if metric.parts:
        return all(map(divides, metric.parts))
    return metric.name in _GAINS or metric.count is count_blanc


def contributions(mentions: AlignedMentions, metric: Metric) -> Floats:
    """Return what each row adds to each column of the counts of a metric."""
    if metric.parts:
        return np.concatenate([contributions(mentions, part) for part in metric.parts], axis=1)
    if metric.count is count_blanc:
        return _halves_of_links(mentions)
    sides: tuple[SideName, SideName] = ("key", "response")
    return np.concatenate([_of_side(mentions, metric, side) for side in sides], axis=1)


def _of_side(mentions: AlignedMentions, metric: Metric, side: SideName) -> Floats:
    """Return the numerator and the denominator of each row on one side."""
    entity, sizes = mentions.entities(side)
    found, possible = count_entities(metric, mentions.table, side)
    in_entity = entity != NOWHERE
    links = metric.name.endswith("muc")
    most = _later(mentions, entity, len(sizes)) if links else in_entity.astype(np.float64)
    gains = _GAINS[metric.name](mentions, entity, sizes)
    return np.stack(
        [_divide(found, gains, entity, in_entity), _divide(possible, most, entity, in_entity)],
        axis=1,
    )


def _divide(total: Floats, weight: Floats, entity: Ints, in_entity: Bools) -> Floats:
    """Divide a total of each entity among its rows by their weights."""
    weight = np.where(in_entity, weight, 0.0)
    weights = np.bincount(entity[in_entity], weight[in_entity], len(total))
    per_weight = np.divide(total, weights, out=np.zeros(len(total)), where=weights > 0)
    divided: Floats = weight * np.append(per_weight, 0.0)[entity]
    return divided


def _later(mentions: AlignedMentions, entity: Ints, entities: int) -> Floats:
    """Mark the rows that are not the first of their entity in the text."""
    later = entity != NOWHERE
    later[mentions.first_rows(entity, later, entities)] = False
    found: Floats = later.astype(np.float64)
    return found


def _found(mentions: AlignedMentions, _entity: Ints, _sizes: Ints) -> Floats:
    found: Floats = (mentions.cell != NOWHERE).astype(np.float64)
    return found


def _linked(mentions: AlignedMentions, _entity: Ints, _sizes: Ints) -> Floats:
    return _later(mentions, mentions.cell, len(mentions.table.count))


def _together(mentions: AlignedMentions, _entity: Ints, _sizes: Ints, *, itself: int) -> Floats:
    """Count the mentions together with each row; without itself, unless it is alone on both sides.

    An entity of one mention has a link to itself.
    """
    table = mentions.table
    together: Ints = np.append(table.count, 0)[mentions.cell] - (1 - itself)
    alone = (table.cell_key_size == 1) & (table.cell_res_size == 1)
    found = np.where(np.append(alone, False)[mentions.cell], 1.0, together)
    gains: Floats = np.where(mentions.cell == NOWHERE, 0.0, found)
    return gains


def _aligned(mentions: AlignedMentions, _entity: Ints, _sizes: Ints, *, phi: int) -> Floats:
    table = mentions.table
    chosen = best_alignment(table.cell_key, table.cell_res, similarity(table, phi))
    aligned: Floats = np.append(chosen, False)[mentions.cell].astype(np.float64)
    return aligned


_GAINS: dict[str, Weights] = {
    "mentions": _found,
    "muc": _linked,
    "b3": partial(_together, itself=1),
    "ceafm": partial(_aligned, phi=3),
    "ceafe": partial(_aligned, phi=4),
    "lea": partial(_together, itself=0),
    "pairwise": partial(_together, itself=0),
}


def _halves_of_links(mentions: AlignedMentions) -> Floats:
    """Return half of the links of each mention, in the columns of BLANC."""
    table, units = mentions.table, len(mentions.table.units)
    key, res, cell = mentions.key, mentions.res, mentions.cell
    both = cell != NOWHERE

    def others(entity: Ints, sizes: Ints, there: Bools) -> tuple[Floats, Floats]:
        """Count the other mentions in the entity, and outside it in the document."""
        inside = np.append(sizes, 1)[entity] - 1
        all_of = np.bincount(mentions.unit[there], minlength=units)[mentions.unit] - 1
        halves = np.stack([inside, all_of - inside]) / 2
        one, other = np.where(there, halves, 0.0)
        return one, other

    ck, nk = others(key, table.key_size, key != NOWHERE)
    cr, nr = others(res, table.res_size, res != NOWHERE)
    cc, _ = others(cell, table.count, both)
    shared = np.bincount(mentions.unit[both], minlength=units)[mentions.unit]
    kept = np.append(table.key_kept, 0)[key] + np.append(table.res_kept, 0)[res]
    apart = shared - kept + np.append(table.count, 0)[cell]
    nn = np.where(both, apart / 2, 0.0)
    return np.stack([ck, cr, cc, nk, nr, nn], axis=1)
