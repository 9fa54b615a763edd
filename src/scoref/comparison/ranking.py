"""Ranks that a test can defend, letters for systems, and how far two rankings agree."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from scoref.base.arrays import Floats
from scoref.resampling.resampling import TIE


def rank_groups(systems: int, differ: Callable[[int, int], bool]) -> list[int]:
    """Rank systems, given best first, as in Moosavi & Strube (2016, Table 5).

    A system joins the group above it unless it differs from the first of that group. The rank
    of a group is the place of its first.
    """
    ranks: list[int] = []
    first = 0
    for at in range(systems):
        if at and differ(first, at):
            first = at
        ranks.append(first + 1)
    return ranks


def letters(number: int) -> str:
    """Name systems a, b, ..., z, aa, ab, ..."""
    name = ""
    number += 1
    while number:
        number, digit = divmod(number - 1, 26)
        name = chr(ord("a") + digit) + name
    return name


def kendall_tau(one: Floats, other: Floats) -> float:
    """Return Kendall's tau-b: how far two scores agree on the order of systems, from -1 to 1."""
    above = np.triu_indices(len(one), k=1)
    signs = []
    for values in (one, other):
        differences = (values[:, None] - values[None, :])[above]
        signs.append(np.where(np.abs(differences) > TIE, np.sign(differences), 0.0))
    untied = float((signs[0] ** 2).sum() * (signs[1] ** 2).sum())
    return float((signs[0] * signs[1]).sum()) / math.sqrt(untied) if untied else math.nan
