"""Which mentions count as pronouns when errors are told apart.

By default, those whose type is pronoun, wherever types come from. Kummerfeld & Klein's
analyser has a rule of its own for what files do not state: a mention of one token that is
tagged as a pronoun or a determiner, or whose word is on a list.
"""

from __future__ import annotations

import numpy as np

from scoref.analysis.errors.kinds import KK2013
from scoref.analysis.aligned_mentions import AlignedMentions
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


def is_pronoun(reading: AlignedMentions, mode: str) -> Bools:
    """Mark the rows that count as pronouns."""
    text, spans = reading.text, reading.spans
    if mode != KK2013 or reading.stated or text is None or spans is None or "word" not in text:
        marked: Bools = reading.type == PRONOUN
        return marked
    start, end = spans
    alone = np.flatnonzero((start == end) & (reading.place[reading.unit] != NOWHERE))
    tokens = text.first[reading.place[reading.unit[alone]]] + start[alone]
    words, tags = text.columns["word"], text.columns.get("pos")
    marked = np.zeros(len(start), dtype=bool)
    marked[alone] = [
        words[token].lower() in _WORDS or (tags is not None and tags[token] in _TAGS)
        for token in tokens.tolist()
    ]
    return marked
