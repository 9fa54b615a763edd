"""Best one-to-one matchings of mentions inside pairs of entities."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scoref.assignment.solver import best_alignment
from scoref.base.arrays import pack


def best_inside(
    pair: Sequence[int], one: Sequence[int], other: Sequence[int], gain: Sequence[float]
) -> list[bool]:
    """Mark the edges of the matching of greatest gain, in each pair of entities on its own.

    An edge joins the mentions `one` and `other`, and belongs to a `pair` of entities.
    """
    pairs, ones, others = (np.array(column, dtype=np.int64) for column in (pair, one, other))
    weights = np.array(gain, dtype=np.float64)
    chosen: list[bool] = best_alignment(pack(pairs, ones), pack(pairs, others), weights).tolist()
    return chosen
