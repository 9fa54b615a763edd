"""Linguistically aware MUC, B³ and CEAF: a link to a name weighs more than a link to a pronoun.

Chen & Ng (2013). A link that touches a name weighs `nam`, else one that touches a nominal
`nom`, else `pro`; an entity of one mention weighs `sing`. What connects a set of mentions is
its heaviest spanning tree: one link fewer than mentions, each worth the best type in the set,
since a mention of that type can be linked to all others and weights fall with the type.

    w_c(k, r)  tree of what k and r share; `sing` if both are the same single mention
    w_k(k)     tree of k, or `sing`
    w_s(r)     `sing`, or the trees of the parts of r that lie in one key entity each, and a
               tree that connects these parts; a mention that the key lacks is its own part

MUC, B³ and CEAF then use these weights where they used numbers of links or mentions. Weights
of the response depend on the key, so recall and precision are not each other's mirror image.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Floats
from scoref.exceptions import UsageError
from scoref.metrics.base import About, Metric, ratio_counts
from scoref.metrics.ceaf import count_gain
from scoref.metrics.needs import TYPES
from scoref.metrics.single_mentions import best_types
from scoref.metrics.table import Table


class TreeWeights(NamedTuple):
    """The weights that Chen & Ng call w_c, w_k and w_s."""

    cell: Floats
    key: Floats
    response: Floats


def weigh(table: Table, by_type: Floats, singleton: float) -> TreeWeights:
    """Weigh the shared mentions of each cell, key entities and response entities."""
    best = best_types(table)
    cell_tree = (table.count - 1) * by_type[best.cell]
    equal = (table.cell_key_size == 1) & (table.cell_res_size == 1)
    key_tree = (table.key_size - 1) * by_type[best.key]
    entities = len(table.res_size)
    in_cells = np.bincount(table.cell_res, weights=cell_tree, minlength=entities)
    parts = np.bincount(table.cell_res, minlength=entities) + table.res_size - table.res_kept
    response_tree = in_cells + (parts - 1) * by_type[best.response]
    return TreeWeights(
        np.where(equal, singleton, cell_tree),
        np.where(table.key_size == 1, singleton, key_tree),
        np.where(table.res_size == 1, singleton, response_tree),
    )


def _count_muc(table: Table, weights: TreeWeights) -> Floats:
    kept = table.sum_cells(weights.cell)
    return ratio_counts(table, kept, weights.key, kept, weights.response)


def _count_b_cubed(table: Table, weights: TreeWeights) -> Floats:
    recall = table.sum_cells(table.count * weights.cell / weights.key[table.cell_key])
    precision = table.sum_cells(table.count * weights.cell / weights.response[table.cell_res])
    return ratio_counts(table, recall, table.key_size, precision, table.res_size)


def _count_ceaf_m(table: Table, weights: TreeWeights) -> Floats:
    gain = table.sum_aligned(weights.cell)
    return ratio_counts(table, gain, weights.key, gain, weights.response)


def _count_ceaf_e(table: Table, weights: TreeWeights) -> Floats:
    both = weights.key[table.cell_key] + weights.response[table.cell_res]
    return count_gain(table, table.sum_aligned(2 * weights.cell / both), by_size=False)


_COUNT = {
    "lmuc": _count_muc,
    "lb3": _count_b_cubed,
    "lceafm": _count_ceaf_m,
    "lceafe": _count_ceaf_e,
}
_FORMULAS = {
    "lmuc": "R = sum of w_c / sum of w_k, P = sum of w_c / sum of w_s",
    "lb3": "R = mean over key mentions of w_c / w_k, P = mean over response mentions of w_c / w_s",
    "lceafm": "best one-to-one total of w_c, over the sum of w_k (R) and of w_s (P)",
    "lceafe": "best one-to-one total of 2 w_c / (w_k + w_s), over the number of entities",
}


def linguistic(
    name: str, nam: float = 1.0, nom: float = 0.75, pro: float = 0.5, sing: float = 1.0
) -> Metric:
    """Return one of Chen and Ng's metrics with some weights."""
    for weight, value in {"nam": nam, "nom": nom, "pro": pro, "sing": sing}.items():
        if not value > 0:
            raise UsageError(
                f"{name} has no {weight}={value:g}: a weight must be above zero",
                f"use a very small weight such as {weight}=1e-20",
            )
    if not nam >= nom >= pro:
        raise UsageError(
            f"{name} has no weights nam={nam:g}, nom={nom:g}, pro={pro:g}",
            "use weights with nam >= nom >= pro",
        )
    by_type = np.array([nam, nom, pro])

    def count(table: Table) -> Floats:
        return _COUNT[name](table, weigh(table, by_type, sing))

    return Metric(
        name=name,
        count=count,
        symmetric=False,
        needs=frozenset({TYPES}),
        about=About(
            title=f"Linguistically aware {name[1:].upper().replace('B3', 'B³')}",
            formula=f"{_FORMULAS[name]}; weights are spanning trees of links worth nam, nom or pro"
            " by the best type they touch, sing for a singleton",
            paper="Chen & Ng 2013",
            rewards="links to names more than links to nominals, and these more than links between"
            " pronouns",
            ignores=f"what {name[1:]} ignores",
        ),
    )
