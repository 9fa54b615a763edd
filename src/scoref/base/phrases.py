"""Phrases that many messages share."""

from __future__ import annotations

from collections.abc import Sequence

_SHOWN = 3


def counted(number: int, noun: str, plural: str = "") -> str:
    """Format a number with its noun: `1 document`, `2,000 documents`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def with_article(noun: str) -> str:
    """Put an article before a noun, such as the name of a type: `a list`, `an int`."""
    return f"{'an' if noun[:1].lower() in {*'aeiou'} else 'a'} {noun}"


def listed(names: Sequence[str]) -> str:
    """Format the first few names: `a, b, c, ...`."""
    shown = ", ".join(names[:_SHOWN])
    return f"{shown}, ..." if len(names) > _SHOWN else shown
