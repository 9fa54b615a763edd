"""Ranks of systems by significance, letters for systems, and the agreement of rankings."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from scoref.base.arrays import Floats
from scoref.resampling.draws import TIE


def rank_groups(systems: int, differ: Callable[[int, int], bool]) -> list[int]:
    """Rank systems, which are sorted best first, as in Moosavi & Strube (2016, Table 5).

    A system joins the group above it unless it differs from the first system of that group. The
    rank of a group is the position of its first system.
    """
    ranks: list[int] = []
    first = 0
    for at in range(systems):
        if at and differ(first, at):
            first = at
        ranks.append(first + 1)
    return ranks


def letters(number: int) -> str:
    """Return the letters of a number from 0: a, b, ..., z, aa, ab, ..."""
    name = ""
    number += 1
    while number:
        number, digit = divmod(number - 1, 26)
        name = chr(ord("a") + digit) + name
    return name


def kendall_tau(one: Floats, other: Floats) -> float:
    """Return Kendall's tau-b, the agreement of two scores on the order of systems, -1 to 1."""
    above = np.triu_indices(len(one), k=1)
    signs = []
    for values in (one, other):
        differences = (values[:, None] - values[None, :])[above]
        signs.append(np.where(np.abs(differences) > TIE, np.sign(differences), 0.0))
    untied = float((signs[0] ** 2).sum() * (signs[1] ** 2).sum())
    return float((signs[0] * signs[1]).sum()) / math.sqrt(untied) if untied else math.nan
