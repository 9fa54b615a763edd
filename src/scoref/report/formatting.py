"""Scores, differences and mentions as texts of a report."""

from __future__ import annotations

import math

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


def mention_text(words: str, span: object, *, with_text: bool) -> str:
    """Show a mention by its words, or by its tokens if words must not be shown."""
    if words and with_text:
        return words
    if isinstance(span, tuple) and len(span) == 2:
        span = f"{span[0]}{DASH}{span[1]}" if span[0] != span[1] else span[0]
    return f"tokens {span}"
