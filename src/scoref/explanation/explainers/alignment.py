"""One-to-one alignments of entities and of mentions, chosen as the metrics choose them."""

from __future__ import annotations

import numpy as np

from scoref.assignment.solver import best_alignment
from scoref.base.arrays import Bools, Ints, pack
from scoref.explanation.blocks import Block, Total
from scoref.explanation.expressions import ZERO, Fractions, Number, choose, exact_sum
from scoref.explanation.scene import Scene


def best_pairs(one: Ints, other: Ints, worth: Fractions) -> Bools:
    """Mark the pairs of the best one-to-one alignment."""
    return best_alignment(one, other, worth.astype(np.float64))


def best_inside(pair: Ints, one: Ints, other: Ints, gain: Fractions) -> Bools:
    """Mark the mentions of the best one-to-one matching inside each pair of entities."""
    return best_pairs(pack(pair, one), pack(pair, other), gain)


def distinct_pairs(one: Ints, other: Ints) -> tuple[Ints, Ints, Ints]:
    """Return the distinct pairs of entities in their order, and the number of each pair."""
    _, first, pair = np.unique(pack(one, other), return_index=True, return_inverse=True)
    return one[first], other[first], pair


def only_chosen(worth: Fractions, chosen: Bools) -> Total:
    """Make the column that has the worth of the chosen pairs alone, and its sum."""
    return Total(choose(chosen, worth, None))


def chosen_first(worth: Fractions, chosen: Bools) -> Fractions:
    """Weigh rows so that, if not all are shown, the chosen ones come first."""
    heaviest = max(map(abs, worth), default=ZERO) + 1
    return choose(chosen, np.abs(worth) + heaviest, np.abs(worth))


def align_cells(
    scene: Scene, worth: Fractions, purpose: str = "", title: str = "worth"
) -> tuple[Block, Number]:
    """Align the entities of cells; show the pairs, and return the total of the best alignment."""
    table = scene.table
    n, k, r = scene.cell_sizes
    chosen = best_pairs(table.cell_key, table.cell_res, worth)
    columns = {**scene.cell_columns(), "|k|": k, "|r|": r, title: worth}
    columns["aligned"] = only_chosen(worth, chosen)
    pairs = scene.grid(columns, f"Pairs of entities{purpose}", chosen_first(n, chosen))
    return pairs, exact_sum(worth[chosen])
