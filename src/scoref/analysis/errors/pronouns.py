"""Decide which mentions count as pronouns when errors are classified.

By default, these are the mentions of type pronoun, stated or inferred. Kummerfeld & Klein's
analyser has its own rule for files that do not state types: a mention is a pronoun if it has one
token that is tagged as a pronoun or a determiner, or whose word is on a list.
"""

from __future__ import annotations

import numpy as np

from scoref.analysis.aligned_mentions import AlignedMentions
from scoref.analysis.errors.kinds import KK2013
from scoref.base.arrays import Bools
from scoref.overlap.table import NOWHERE, PRONOUN

_TAGS = frozenset({"PRP", "PRP$", "WP", "WP$", "WDT", "WRB", "DT"})
_WORDS = frozenset(
    word
    for line in (
        "i me my mine myself we us our ours ourselves one",
        "you your yours yourself yourselves thyself ya",
        "he him his himself she her hers herself it its itself",
        "they them their theirs themselves 'em em this that these those",
        "who whom whose whoever whomever what whatever which when where how",
        "everybody everyone everything anybody anyone somebody someone something",
        "nobody noone nothing all few several some many most none",
    )
    for word in line.split()
)


def is_pronoun(mentions: AlignedMentions, mode: str) -> Bools:
    """Mark the rows that count as pronouns."""
    text, token, spans = mentions.text, mentions.token, mentions.spans
    if mode != KK2013 or mentions.stated or text is None or token is None or spans is None:
        marked: Bools = mentions.type == PRONOUN
        return marked
    alone = np.flatnonzero((spans[0] == spans[1]) & (token != NOWHERE))
    words, tags = text.columns["word"], text.columns.get("pos")
    marked = np.zeros(len(token), dtype=bool)
    marked[alone] = [
        words[at].lower() in _WORDS or (tags is not None and tags[at] in _TAGS)
        for at in token[alone].tolist()
    ]
    return marked
