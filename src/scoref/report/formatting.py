"""Scores, differences, files and mentions as texts of a report."""

from __future__ import annotations

import math
from pathlib import PurePath

DASH, MINUS = "\u2013", "\u2212"


def percent(value: float | None) -> str:
    """Show a score in percent, or a dash if it does not exist."""
    return DASH if value is None or math.isnan(value) else f"{100 * value:.2f}"


def points(value: float) -> str:
    """Show a difference in points, with its sign, or a dash if it does not exist."""
    if math.isnan(value):
        return DASH
    if abs(value) < 5e-5:
        return "0.00"
    return f"{'+' if value > 0 else MINUS}{100 * abs(value):.2f}"


def file_name(source: str) -> str:
    """Return the last part of a path, for a file that others will read."""
    return PurePath(source).name or source


def mention_text(words: str, span: object, *, with_text: bool) -> str:
    """Show a mention by its words, or by its tokens if words must not be shown."""
    if words and with_text:
        return words
    if isinstance(span, tuple) and len(span) == 2:
        if span[0] == span[1]:
            return f"token {span[0]}"
        return f"tokens {span[0]}{DASH}{span[1]}"
    return f"mention {span}" if not isinstance(span, int) else f"token {span}"
