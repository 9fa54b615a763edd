"""Numbers as integers whose sum is exact, for programs that add in an order of their own.

A number becomes five integers, the digits of its binary expansion in groups of 32 bits. Integers
add without rounding, so their sums do not depend on the order of the terms, on batches or on the
number of processes. `from_integers` rounds once, at the end, as an exact sum does.
"""

from __future__ import annotations

import numpy as np

from scoref.base.arrays import Floats, Ints
from scoref.exceptions import UsageError

GROUPS = 5
MOST_TERMS = 1 << 30
"""How many numbers can be added without an overflow of 64 bits."""

_BITS = 32
_LOWEST = 104
"""The last bit is worth 2 ** -104, so numbers from 2 ** -52 on are exact."""
_LARGEST = 2.0**55


def to_integers(values: Floats) -> Ints:
    """Turn numbers of any shape into integers, with one more axis for the groups of bits."""
    values = np.asarray(values, dtype=np.float64)
    if not (np.abs(values) < _LARGEST).all():  # NaN is not less than anything
        raise UsageError("counts must be finite numbers below 2 ** 55")
    groups = []
    for group in range(GROUPS):
        power = _LOWEST - _BITS * (GROUPS - 1 - group)
        scaled = np.ldexp(values, power)
        whole = np.rint(scaled) if group == GROUPS - 1 else np.trunc(scaled)
        groups.append(whole.astype(np.int64))
        values = values - np.ldexp(whole, -power)  # exact: only leading bits are removed
    return np.stack(groups, axis=-1)


def from_integers(sums: Ints) -> Floats:
    """Turn sums of integers back into numbers, each rounded once."""
    flat = np.asarray(sums).reshape(-1, GROUPS).tolist()
    values = [_join(groups) / (1 << _LOWEST) for groups in flat]
    return np.array(values, dtype=np.float64).reshape(np.shape(sums)[:-1])


def _join(groups: list[int]) -> int:
    """Join the groups of bits into one integer of unlimited size, the highest group first."""
    total = 0
    for group in groups:
        total = (total << _BITS) + group
    return total
