"""Names for array types, and the one trick everything here rests on: rows as integers."""

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

ROOM = 2**62
"""Codes of rows stay below."""
_HALF = 30
_DENSE = 4
_EXACT = 2.0**53


def pack(*columns: Ints) -> Ints:
    """Turn rows of non-negative integers into one integer each: equal rows, equal codes.

    Codes order rows as the columns do, first column first. Where the product of the
    ranges would outgrow 64 bits, the codes so far are replaced by their ranks, and if that is
    not enough, those of the next column too.
    """
    codes, size = columns[0], _range(columns[0])
    for column in columns[1:]:
        width = _range(column)
        if size * width > ROOM:
            distinct, codes = np.unique(codes, return_inverse=True)
            size = len(distinct)
        if size * width > ROOM:
            distinct, column = np.unique(column, return_inverse=True)  # noqa: PLW2901
            width = len(distinct)
        codes = codes * width + column
        size *= width
    return codes


def pack_alike(*sides: Sequence[Ints]) -> list[Ints]:
    """Pack the rows of several sides with the same ranges: equal rows, equal codes.

    The sides are packed apart, since putting their columns together would double the memory
    that joining two corpora takes.
    """
    widths = [max(map(_range, columns)) for columns in zip(*sides, strict=True)]
    if math.prod(widths) > ROOM:
        codes = pack(*map(np.concatenate, zip(*sides, strict=True)))
        return np.split(codes, np.cumsum([len(side[0]) for side in sides])[:-1])
    return [_positional(side, widths) for side in sides]


def _positional(columns: Sequence[Ints], widths: Sequence[int]) -> Ints:
    codes = columns[0].astype(np.int64)
    for column, width in zip(columns[1:], widths[1:], strict=True):
        codes *= width
        codes += column
    return codes


class Growing:
    """A column that grows at its end, in place: no list of pieces, and no copy of them all.

    Small pieces that wait to be joined leave holes in the heap when they go; on a corpus of
    three million mentions these held as much memory as the corpus.
    """

    def __init__(self, *, small: bool = False) -> None:
        self._values: NDArray[Any] = np.empty(1024, dtype=np.int32 if small else np.int64)
        self._length = 0

    def extend(self, values: Ints) -> None:
        """Add some values; small ones take half the room as long as all of them are small."""
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
        """Return the column, and give back the room that was left."""
        self._values.resize(self._length, refcheck=False)
        return self._values


def first_of_run(values: Ints) -> Bools:
    """Mark the first element of each run of equal values."""
    first = np.ones(len(values), dtype=bool)
    np.not_equal(values[1:], values[:-1], out=first[1:])
    return first


def number_by_appearance(values: Ints) -> tuple[Ints, Ints]:
    """Number distinct values 0, 1, ... as they appear; also say where each first stood."""
    low, high = (int(values.min()), int(values.max())) if len(values) else (0, -1)
    width = high - low + 1
    if width <= _DENSE * len(values):
        return _number_dense(values - low, width)
    distinct, first, inverse = np.unique(values, return_index=True, return_inverse=True)
    order = np.argsort(first)
    number = np.empty(len(distinct), dtype=np.int64)
    number[order] = np.arange(len(distinct))
    return number[inverse], first[order]


def _number_dense(values: Ints, width: int) -> tuple[Ints, Ints]:
    """Number values below a width that is not much larger than there are values.

    Nothing is sorted, which on the entities of a large table takes a fifth of the time.
    """
    rows = np.arange(len(values))
    first = np.empty(width, dtype=np.int64)
    first[values[::-1]] = rows[::-1]  # of several, the last one written stays
    stood = first[values]
    is_first = stood == rows
    number = np.cumsum(is_first) - 1
    return number[stood], np.flatnonzero(is_first)


def sum_by(label: Ints, values: NDArray[Any], labels: int) -> Floats:
    """Sum the values of each label; a sum depends on its values and their order alone.

    Labels that stand together and in order, as documents do in a table, need not be sorted; their
    sums take a third of the time of adding up one value after the other, and round less.
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


def exact_sum_by(label: Ints, values: Floats, labels: int) -> Floats:
    """Sum the values of each label as if with unlimited precision: in any order, the same bits.

    Values are not negative. Each is cut into two whole numbers of 30 binary digits, counted
    from the largest of its label, whose sums are exact; what is below is left out. Sums of whole
    numbers are exact as they are.
    """
    if values.sum() < _EXACT and np.array_equal(values, np.floor(values)):
        return sum_by(label, values, labels)
    _, exponent = np.frexp(values)
    largest = np.full(labels, np.iinfo(exponent.dtype).min, dtype=exponent.dtype)
    np.maximum.at(largest, label, exponent)
    scaled = np.ldexp(values, _HALF - largest[label])
    upper = np.floor(scaled)
    lower = np.rint(np.ldexp(scaled - upper, _HALF))
    return np.ldexp(
        sum_by(label, upper, labels) + np.ldexp(sum_by(label, lower, labels), -_HALF),
        np.where(largest > np.iinfo(exponent.dtype).min, largest - _HALF, 0),
    )


def _range(column: Ints) -> int:
    return int(column.max()) + 1 if len(column) else 1
