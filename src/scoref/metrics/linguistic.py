"""Linguistically aware MUC, B³ and CEAF: a link is worth what it tells.

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

from scoref.base.arrays import Floats, Ints
from scoref.exceptions import UsageError
from scoref.metrics.base import About, Metric
from scoref.metrics.ceaf import total_by_unit
from scoref.metrics.needs import MENTION_TYPES
from scoref.metrics.parameters import positive
from scoref.metrics.types import best_types
from scoref.overlap.table import Table


class Weights(NamedTuple):
    """What Chen & Ng call w_c, w_k and w_s."""

    cell: Floats
    key: Floats
    response: Floats


def weigh(table: Table, by_type: Floats, singleton: float) -> Weights:
    """Weigh what is shared, key entities and response entities."""
    best = best_types(table)
    cell_tree = (table.count - 1) * by_type[best.cell]
    equal = (table.cell_key_size == 1) & (table.cell_res_size == 1)
    key_tree = (table.key_size - 1) * by_type[best.key]
    entities = len(table.res_size)
    in_cells = np.bincount(table.cell_res, weights=cell_tree, minlength=entities)
    parts = np.bincount(table.cell_res, minlength=entities) + table.res_size - table.res_kept
    response_tree = in_cells + (parts - 1) * by_type[best.response]
    return Weights(
        np.where(equal, singleton, cell_tree),
        np.where(table.key_size == 1, singleton, key_tree),
        np.where(table.res_size == 1, singleton, response_tree),
    )


def _muc(table: Table, weights: Weights) -> list[Floats]:
    common = table.sum_cells(weights.cell)
    return [common, table.sum_keys(weights.key), common, table.sum_responses(weights.response)]


def _b_cubed(table: Table, weights: Weights) -> list[Floats]:
    recall = table.count * weights.cell / weights.key[table.cell_key]
    precision = table.count * weights.cell / weights.response[table.cell_res]
    return [
        table.sum_cells(recall),
        table.sum_keys(table.key_size),
        table.sum_cells(precision),
        table.sum_responses(table.res_size),
    ]


def _ceaf_m(table: Table, weights: Weights) -> list[Floats]:
    gain = total_by_unit(table, weights.cell)
    return [gain, table.sum_keys(weights.key), gain, table.sum_responses(weights.response)]


def _ceaf_e(table: Table, weights: Weights) -> list[Floats]:
    both = weights.key[table.cell_key] + weights.response[table.cell_res]
    gain = total_by_unit(table, 2 * weights.cell / both)
    return [gain, table.sum_keys(_ones(table.key_size)), gain,
            table.sum_responses(_ones(table.res_size))]  # fmt: skip


def _ones(sizes: Ints) -> Floats:
    return np.ones(len(sizes))


_MEASURES = {"lmuc": _muc, "lb3": _b_cubed, "lceafm": _ceaf_m, "lceafe": _ceaf_e}
_FORMULAS = {
    "lmuc": "R = sum of w_c / sum of w_k, P = sum of w_c / sum of w_s",
    "lb3": "R = mean over key mentions of w_c / w_k, P = mean over response mentions of w_c / w_s",
    "lceafm": "best one-to-one total of w_c, over the sum of w_k (R) and of w_s (P)",
    "lceafe": "best one-to-one total of 2 w_c / (w_k + w_s), over the number of entities",
}


def linguistic(
    name: str, nam: float = 1.0, nom: float = 0.75, pro: float = 0.5, sing: float = 1.0
) -> Metric:
    """Make one of Chen and Ng's measures with the given weights."""
    positive(name, nam=nam, nom=nom, pro=pro, sing=sing)
    if not nam >= nom >= pro:
        raise UsageError(
            f"{name} has no weights nam={nam:g}, nom={nom:g}, pro={pro:g}",
            "a link to a name weighs at least as much as one to a nominal, and this one as much"
            " as one between pronouns",
        )
    by_type = np.array([nam, nom, pro])

    def count(table: Table) -> Floats:
        return np.stack(_MEASURES[name](table, weigh(table, by_type, sing)), axis=-1)

    return Metric(
        name=name,
        count=count,
        symmetric=False,
        needs=frozenset({MENTION_TYPES}),
        about=About(
            title=f"Linguistically aware {name[1:].upper().replace('B3', 'B³')}",
            formula=f"{_FORMULAS[name]}; weights are spanning trees of links worth nam, nom or pro"
            " by the best type they touch, sing for a singleton",
            paper="Chen & Ng 2013",
            rewards="links to names more than links to nominals, these more than pronouns alone",
            ignores=f"what {name[1:]} ignores",
        ),
    )
