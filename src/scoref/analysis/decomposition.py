"""Metrics as sums over entities: what each entity adds to a metric, and the weights of mentions.

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
from scoref.assignment.solver import best_alignment
from scoref.base.arrays import Floats, Ints
from scoref.metrics import Metric
from scoref.metrics.ceaf import similarity
from scoref.overlap.table import NOWHERE, Side, Table


def decomposes(metric: Metric) -> bool:
    """Whether the loss of a metric is a sum over entities."""
    if metric.parts:
        return all(decomposes(part) for part in metric.parts)
    return metric.name in WEIGHTS


@dataclass(frozen=True, slots=True, eq=False)
class EntityTable(Table):
    """A table in which each entity of one side is a unit."""

    side: Side = "key"

    @property
    def cell_unit(self) -> Ints:
        """The entity of each cell."""
        return self.cell_key if self.side == "key" else self.cell_res


def count_entities(metric: Metric, table: Table, side: Side) -> tuple[Floats, Floats]:
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
