"""What a part-of-speech tag says: Penn, universal, Chinese, Arabic, German and Dutch tags."""

from __future__ import annotations

import re
from functools import cache

NAME, NOUN, PRONOUN, DETERMINER, BREAK, OTHER = (
    "name",
    "noun",
    "pronoun",
    "determiner",
    "break",
    "other",
)

# Penn (English), universal, Penn Chinese, Penn Arabic, STTS (German), CGN (Dutch), in this
# order. BREAK tags end the core of a noun phrase: what follows them modifies its head.
_CLASSES = {
    NAME: r"NNPS? PROPN NR (DET\+)?NOUN_PROP.* NE N[(\[]eigen.* SPEC[(\[]deeleigen.*",
    PRONOUN: r"""PRP\$? WP\$? EX PRON.* PN .*_PRON.* PPER PPOS(AT|S) PRF PDS PRELS PWS PIS
        VNW.*""",
    NOUN: r"NNS? NOUN.* CD NUM NT M (DET\+)?NOUN.* N[(\[]soort.*",
    DETERMINER: r"DT PDT WDT DET.* ART PDAT PIAT LID.*",
    BREAK: r"""IN TO VB.? MD WRB , : \. -LRB- -RRB- `` '' ADP VERB AUX SCONJ PUNCT
        P LC DEC DEG CS PU V[ACEV] PREP PUNC
        APPR(ART)? APZR PRELAT KOUS KOUI \$[,.(] V[VAM][A-Z]+ LET.* VZ.* WW.* VG[(\[]onder.*""",
}
_PATTERNS = tuple(
    (name, re.compile("|".join(patterns.split()))) for name, patterns in _CLASSES.items()
)


@cache
def tag_class(tag: str) -> str:
    """Return what a tag stands for, OTHER if nothing that matters here."""
    return next((name for name, pattern in _PATTERNS if pattern.fullmatch(tag)), OTHER)


def are_known(tags: list[str]) -> bool:
    """Whether these are tags of one of the tag sets above: they have nouns and other words."""
    found = {tag_class(tag) for tag in set(tags)}
    return bool(found & {NAME, NOUN, PRONOUN}) and len(found) > 1
