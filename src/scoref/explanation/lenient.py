"""The walk-through of lenient mention detection: which mention was taken for which."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Ints
from scoref.corpus.spans import Spans, overlapping
from scoref.explanation.blocks import ALL, Block, Column, Each, Grid
from scoref.explanation.entities import listed_rows
from scoref.explanation.explainer import Counted, Explainer
from scoref.explanation.expressions import whole
from scoref.explanation.scene import Scene, position
from scoref.overlap.table import NOWHERE

_TEXT = (
    "A mention that both sides have counts 1. Of the others, a response mention is taken for a key"
    " mention if it has all of its head, or of its minimal span where it has one, and no token"
    " outside it; such a pair counts {credit}. Response mentions choose in the order of the text,"
    " longer ones first; each takes, of the key mentions that are left, the one it shares most"
    " tokens with. Recall is divided by the number of key mentions, precision by the number of"
    " response mentions."
)
Span = tuple[int, int]


class Candidates(NamedTuple):
    """The mentions that only one side has, and what a match must have of those of the key."""

    key: Ints
    response: Ints
    ours: Spans
    theirs: Spans
    least: list[Span]
    zero: list[str]

    def shared(self, key: int, response: int) -> int:
        """Return how many tokens two mentions share."""
        return len(self.ours.tokens(key) & self.theirs.tokens(response))

    def fit(self, key: int, response: int) -> bool:
        """Whether a response mention has what it must and nothing outside the key mention."""
        low, high = self.least[key]
        needed = {self.zero[key]} if self.zero[key] else set(map(str, range(low, high + 1)))
        return needed <= self.theirs.tokens(response) <= self.ours.tokens(key)


class Taken(NamedTuple):
    """A response mention that was taken for a key mention, by their rows."""

    key: int
    response: int


def lenient(credit: Fraction) -> Explainer:
    """Explain mention detection in which nearly right mentions earn a credit."""

    def count(scene: Scene) -> Counted:
        key, res = scene.key != NOWHERE, scene.res != NOWHERE
        both = np.flatnonzero(key & res).tolist()
        in_key, in_response = np.flatnonzero(key & ~res), np.flatnonzero(~key & res)
        blocks: list[Block] = [_TEXT.format(credit=credit)]
        taken: list[Taken] = []
        if len(in_key) and len(in_response):
            candidates = _candidates(scene, in_key, in_response)
            taken = _take(candidates, _fitting(candidates))
            if taken:
                blocks.append(_taken_table(scene, candidates, taken, credit))
        found, used = {one.key for one in taken}, {one.response for one in taken}
        kinds = {
            "on both sides": both,
            "taken for a key mention": [one.response for one in taken],
            "only in the key": [row for row in in_key.tolist() if row not in found],
            "only in the response": [row for row in in_response.tolist() if row not in used],
        }
        sizes = whole([len(rows) for rows in kinds.values()])
        columns = [
            Column("mentions", list(kinds)),
            Column("number", sizes),
            Column("which", [listed_rows(scene, rows) for rows in kinds.values()]),
        ]
        blocks.append(Grid(columns, sizes, ALL))
        gain = len(both) + credit * len(taken)
        keys, responses = len(both) + len(in_key), len(both) + len(in_response)
        return Counted((gain, Fraction(keys), gain, Fraction(responses)), blocks)

    return Explainer(count)


def _candidates(scene: Scene, in_key: Ints, in_response: Ints) -> Candidates:
    least: list[Span] = [(NOWHERE, NOWHERE)] * len(scene.key)
    for what in ("head", "min"):
        start, end = (scene.rows.attribute("key", f"{what}_{end}") for end in ("start", "end"))
        if start is not None and end is not None:
            told = zip(least, start.tolist(), end.tolist(), strict=True)
            least = [old if low == NOWHERE else (low, high) for old, low, high in told]
    minimal, zeros = (scene.rows.attribute("key", name) for name in ("min_start", "zero"))
    zero = [""] * len(least) if zeros is None else [str(text) for text in zeros.tolist()]
    if minimal is not None:
        zero = ["" if low != NOWHERE else z for z, low in zip(zero, minimal.tolist(), strict=True)]
    ours, theirs = scene.rows.spans("key"), scene.rows.spans("response")
    return Candidates(in_key, in_response, ours, theirs, least, zero)


def _fitting(candidates: Candidates) -> dict[int, list[int]]:
    """List the key mentions that each response mention could be taken for."""
    at, other = overlapping(
        candidates.ours.where(candidates.key), candidates.theirs.where(candidates.response)
    )
    fitting: dict[int, list[int]] = defaultdict(list)
    rows = candidates.key[at].tolist(), candidates.response[other].tolist()
    for key, response in zip(*rows, strict=True):
        if candidates.fit(key, response):
            fitting[response].append(key)
    return fitting


def _take(candidates: Candidates, fitting: dict[int, list[int]]) -> list[Taken]:
    """Let response mentions choose, one after the other."""
    used: set[int] = set()
    taken = []
    ours, theirs = candidates.ours, candidates.theirs
    for response in sorted(fitting, key=lambda row: (theirs.start[row], -theirs.end[row])):
        if left := [key for key in fitting[response] if key not in used]:
            best = min(
                left,
                key=lambda key: (-candidates.shared(key, response), ours.start[key], ours.end[key]),
            )
            used.add(best)
            taken.append(Taken(best, response))
    return taken


def _taken_table(
    scene: Scene, candidates: Candidates, taken: list[Taken], credit: Fraction
) -> Block:
    shared = whole([candidates.shared(*one) for one in taken])
    return Grid(
        [
            Column("response", Each(len(taken), lambda at: scene.mention(taken[at].response))),
            Column("key", Each(len(taken), lambda at: scene.mention(taken[at].key))),
            Column("must have", [position(*candidates.least[one.key]) for one in taken]),
            Column("shared tokens", shared),
            Column("counts", [credit] * len(taken), summed=True),
        ],
        shared,
        scene.limit,
        "Response mentions that are taken for key mentions",
    )
