"""The walk-throughs of mention detection: strict, lenient, and by shared tokens."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from scoref.base.arrays import Ints
from scoref.explanation.blocks import Block, GridColumns, Total
from scoref.explanation.entities import group_table
from scoref.explanation.explainer import CountedTerms, Explainer
from scoref.explanation.expressions import ONE, exact_sum, fractions
from scoref.explanation.scene import Scene, position
from scoref.metrics.mention_overlap import align
from scoref.metrics.mentions import lenient_matches
from scoref.overlap.table import NOWHERE

_STRICT = (
    "Recall is the share of the key's mentions that the response has. Precision is the share of"
    " the response's mentions that the key has. The entity of a mention does not matter."
)
_LENIENT = (
    "A mention that both sides have counts 1. Another response mention is taken for a key mention"
    " if it has all of the key mention's head, or of its minimal span if it has one, and no token"
    " outside the key mention. Such a pair counts {credit}. Response mentions choose in the order"
    " of the text, longer ones first. Each takes the key mention that is left with which it shares"
    " most tokens. Recall is divided by the number of key mentions, precision by the number of"
    " response mentions."
)
_OVERLAP = (
    "Key and response mentions are aligned one to one so that they share as many tokens as"
    " possible. Recall is divided by the tokens of all key mentions, precision by those of all"
    " response mentions. A token counts once for each mention that it is in."
)


def mentions(match: str = "strict", credit: str = "1") -> Explainer:
    """Explain mention detection, strict or lenient."""
    worth = ONE / 2 if credit == "half" else ONE

    def count(scene: Scene) -> CountedTerms:
        in_key, in_response = scene.key != NOWHERE, scene.res != NOWHERE
        groups = {
            "on both sides": np.flatnonzero(in_key & in_response),
            "only in the key": np.flatnonzero(in_key & ~in_response),
            "only in the response": np.flatnonzero(~in_key & in_response),
        }
        blocks: list[Block] = [_STRICT]
        right = Fraction(len(groups["on both sides"]))
        if match == "lenient":
            key, response = lenient_matches(scene.rows)
            right += worth * len(key)
            both, missing, spurious = groups.values()
            groups = {
                "on both sides": both,
                "taken for a key mention": response,
                "only in the key": np.setdiff1d(missing, key),
                "only in the response": np.setdiff1d(spurious, response),
            }
            blocks = [_LENIENT.format(credit=worth)]
            blocks += [_taken_table(scene, key, response, worth)] if len(key) else []
        rows = {name: found.tolist() for name, found in groups.items()}
        blocks.append(group_table(scene, "mentions", rows))
        keys, responses = Fraction(int(in_key.sum())), Fraction(int(in_response.sum()))
        return CountedTerms((right, keys, right, responses), blocks)

    return Explainer(count)


def _taken_table(scene: Scene, key: Ints, response: Ints, credit: Fraction) -> Block:
    """Show which response mention is taken for which key mention."""
    in_key, in_response = scene.rows.spans("key"), scene.rows.spans("response")
    shared = [
        len(in_key.tokens(one) & in_response.tokens(other))
        for one, other in zip(key.tolist(), response.tolist(), strict=True)
    ]
    columns: GridColumns = {
        "response": scene.mention_cells(response),
        "key": scene.mention_cells(key),
        "must have": [_required(scene, row) for row in key.tolist()],
        "shared tokens": shared,
        "counts": Total([credit] * len(shared)),
    }
    return scene.grid(columns, "Response mentions that are taken for key mentions", shared)


def _required(scene: Scene, row: int) -> str:
    """Write the minimal span of a key mention, or else its head."""
    for what in ("min", "head"):
        ends = [scene.rows.attribute("key", f"{what}_{end}") for end in ("start", "end")]
        start, end = (NOWHERE if column is None else int(column[row]) for column in ends)
        if start != NOWHERE:
            return position(start, end)
    return "-"


def mor() -> Explainer:
    """Explain the mention overlap ratio."""
    return Explainer(_count_tokens)


def _count_tokens(scene: Scene) -> CountedTerms:
    found = align(scene.rows)
    columns: GridColumns = {
        "key mention": scene.mention_cells(found.key),
        "response mention": scene.mention_cells(found.response),
        "shared tokens": Total(found.shared),
    }
    keys, responses = (
        Fraction(int(sizes.sum())) for sizes in (found.key_sizes, found.response_sizes)
    )
    total = exact_sum(fractions(found.shared))
    table = scene.grid(columns, "Aligned mentions", found.shared)
    sizes = f"Tokens of key mentions: {keys}; of response mentions: {responses}."
    return CountedTerms((total, keys, total, responses), [_OVERLAP, table, sizes])
