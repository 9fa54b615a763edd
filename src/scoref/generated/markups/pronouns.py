"""A list of pronouns with their antecedents: `she -> Ann`, a pronoun per line, in text order."""

from __future__ import annotations

import re

from scoref.generated.markups.markup import TextMarkup
from scoref.generated.quotes import Answer, Quote, QuoteList

_LINE = re.compile(
    r"^ {0,20}(?:[-*\u2022] {1,9}|\(?\d{1,5}[.):] {1,9})?(?P<pronoun>\S[^\n]{0,200}?) {0,9}"
    r"(?:->|=>|\u2192|\u21d2|-->) {0,9}(?P<antecedent>\S[^\n]{0,2000})$",
    re.MULTILINE,
)
_REMARK = re.compile(r"\s*\([^()]*\)\s*$")
_NOTHING = re.compile(
    r"(?:none|n/?a|nothing|no (?:antecedent|referent)|-+|\?+|expletive\b.*)$", re.IGNORECASE
)
_QUOTED = "\"'`*_\u201c\u201d\u2018\u2019 "


def count(text: str) -> int:
    """Count lines with an arrow."""
    return sum(1 for _ in _LINE.finditer(text))


def parse(text: str) -> QuoteList:
    """Return the pronouns as quotes, and their antecedents as answers.

    A remark in parentheses after the antecedent is ignored; a pronoun with nothing but a remark
    refers to nothing.
    """
    found = QuoteList()
    for match in _LINE.finditer(text):
        antecedent = _REMARK.sub("", f" {match['antecedent']}").strip().rstrip(".").strip(_QUOTED)
        pronoun = _REMARK.sub("", match["pronoun"]).strip(_QUOTED)
        if not pronoun:
            continue
        number = len(found.quotes)
        refers = bool(antecedent) and _NOTHING.match(antecedent) is None
        found.quotes.append(Quote("" if not refers else antecedent, pronoun, "list"))
        if refers:
            found.answers.append(Answer(number, antecedent))
    return found


MARKUP = TextMarkup(
    name="pronouns",
    title="pronouns with their antecedents",
    example="She -> Ann",
    count=count,
    parse=parse,
)
