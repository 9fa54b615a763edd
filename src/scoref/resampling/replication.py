"""Replicability: the number of datasets on which one system is better.

A p-value for each dataset does not answer that. The partial conjunction test (Benjamini & Heller
2008; Dror et al. 2017) tests, for each u, whether fewer than u of n effects exist:

    Bonferroni   (n - u + 1) p(u)                                   for any dependence
    Fisher       chi-squared with 2 (n - u + 1) degrees of freedom,
                 of -2 sum of log p(i) for i from u to n            for independent datasets

where p(1) <= ... <= p(n) are one-sided. The largest u that is rejected at the level a is a lower
bound of the number of effects, with the confidence 1 - a. Which datasets these are, Holm's
correction says.
"""

from __future__ import annotations

import math
from collections.abc import Sequence


def one_sided(p: float, difference: float) -> float:
    """Return the p-value for a positive difference, given the two-sided one.

    A dataset without a p-value does not count as evidence.
    """
    if math.isnan(p):
        return 1.0
    return p / 2 if difference > 0 else 1 - p / 2


def partial_conjunction(p_values: Sequence[float], *, independent: bool) -> list[float]:
    """Return the p-values for at least 1, 2, ..., n effects."""
    ordered, count = sorted(p_values), len(p_values)
    found: list[float] = []
    for place in range(count):
        rest = ordered[place:]
        if independent:
            from scipy.special import chdtrc  # noqa: PLC0415  # slow to load

            logs = -2 * sum(math.log(max(p, 1e-300)) for p in rest)
            p = float(chdtrc(2 * len(rest), logs))
        else:
            p = min(1.0, len(rest) * rest[0])
        found.append(max([p, *found[-1:]]))
    return found


def count_effects(p_values: Sequence[float], level: float, *, independent: bool) -> int:
    """Return a lower bound of the number of effects, with the confidence 1 - level."""
    found = partial_conjunction(p_values, independent=independent)
    return sum(p <= level for p in found)
