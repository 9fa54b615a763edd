"""Which system mention can match which reference mention: those whose heads overlap enough."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Floats, Ints
from scoref.corpus.spans import Spans, overlapping, shared_tokens
from scoref.metrics.ace.rules import Rules
from scoref.metrics.ace.sides import Mentions


class Edges(NamedTuple):
    """Mentions that can match, as positions in the mentions of the two sides; what that earns."""

    key: Ints
    response: Ints
    score: Floats


def matches(ours: Mentions, theirs: Mentions, rules: Rules) -> Edges:
    """Find the mentions whose heads overlap enough, and score them as pairs."""
    heads, other_heads = (Spans(side.unit, side.start, side.end) for side in (ours, theirs))
    at, other = overlapping(heads, other_heads)
    one, two = heads.where(at), other_heads.where(other)
    enough = shared_tokens(one, two) / np.maximum(one.length, two.length) >= rules.least_overlap
    if rules.least_text > 0:
        for edge in np.flatnonzero(enough).tolist():
            alike = text_match(str(ours.text[at[edge]]), str(theirs.text[other[edge]]))
            enough[edge] = alike >= rules.least_text
    at, other = at[enough], other[enough]
    kind, role, style = rules.mention_error
    score = np.minimum(ours.weight[at], theirs.weight[other])
    score = score * np.where(ours.kind[at] != theirs.kind[other], kind, 1.0)
    score *= np.where(ours.role[at] != theirs.role[other], role, 1.0)
    score *= np.where(ours.style[at] != theirs.style[other], style, 1.0)
    return Edges(at, other, score)


def text_match(one: str, other: str) -> float:
    """Return the longest common part of two texts as a share of the longer one.

    Case does not count, nor do blanks and punctuation of ASCII texts.
    """
    one, other = (_plain(text) for text in (one, other))
    if one == other:
        return 1.0
    if not one or not other:
        return 0.0
    from difflib import SequenceMatcher  # noqa: PLC0415  # only the rules of 2007 need it

    matcher = SequenceMatcher(None, one, other, autojunk=False)
    return matcher.find_longest_match().size / max(len(one), len(other))


def _plain(text: str) -> str:
    folded = text.casefold()
    return "".join(filter(str.isalnum, folded)) if folded.isascii() else folded
