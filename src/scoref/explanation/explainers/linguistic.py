"""The walk-throughs of linguistically aware MUC, B³ and CEAF: weights of spanning trees."""

from __future__ import annotations

from fractions import Fraction

from scoref.base.arrays import Ints
from scoref.corpus.attributes import MENTION_TYPES
from scoref.explanation.blocks import GridColumns, Total
from scoref.explanation.entities import show_types
from scoref.explanation.explainer import Columns, Steps
from scoref.explanation.explainers.alignment import align_cells
from scoref.explanation.expressions import (
    Fractions,
    Number,
    choose,
    decimal,
    decimals,
    exact_sum,
    sum_groups,
    written,
)
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
_ALIKE = "2 w_c/(w_k + w_s)"
_USE = {
    "lmuc": "Recall is the sum of w_c over that of w_k, precision over that of w_s.",
    "lb3": "Each of the n mentions that a pair of entities shares adds w_c/w_k to recall and"
    " w_c/w_s to precision, which are divided by the number of key mentions and of response"
    " mentions.",
    "lceafm": "Entities are aligned one to one so that the total of w_c is greatest. Recall divides"
    " the total by the sum of w_k, precision by the sum of w_s.",
    "lceafe": f"Entities are aligned one to one so that the total of {_ALIKE} is greatest. Recall"
    " divides the total by the number of key entities, precision by the number of response"
    " entities.",
}


def linguistic(  # noqa: PLR0917  # as the metrics
    steps: Steps,
    metric: str,
    nam: float = 1.0,
    nom: float = 0.75,
    pro: float = 0.5,
    sing: float = 1.0,
) -> Columns:
    """Explain one of the four metrics with some weights."""
    weights = {"nam": nam, "nom": nom, "pro": pro, "sing": sing}
    steps.show(_TEXT.format(**{name: written(weight) for name, weight in weights.items()}))
    show_types(steps)
    scene, table = steps.scene, steps.scene.table
    best, by_type, single = best_types(table), decimals((nam, nom, pro)), decimal(sing)
    (n, k, r), (key, response) = scene.cell_sizes, scene.sides
    trees = (n - 1) * by_type[best.cell]
    inside = sum_groups(table.cell_res, trees, len(response.names))
    connected = inside + (response.parts - 1) * by_type[best.response]
    w_k = choose(key.sizes == 1, single, (key.sizes - 1) * by_type[best.key])
    w_s = choose(response.sizes == 1, single, connected)
    w_c = choose((k == 1) & (r == 1), single, trees)
    of_key: GridColumns = {"entity": key.names, "n": key.sizes}
    of_response: GridColumns = {"entity": response.names, "n": response.sizes}
    of_response |= {"parts": response.parts, "trees of the parts": inside}
    keys = _show(steps, "the entities of the key", of_key, best.key, {"w_k": w_k})
    what = "the entities of the response"
    responses = _show(steps, what, of_response, best.response, {"w_s": w_s})
    shared = _show(steps, "what is shared", scene.cell_columns(), best.cell, {"w_c": w_c})
    steps.show(_USE[metric])
    w_k, w_s = w_k[table.cell_key], w_s[table.cell_res]
    if metric == "lb3":
        columns: GridColumns = {
            **scene.cell_columns(),
            "w_c": w_c,
            "w_k": w_k,
            "n w_c/w_k": Total(n * w_c / w_k),
            "w_s": w_s,
            "n w_c/w_s": Total(n * w_c / w_s),
        }
        recall, precision = steps.table("Terms of recall and precision", columns, n)
        return recall, exact_sum(key.sizes), precision, exact_sum(response.sizes)
    if metric == "lceafm":
        shared = align_cells(steps, w_c, title="w_c")
    elif metric == "lceafe":
        shared = align_cells(steps, 2 * w_c / (w_k + w_s), title=_ALIKE)
        keys, responses = Fraction(len(key.names)), Fraction(len(response.names))
    return shared, keys, shared, responses


def _show(
    steps: Steps, what: str, columns: GridColumns, types: Ints, weights: dict[str, Fractions]
) -> Number:
    """Show the weights of entities or of what they share; return their sum."""
    ((sign, values),) = weights.items()
    names = [MENTION_TYPES[kind] for kind in types.tolist()]
    columns = {**columns, "best type": names, sign: Total(values)}
    (total,) = steps.table(f"Weights of {what}", columns, values)
    return total
