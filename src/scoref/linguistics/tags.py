"""Classes of part-of-speech tags: Penn, universal, Chinese, Arabic, German and Dutch tags."""

from __future__ import annotations

import re
from functools import cache

NAME, NOUN, PRONOUN = "name", "noun", "pronoun"
DETERMINER, BREAK, OTHER = "determiner", "break", "other"

# Penn (English), universal, Penn Chinese, Penn Arabic, STTS (German), CGN (Dutch), in this
# order. A BREAK tag ends the core of a noun phrase: the words after it modify its head.
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
    """Return the class of a tag; OTHER if it is in no other class."""
    return next((name for name, pattern in _PATTERNS if pattern.fullmatch(tag)), OTHER)


def are_known(tags: list[str]) -> bool:
    """Whether these tags are of a known tag set: they include nouns and other classes."""
    found = {tag_class(tag) for tag in set(tags)}
    return bool(found & {NAME, NOUN, PRONOUN}) and len(found) > 1
