"""The walk-throughs of linguistically aware MUC, B³ and CEAF: weights of spanning trees."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from scoref.corpus.attributes import MENTION_TYPES
from scoref.explanation.blocks import Block, GridColumns, Total
from scoref.explanation.entities import type_table
from scoref.explanation.explainer import Columns, CountedTerms, Explainer
from scoref.explanation.explainers.alignment import align_cells
from scoref.explanation.expressions import (
    Fractions,
    choose,
    decimal,
    decimals,
    exact_sum,
    sum_groups,
    written,
)
from scoref.explanation.scene import Scene
from scoref.metrics.types import best_types

_TEXT = (
    "A link weighs {nam} if it touches a name, else {nom} if it touches a nominal, else {pro}. An"
    " entity of one mention weighs {sing}, and so does what two such entities share. The heaviest"
    " tree that connects n mentions has n - 1 links, each worth the best type among the mentions."
    " It is the weight w_k of a key entity, and the weight w_c of the mentions that a pair of"
    " entities shares. The weight w_s of a response entity is the weight of the trees of its parts"
    " that lie in one key entity each, plus the weight of a tree that connects these parts; each"
    " link of this tree is worth the best type of the entity. A mention that the key lacks is a"
    " part of its own."
)
_MUC = "Recall is the sum of w_c over that of w_k, precision over that of w_s."
_MEAN = (
    "Each of the n mentions that a pair of entities shares adds w_c/w_k to recall and w_c/w_s to"
    " precision, which are divided by the number of key mentions and of response mentions."
)
_CEAF_M = (
    "Entities are aligned one to one so that the total of w_c is greatest. Recall divides the"
    " total by the sum of w_k, precision by the sum of w_s."
)
_ALIKE = "2 w_c/(w_k + w_s)"
_CEAF_E = (
    f"Entities are aligned one to one so that the total of {_ALIKE} is greatest. Recall divides"
    " the total by the number of key entities, precision by the number of response entities."
)


class ExactTreeWeights(NamedTuple):
    """What Chen & Ng call w_c, w_k and w_s."""

    cell: Fractions
    key: Fractions
    response: Fractions

    @property
    def sums(self) -> Columns:
        """The sums of w_k and of w_s."""
        return exact_sum(self.key), exact_sum(self.response)


def linguistic(metric: str) -> Callable[..., Explainer]:
    """Return what explains one of the four metrics with some weights."""

    def explain(
        nam: float = 1.0, nom: float = 0.75, pro: float = 0.5, sing: float = 1.0
    ) -> Explainer:
        by_type, single = decimals((nam, nom, pro)), decimal(sing)
        text = _TEXT.format(
            nam=written(nam), nom=written(nom), pro=written(pro), sing=written(sing)
        )

        def count(scene: Scene) -> CountedTerms:
            weights, tables = _weigh(scene, by_type, single)
            columns, blocks = _METRICS[metric](scene, weights)
            return CountedTerms(columns, [text, type_table(scene), *tables, *blocks])

        return Explainer(count)

    return explain


def _weigh(
    scene: Scene, by_type: Fractions, single: Fraction
) -> tuple[ExactTreeWeights, list[Block]]:
    """Weigh what is shared, key entities and response entities, and show it."""
    best = best_types(scene.table)
    n, k, r = scene.cell_sizes
    key, response = scene.sides
    trees = (n - 1) * by_type[best.cell]
    inside = sum_groups(scene.table.cell_res, trees, len(response.names))
    connected = inside + (response.parts - 1) * by_type[best.response]
    weights = ExactTreeWeights(
        choose((k == 1) & (r == 1), single, trees),
        choose(key.sizes == 1, single, (key.sizes - 1) * by_type[best.key]),
        choose(response.sizes == 1, single, connected),
    )
    of_key: GridColumns = {"entity": key.names, "n": key.sizes}
    of_response: GridColumns = {"entity": response.names, "n": response.sizes}
    of_response |= {"parts": response.parts, "trees of the parts": inside}
    shown = (
        ("the entities of the key", of_key, best.key, "w_k", weights.key),
        ("the entities of the response", of_response, best.response, "w_s", weights.response),
        ("what is shared", scene.cell_columns(), best.cell, "w_c", weights.cell),
    )
    tables: list[Block] = []
    for what, columns, types, sign, values in shown:
        names = [MENTION_TYPES[kind] for kind in types.tolist()]
        columns |= {"best type": names, sign: Total(values)}
        tables.append(scene.grid(columns, f"Weights of {what}", values))
    return weights, tables


Counting = Callable[[Scene, ExactTreeWeights], tuple[Columns, list[Block]]]


def _muc(_: Scene, weights: ExactTreeWeights) -> tuple[Columns, list[Block]]:
    common, (keys, responses) = exact_sum(weights.cell), weights.sums
    return (common, keys, common, responses), [_MUC]


def _b_cubed(scene: Scene, weights: ExactTreeWeights) -> tuple[Columns, list[Block]]:
    table, n = scene.table, scene.cell_sizes[0]
    w_c, w_k, w_s = weights.cell, weights.key[table.cell_key], weights.response[table.cell_res]
    recall, precision = n * w_c / w_k, n * w_c / w_s
    columns: GridColumns = {
        **scene.cell_columns(),
        "w_c": w_c,
        "w_k": w_k,
        "n w_c/w_k": Total(recall),
        "w_s": w_s,
        "n w_c/w_s": Total(precision),
    }
    keys, responses = (exact_sum(side.sizes) for side in scene.sides)
    terms = scene.grid(columns, "Terms of recall and precision", n)
    return (exact_sum(recall), keys, exact_sum(precision), responses), [_MEAN, terms]


def _ceaf_m(scene: Scene, weights: ExactTreeWeights) -> tuple[Columns, list[Block]]:
    pairs, total = align_cells(scene, weights.cell, title="w_c")
    keys, responses = weights.sums
    return (total, keys, total, responses), [_CEAF_M, pairs]


def _ceaf_e(scene: Scene, weights: ExactTreeWeights) -> tuple[Columns, list[Block]]:
    table = scene.table
    both = weights.key[table.cell_key] + weights.response[table.cell_res]
    pairs, total = align_cells(scene, 2 * weights.cell / both, title=_ALIKE)
    keys, responses = Fraction(len(weights.key)), Fraction(len(weights.response))
    return (total, keys, total, responses), [_CEAF_E, pairs]


_METRICS: dict[str, Counting] = {
    "lmuc": _muc,
    "lb3": _b_cubed,
    "lceafm": _ceaf_m,
    "lceafe": _ceaf_e,
}
