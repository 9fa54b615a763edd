"""Types of arrays, and operations on columns; rows of integers are packed into single integers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Bytes = NDArray[np.uint8]

CODE_LIMIT = 2**62
"""Codes of packed rows are smaller than this."""
_DENSE = 4


def pack(*columns: Ints) -> Ints:
    """Pack each row of non-negative integers into one integer: equal rows have equal codes.

    Codes sort like the rows, first column first. If the product of the ranges exceeds 64 bits,
    the codes so far are replaced by their ranks, then also the values of the next column.
    """
    codes, size = columns[0], _range(columns[0])
    for column in columns[1:]:
        width = _range(column)
        if size * width > CODE_LIMIT:
            distinct, codes = np.unique(codes, return_inverse=True)
            size = len(distinct)
        if size * width > CODE_LIMIT:
            distinct, column = np.unique(column, return_inverse=True)  # noqa: PLW2901
            width = len(distinct)
        codes = codes * width + column
        size *= width
    return codes


def pack_jointly(*sides: Sequence[Ints]) -> list[Ints]:
    """Pack the rows of several sides with the same ranges: equal rows have equal codes.

    Each side is packed on its own. Concatenated columns would double the memory of a join.
    """
    widths = [max(map(_range, columns)) for columns in zip(*sides, strict=True)]
    if math.prod(widths) > CODE_LIMIT:
        codes = pack(*map(np.concatenate, zip(*sides, strict=True)))
        return split(codes, [len(side[0]) for side in sides])
    return [_positional(side, widths) for side in sides]


def split(values: NDArray[Any], lengths: Sequence[int]) -> list[NDArray[Any]]:
    """Split an array into consecutive parts of these lengths."""
    return np.split(values, np.cumsum(lengths)[:-1])


def _positional(columns: Sequence[Ints], widths: Sequence[int]) -> Ints:
    codes = columns[0].astype(np.int64)
    for column, width in zip(columns[1:], widths[1:], strict=True):
        codes *= width
        codes += column
    return codes


class GrowingArray:
    """An array that grows in place, instead of a list of chunks that is concatenated.

    Freed chunks leave holes in the heap. With three million mentions, the holes took as much
    memory as the corpus.
    """

    def __init__(self, *, small: bool = False) -> None:
        self._values: NDArray[Any] = np.empty(1024, dtype=np.int32 if small else np.int64)
        self._length = 0

    def extend(self, values: Ints) -> None:
        """Append values. With `small`, values take 32 bits as long as all of them fit."""
        end = self._length + len(values)
        if int(values.max(initial=0)) > np.iinfo(self._values.dtype).max:
            self._values = self._values.astype(np.int64)
        if end > len(self._values):
            self._values.resize(max(end, len(self._values) * 3 // 2), refcheck=False)
        self._values[self._length : end] = values
        self._length = end

    def __len__(self) -> int:
        return self._length

    def finish(self) -> Ints:
        """Return the array, and free its spare memory."""
        self._values.resize(self._length, refcheck=False)
        return self._values


def first_of_run(values: Ints) -> Bools:
    """Mark the first element of each run of equal values."""
    first = np.ones(len(values), dtype=bool)
    np.not_equal(values[1:], values[:-1], out=first[1:])
    return first


def number_by_appearance(values: Ints) -> tuple[Ints, Ints]:
    """Number distinct values 0, 1, ... as they appear; also return the first row of each."""
    low, high = (int(values.min()), int(values.max())) if len(values) else (0, -1)
    width = high - low + 1
    if width <= _DENSE * len(values):
        return _number_dense(values - low, width)
    _, first, inverse = np.unique(values, return_index=True, return_inverse=True)
    order = np.argsort(first)
    return ranks(order)[inverse], first[order]


def _number_dense(values: Ints, width: int) -> tuple[Ints, Ints]:
    """Number values below a width that is not much larger than the number of values.

    It takes a fifth of the time of sorting on the entities of a large table.
    """
    rows = np.arange(len(values))
    first = np.empty(width, dtype=np.int64)
    first[values[::-1]] = rows[::-1]  # of equal values, the first row is written last
    first_row = first[values]
    is_first = first_row == rows
    number = np.cumsum(is_first) - 1
    return number[first_row], np.flatnonzero(is_first)


def ranks_of_values(values: Ints) -> Ints:
    """Number distinct values that are not negative 0, 1, ... from the smallest to the largest."""
    width = _range(values)
    if width > _DENSE * len(values):
        return np.unique(values, return_inverse=True)[1].astype(np.int64)
    is_value = np.zeros(width, dtype=bool)
    is_value[values] = True
    number: Ints = np.cumsum(is_value) - 1
    return number[values]


def ranks(order: Ints) -> Ints:
    """Return the rank of each row, given the rows in order: the inverse of a permutation."""
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return rank


def expand_ranges(low: Ints, high: Ints) -> tuple[Ints, Ints]:
    """List the members of the ranges `low` to `high`, exclusive, with the index of their range."""
    size = np.maximum(high - low, 0)
    at = np.repeat(np.arange(len(low)), size)
    offset = np.arange(len(at)) - np.repeat(np.cumsum(size) - size, size)
    return at, np.repeat(low, size) + offset


def sum_by(label: Ints, values: NDArray[Any], labels: int) -> Floats:
    """Sum the values of each label; a sum depends only on its values and their order.

    Sorted labels, such as the documents of a table, take a third of the time of adding one value
    after the other, and rounding errors are smaller.
    """
    if (label[1:] < label[:-1]).any():
        order = np.argsort(label, kind="stable")
        label, values = label[order], values[order]
    first = np.flatnonzero(first_of_run(label))
    of_run = label[first]
    sums = np.zeros(max(labels, int(of_run[-1]) + 1 if len(first) else 0))
    if len(first):
        sums[of_run] = np.add.reduceat(values, first, dtype=np.float64)
    return sums


def _range(column: Ints) -> int:
    return int(column.max()) + 1 if len(column) else 1
