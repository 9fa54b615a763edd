"""The walk-throughs of metrics of single mentions: detection, zeros, bridging, non-referring."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from scoref.base.arrays import Bools, Ints
from scoref.corpus.spans import Spans, same_spans, shared_tokens
from scoref.explanation.blocks import Grid, GridColumns, Total
from scoref.explanation.explainer import Columns, Steps, show_groups
from scoref.explanation.expressions import ONE, exact_sum
from scoref.explanation.scene import Scene, SceneRows, position
from scoref.metrics.bridging import SIDES, common, ends_of
from scoref.metrics.mention_spans import align_by_overlap
from scoref.metrics.mentions import lenient_matches
from scoref.metrics.table import NOWHERE
from scoref.metrics.zero import classify

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


_VERDICTS = ("right", "wrong link", "missed", "spurious")
_ZERO = (
    "An anaphor is a zero that is not the first mention of its entity. A zero anaphor of the key"
    " is right if an earlier mention of its key entity is in its response entity. It is missed if"
    " the response lacks it or has it first in an entity, and a wrong link otherwise. A zero"
    " anaphor that only the response has is spurious."
)
_LINK = "A link leads from an anaphor to its anchor. "
_BRIDGING = {
    "anaphor": _LINK + "An anaphor is right if both sides have a link from it to any anchor.",
    "mention": _LINK + "It is right if the other side has a link from the same anaphor to the same"
    " mention.",
    "entity": _LINK + "It is right if the other side has a link from the same anaphor to the same"
    " mention, or to another mention of its key entity.",
}
_NON_REFERRING = "A mention that refers to nothing is right if the other side says so too."


def zero(steps: Steps) -> Columns:
    """Explain the score of zeros."""
    scene, verdicts = steps.scene, np.stack(classify(steps.scene.rows), axis=-1)
    rows = np.flatnonzero(verdicts.any(axis=1))
    columns: GridColumns = {
        "zero": scene.mention_cells(rows),
        **scene.pair_columns(scene.key[rows], scene.res[rows]),
    }
    steps.show(_ZERO)
    right, wrong, missed, spurious = _show_verdicts(
        steps, "Zero anaphors", columns, dict(zip(_VERDICTS, verdicts[rows].T, strict=True))
    )
    return right, right + wrong + missed, right, right + wrong + spurious


def _show_verdicts(
    steps: Steps, caption: str, columns: GridColumns, verdicts: Mapping[str, Bools]
) -> Columns:
    """Show anaphors with their verdicts; return how many have each verdict."""
    names = [
        " and ".join(name for name, yes in zip(verdicts, found, strict=True) if yes)
        for found in zip(*verdicts.values(), strict=True)
    ]
    steps.table(caption, {**columns, "verdict": names})
    numbers = tuple(Fraction(int(marked.sum())) for marked in verdicts.values())
    steps.show(Grid({"verdict": list(verdicts), "number": numbers}, "Verdicts"))
    return numbers


def bridging(steps: Steps, level: str = "entity") -> Columns:
    """Explain bridging at one of its levels."""
    scene = steps.scene
    ends = ends_of(scene.rows, level)
    found: list[list[str]] = []
    for side, links, right in zip(SIDES, ends, common(*ends), strict=True):
        anaphors, anchors = (_names(scene, spans) for spans in scene.rows.bridging(side))
        if level != "anaphor":
            anaphors = [" -> ".join(pair) for pair in zip(anaphors, anchors, strict=True)]
        alone = np.setdiff1d(links.at, right)
        found += [[anaphors[at] for at in rows.tolist()] for rows in (right, alone)]
    both, missing, _, spurious = found
    steps.show(_BRIDGING[level])
    return _compare(steps, "anaphors" if level == "anaphor" else "links", both, missing, spurious)


def nonreferring(steps: Steps) -> Columns:
    """Explain the score of non-referring mentions."""
    spans = [steps.scene.rows.non_referring(side) for side in SIDES]
    key, response = (
        dict(zip(numbers.tolist(), _names(steps.scene, of), strict=True))
        for numbers, of in zip(same_spans(*spans), spans, strict=True)
    )
    both = [name for number, name in key.items() if number in response]
    missing = [name for number, name in key.items() if number not in response]
    spurious = [name for number, name in response.items() if number not in key]
    steps.show(_NON_REFERRING)
    return _compare(steps, "mentions", both, missing, spurious)


def _names(scene: Scene, spans: Spans) -> list[str]:
    """Name mentions that need not be in an entity: by their tokens from 0, and words if known."""
    columns = (spans.start.tolist(), spans.end.tolist(), spans.unusual.tolist())
    return [
        scene.span(start, end, words=not unusual)
        for start, end, unusual in zip(*columns, strict=True)
    ]


def _compare(
    steps: Steps, title: str, both: list[str], missing: list[str], spurious: list[str]
) -> Columns:
    """Show what is on both sides, only in the key, and only in the response."""
    lists = (both, missing, spurious)
    columns: GridColumns = {
        title: ["on both sides", "only in the key", "only in the response"],
        "number": [len(names) for names in lists],
        "which": [steps.scene.listed(steps.scene.first(names), len(names)) for names in lists],
    }
    steps.show(Grid(columns))
    right, missed, wrong = (Fraction(len(names)) for names in lists)
    return right, right + missed, right, right + wrong
