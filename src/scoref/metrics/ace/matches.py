"""Which mentions of the two sides can match: those whose heads overlap enough."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Floats, Ints
from scoref.corpus.spans import Spans, overlapping, shared_tokens
from scoref.metrics.ace.rules import Rules
from scoref.metrics.ace.sides import AceMentions


class MentionMatches(NamedTuple):
    """Mentions that can match, as positions in the mentions of the two sides; what that earns."""

    key: Ints
    response: Ints
    score: Floats


def find_matches(key: AceMentions, response: AceMentions, rules: Rules) -> MentionMatches:
    """Find the mentions whose heads overlap enough, and score each pair."""
    heads, other_heads = (Spans(side.unit, side.start, side.end) for side in (key, response))
    at, other = overlapping(heads, other_heads)
    one, two = heads.where(at), other_heads.where(other)
    enough = shared_tokens(one, two) / np.maximum(one.length, two.length) >= rules.least_overlap
    if rules.least_text > 0:
        for edge in np.flatnonzero(enough).tolist():
            alike = text_match(str(key.text[at[edge]]), str(response.text[other[edge]]))
            enough[edge] = alike >= rules.least_text
    at, other = at[enough], other[enough]
    attributes = (key.kind, response.kind), (key.role, response.role), (key.style, response.style)
    score = np.minimum(key.weight[at], response.weight[other])
    for (one_side, other_side), factor in zip(attributes, rules.mention_error, strict=True):
        score = score * np.where(one_side[at] != other_side[other], factor, 1.0)
    return MentionMatches(at, other, score)


def text_match(one: str, other: str) -> float:
    """Return the longest common part of two texts as a share of the longer one.

    Case is ignored, and so are blanks and punctuation of ASCII texts.
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
