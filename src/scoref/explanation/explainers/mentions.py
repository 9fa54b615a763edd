"""The walk-throughs of mention detection: strict, lenient, and by shared tokens."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from scoref.base.arrays import Ints
from scoref.corpus.spans import shared_tokens
from scoref.explanation.blocks import GridColumns, Total
from scoref.explanation.explainer import Columns, Steps, show_groups
from scoref.explanation.expressions import ONE, exact_sum
from scoref.explanation.scene import SceneRows, position
from scoref.metrics.mention_spans import align_by_overlap
from scoref.metrics.mentions import lenient_matches
from scoref.metrics.table import NOWHERE

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


def mentions(steps: Steps, match: str = "strict", credit: str = "1") -> Columns:
    """Explain mention detection, strict or lenient."""
    scene = steps.scene
    in_key, in_response = scene.key != NOWHERE, scene.res != NOWHERE
    both, missing, spurious = (
        np.flatnonzero(rows)
        for rows in (in_key & in_response, in_key & ~in_response, ~in_key & in_response)
    )
    right, taken = Fraction(len(both)), {}
    if match == "lenient":
        worth = ONE / 2 if credit == "half" else ONE
        steps.show(_LENIENT.format(credit=worth))
        key, response = lenient_matches(scene.rows)
        right += worth * len(key)
        missing, spurious = np.setdiff1d(missing, key), np.setdiff1d(spurious, response)
        taken = {"taken for a key mention": response}
        if len(key):
            _show_taken(steps, key, response, worth)
    else:
        steps.show(_STRICT)
    alone = {"only in the key": missing, "only in the response": spurious}
    show_groups(steps, "mentions", {"on both sides": both, **taken, **alone})
    return right, Fraction(int(in_key.sum())), right, Fraction(int(in_response.sum()))


def _show_taken(steps: Steps, key: Ints, response: Ints, credit: Fraction) -> None:
    """Show which response mention is taken for which key mention."""
    rows = steps.scene.rows
    shared = shared_tokens(rows.spans("key").where(key), rows.spans("response").where(response))
    columns: GridColumns = {
        "response": steps.scene.mention_cells(response),
        "key": steps.scene.mention_cells(key),
        "must have": [_required(rows, row) for row in key.tolist()],
        "shared tokens": shared,
        "counts": Total([credit] * len(shared)),
    }
    steps.table("Response mentions that are taken for key mentions", columns, shared)


def _required(rows: SceneRows, row: int) -> str:
    """Write the minimal span of a key mention, or else its head."""
    for what in ("min", "head"):
        ends = [rows.attribute("key", f"{what}_{end}") for end in ("start", "end")]
        start, end = (NOWHERE if column is None else int(column[row]) for column in ends)
        if start != NOWHERE:
            return position(start, end)
    return "-"


def mor(steps: Steps) -> Columns:
    """Explain the mention overlap ratio."""
    steps.show(_OVERLAP)
    found = align_by_overlap(steps.scene.rows)
    columns: GridColumns = {
        "key mention": steps.scene.mention_cells(found.key),
        "response mention": steps.scene.mention_cells(found.response),
        "shared tokens": Total(found.shared),
    }
    (shared,) = steps.table("Aligned mentions", columns, found.shared)
    keys, responses = exact_sum(found.key_sizes), exact_sum(found.response_sizes)
    steps.show(f"Tokens of key mentions: {keys}; of response mentions: {responses}.")
    return shared, keys, shared, responses
