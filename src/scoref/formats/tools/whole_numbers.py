"""Whole numbers that a file has as text."""

from __future__ import annotations

_MOST_DIGITS = 18


def parse_whole_numbers(*texts: str) -> tuple[int, ...] | None:
    """Return numbers from 0, or None if a text is not such a number, or is too long."""
    texts = tuple(text.strip() for text in texts)
    fine = all(one.isascii() and one.isdecimal() and len(one) <= _MOST_DIGITS for one in texts)
    return tuple(map(int, texts)) if fine else None
