"""The kinds of errors, their titles, and the two modes of counting them."""

from __future__ import annotations

from scoref.exceptions import UsageError

SPAN = "span"
CONFLATED, EXTRA_MENTION, EXTRA_ENTITY = "conflated", "extra_mention", "extra_entity"
DIVIDED, MISSING_MENTION, MISSING_ENTITY = "divided", "missing_mention", "missing_entity"
TITLES = {
    SPAN: "span error",
    CONFLATED: "conflated entities",
    EXTRA_MENTION: "extra mention",
    EXTRA_ENTITY: "extra entity",
    DIVIDED: "divided entity",
    MISSING_MENTION: "missing mention",
    MISSING_ENTITY: "missing entity",
}
KINDS = tuple(TITLES)
STRICT, KK2013 = "strict", "kk2013"
MODES = (STRICT, KK2013)


def check_kind(kind: str) -> str:
    """Return the name of a kind of error, given its name or its title."""
    plain = kind.replace(" ", "_").replace("-", "_")
    for name, title in TITLES.items():
        if plain in (name, title.replace(" ", "_")):
            return name
    raise UsageError(f"unknown kind of error {kind!r}", f"one of: {', '.join(KINDS)}")
