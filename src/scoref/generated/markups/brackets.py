"""Brackets with the number of the entity: `[a man]#1`, `[a man]_1`, `[a man: 1]` and others."""

from __future__ import annotations

from scoref.generated.marked_text import MarkedStream
from scoref.generated.markups.bracket_tags import LABEL, NEVER, BracketSyntax, strongest
from scoref.generated.markups.markup import TextMarkup

HASH = BracketSyntax(rf"\] ?# ?({LABEL})", "]#{}")
UNDERSCORE = BracketSyntax(r"\]_\{?(\d+|[A-Za-z]+\d*)\}?", "]_{}")
COLON = BracketSyntax(rf" ?: ?({LABEL}) ?\]", ": {}]")
_SYNTAXES = (
    HASH,
    UNDERSCORE,
    COLON,
    BracketSyntax(rf" ?\| ?#?({LABEL}) ?\]", " | {}]"),
    BracketSyntax(r"\]\^\{?(\d+|[A-Za-z]+\d*)\}?", "]^{}"),
    BracketSyntax(rf"\]\{{#?({LABEL})\}}", "]{{{}}}"),
    BracketSyntax(r"\]\((\d+)\)", "]({})"),
    BracketSyntax(r"\](\d+)\b", "]{}"),
    BracketSyntax(r" ?# ?(\d+) ?\]", " #{}]"),
    BracketSyntax(
        NEVER, "]", opening=r"(?<![|,])\[(?=#\w|[EeCc]\d|\d+ ?[:|])#?([A-Za-z]?\d+)\b ?[:|]? ?"
    ),
)


def count(text: str) -> int:
    """Count tags."""
    return strongest(_SYNTAXES, text).count(text)


def parse(text: str) -> MarkedStream:
    """Parse the variant that has the most tags."""
    return strongest(_SYNTAXES, text).parse(text)


MARKUP = TextMarkup(
    name="brackets",
    title="brackets and a number",
    example="[Ann]#1 saw [the man]#2 . [She]#1 waved .",
    count=count,
    parse=parse,
    write=HASH.write,
)
WITH_UNDERSCORE = TextMarkup(
    name="brackets-underscore",
    title="brackets, an underscore and a number",
    example="[Ann]_1 saw [the man]_2 . [She]_1 waved .",
    count=UNDERSCORE.count,
    parse=UNDERSCORE.parse,
    write=UNDERSCORE.write,
)
WITH_COLON = TextMarkup(
    name="brackets-colon",
    title="brackets with a colon and a number",
    example="[Ann: 1] saw [the man: 2] . [She: 1] waved .",
    count=COLON.count,
    parse=COLON.parse,
    write=COLON.write,
)
