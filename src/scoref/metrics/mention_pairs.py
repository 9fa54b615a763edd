"""Steps that metrics share which match single mentions before they align entities."""

from __future__ import annotations

import numpy as np

from scoref.base.arrays import Floats, Ints, sum_by
from scoref.metrics.assignment.solver import best_alignment
from scoref.metrics.table import NOWHERE, MentionRows, Side


def mentions_of(rows: MentionRows, side: Side) -> Ints:
    """Return the rows of the mentions that a side has."""
    return np.flatnonzero((rows.key if side == "key" else rows.res) != NOWHERE)


def group_pairs(one: Ints, other: Ints) -> tuple[Ints, Ints, Ints]:
    """Return the distinct pairs of two columns, sorted, and the number of each row's pair."""
    width = int(other.max(initial=0)) + 1
    codes, pair = np.unique(one * width + other, return_inverse=True)
    return codes // width, codes % width, pair


def best_totals_within(pair: Ints, pairs: int, key: Ints, response: Ints, worth: Floats) -> Floats:
    """Return the best one-to-one total of mentions within each pair of entities."""
    row, column = group_pairs(pair, key)[2], group_pairs(pair, response)[2]
    chosen = best_alignment(row, column, worth)
    return sum_by(pair[chosen], worth[chosen], pairs)
