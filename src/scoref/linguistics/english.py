"""Mention types from English words alone, for files with neither tags nor parses.

The core of a mention ends before the first preposition, relative pronoun or punctuation mark
other than its first word. A possessive ending is ignored. A mention that consists of pronouns is a
pronoun, and so are `each other` and `one another`. Otherwise, the last word of the core decides.
If it is capitalised and the mention does not start with an indefinite determiner, the mention is
a name, else a nominal. Every first word of a sentence is capitalised, so at that position a word
that also occurs in lower case is not a name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


PRONOUNS = _listed("""
    i me my mine myself you your yours yourself yourselves he him his himself she her hers herself
    it its itself we us our ours ourselves ourself they them their theirs themselves themself
    thou thee thy thine thyself ye oneself 'em y'all this that these those who whom whose which
    whoever whomever what
""")
RECIPROCAL = frozenset({("each", "other"), ("one", "another")})
_BREAKS = _listed("""
    of in on at for with from by to about into over under between among against during without
    within upon near behind beside beyond since until through across along around before after as
    than like who whom whose which that where when , ; : ( ) [ ] - -- \u2014 \u2013 -lrb- -rrb-
""")
_INDEFINITE = _listed("a an some any no every each another")
_POSSESSIVE = _listed("'s \u2019s ' \u2019")
_TELLTALE = _listed("the and of to")
_LEAST_SHARE = 0.05


def looks_english(words: Sequence[str]) -> bool:
    """Whether at least one word in twenty is `the`, `and`, `of` or `to`."""
    times = Counter(words)
    telltale = sum(many for word, many in times.items() if word.lower() in _TELLTALE)
    return bool(words) and telltale >= _LEAST_SHARE * len(words)


def lower_case_words(words: Sequence[str]) -> frozenset[str]:
    """Return the words that occur in lower case."""
    return frozenset(word for word in set(words) if word.islower())


def core_head(words: Sequence[str]) -> int:
    """Return the position of the last word in the core of a mention."""
    words = _without_possessive(words)
    core = 1
    while core < len(words) and words[core].lower() not in _BREAKS:
        core += 1
    return core - 1


def mention_type(words: Sequence[str], in_lower_case: Collection[str], *, starts: bool) -> str:
    """Return `name`, `nominal` or `pronoun`; `starts` says whether a sentence starts here."""
    words = _without_possessive(words)
    lowered = [word.lower() for word in words]
    if all(word in PRONOUNS for word in lowered) or tuple(lowered) in RECIPROCAL:
        return "pronoun"
    head = core_head(words)
    if not words[head][:1].isupper() or lowered[0] in _INDEFINITE:
        return "nominal"
    if starts and head == 0 and lowered[0] in in_lower_case:
        return "nominal"
    return "name"


def _without_possessive(words: Sequence[str]) -> Sequence[str]:
    return words[:-1] if len(words) > 1 and words[-1].lower() in _POSSESSIVE else words
