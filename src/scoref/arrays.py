"""Names for array types, and the one trick everything here rests on: rows as integers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Bytes = NDArray[np.uint8]

_ROOM = 2**62


def pack(*columns: Ints) -> Ints:
    """Turn rows of non-negative integers into one integer each: equal rows, equal codes.

    Codes order rows as the columns do, first column first. Where the product of the
    ranges would outgrow 64 bits, the codes so far are replaced by their ranks.
    """
    codes, size = columns[0], _range(columns[0])
    for column in columns[1:]:
        width = _range(column)
        if size * width > _ROOM:
            distinct, codes = np.unique(codes, return_inverse=True)
            size = len(distinct)
        codes = codes * width + column
        size *= width
    return codes


def first_of_run(values: Ints) -> Bools:
    """Mark the first element of each run of equal values."""
    first = np.ones(len(values), dtype=bool)
    np.not_equal(values[1:], values[:-1], out=first[1:])
    return first


def number_by_appearance(values: Ints) -> tuple[Ints, Ints]:
    """Number distinct values 0, 1, ... as they appear; also say where each first stood."""
    distinct, first, inverse = np.unique(values, return_index=True, return_inverse=True)
    order = np.argsort(first)
    number = np.empty(len(distinct), dtype=np.int64)
    number[order] = np.arange(len(distinct))
    return number[inverse], first[order]


def sum_by(label: Ints, values: NDArray[Any], labels: int) -> Floats:
    """Sum the values of each label, in the order in which they stand."""
    sums = np.bincount(label, weights=values, minlength=labels)
    return sums.astype(np.float64, copy=False)


def _range(column: Ints) -> int:
    return int(column.max()) + 1 if len(column) else 1
