"""The walk-through of named entity coreference, as scoref reconstructs it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from scoref.explanation.blocks import Block
from scoref.explanation.ceaf import aligned_cells, pair_table
from scoref.explanation.explainer import Counted, Explainer, Scored, score_alone
from scoref.explanation.expressions import ZERO, Number, Over, exact_sum
from scoref.explanation.scene import Scene
from scoref.explanation.types import types
from scoref.overlap.table import NAME

_TEXT = (
    "Only key entities with a name count. A response entity can be aligned with one of them if"
    " they share a name; a pair that shares n mentions, a name among them, is worth"
    " 2n/(|k| + |r|), any other nothing. The best one-to-one total is divided by the number of"
    " key entities with a name. A reconstruction: the paper's formula could not be checked."
)


def nec() -> Explainer:
    """Explain named entity coreference."""
    return Explainer(_count, _score)


def _count(scene: Scene) -> Counted:
    kind_of = scene.rows.type.tolist()
    table = scene.table

    def has_name(rows: list[int]) -> bool:
        return any(kind_of[row] == NAME for row in rows)

    sizes = zip(
        table.count.tolist(),
        table.cell_key_size.tolist(),
        table.cell_res_size.tolist(),
        strict=True,
    )
    worth = [
        Fraction(2 * n, k + r) if has_name(rows) else ZERO
        for rows, (n, k, r) in zip(scene.cell_members, sizes, strict=True)
    ]
    chosen = aligned_cells(scene, worth)
    named = {at for at, rows in enumerate(scene.key_members) if has_name(rows)}
    found = {int(table.cell_key[cell]) for cell, yes in enumerate(chosen) if yes}
    missed = [scene.keys[at] for at in sorted(named - found)]
    names = [scene.keys[at] for at in sorted(named)]
    blocks: list[Block] = [
        _TEXT,
        types(scene),
        _listed("Key entities with a name", names, scene.limit),
    ]
    blocks += pair_table(scene, worth, chosen, "Pairs of entities")
    if missed:
        blocks.append(_listed("Of these, not aligned", missed, scene.limit))
    total = exact_sum(value for value, yes in zip(worth, chosen, strict=True) if yes)
    return Counted((total, Fraction(len(named)), Fraction(len(missed))), blocks)


def _listed(what: str, names: list[str], limit: int) -> str:
    shown = ", ".join(names[:limit] if limit else names) or "none"
    more = len(names) - limit if limit and len(names) > limit else 0
    return f"{what}: {shown}{f', and {more} more' if more else ''}."


def _score(columns: Sequence[Number], undefined: str) -> Scored:
    total, named, _ = columns
    return score_alone("F1", Over(total, named), undefined)
