"""Exact sums: a few numbers with the same sum as all numbers that were added."""

from __future__ import annotations

import math

Parts = list[list[float]]
"""For each column, a few numbers with the same exact sum as all numbers that were added."""


def condense(values: list[float]) -> list[float]:
    """Return a few numbers with the same exact sum, largest first.

    The first number is the rounded sum, the next is the rounding error, and so on.
    """
    parts: list[float] = []
    while rest := math.fsum([*values, *(-part for part in parts)]):
        parts.append(rest)
    return parts
