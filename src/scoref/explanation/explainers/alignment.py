"""One-to-one alignments of entities and of mentions, chosen as the metrics choose them."""

from __future__ import annotations

import numpy as np

from scoref.base.arrays import Bools, Ints
from scoref.explanation.blocks import GridColumns, Total
from scoref.explanation.explainer import Steps
from scoref.explanation.expressions import ZERO, Fractions, Number, choose
from scoref.metrics.assignment.solver import best_alignment


def best_pairs(one: Ints, other: Ints, worth: Fractions) -> Bools:
    """Mark the pairs of the best one-to-one alignment."""
    return best_alignment(one, other, worth.astype(np.float64))


def chosen_first(worth: Fractions, chosen: Bools) -> Fractions:
    """Weigh rows so that, if not all are shown, the chosen ones come first."""
    heaviest = max(map(abs, worth), default=ZERO) + 1
    return choose(chosen, np.abs(worth) + heaviest, np.abs(worth))


def show_chosen(
    steps: Steps,
    caption: str,
    columns: GridColumns,
    worth: Fractions,
    chosen: Bools,
    *,
    weight: Fractions | None = None,
    title: str = "aligned",
) -> Number:
    """Show pairs; the worth of the chosen ones is in a column of its own, whose sum is returned."""
    columns = {**columns, title: Total(choose(chosen, worth, None))}
    (total,) = steps.table(
        caption, columns, chosen_first(worth if weight is None else weight, chosen)
    )
    return total


def align_cells(steps: Steps, worth: Fractions, purpose: str = "", title: str = "worth") -> Number:
    """Align the entities of cells; show the pairs, and return the total of the best alignment."""
    table, (n, k, r) = steps.scene.table, steps.scene.cell_sizes
    chosen = best_pairs(table.cell_key, table.cell_res, worth)
    columns = {**steps.scene.cell_columns(), "|k|": k, "|r|": r, title: worth}
    return show_chosen(steps, f"Pairs of entities{purpose}", columns, worth, chosen, weight=n)
