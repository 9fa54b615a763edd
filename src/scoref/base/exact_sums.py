"""Exact sums: no result depends on how the work was divided.

Every score is made of sums of counts: of documents, of entities, of pairs of entities. Such a sum
is computed as if with unlimited precision, and rounded once. So it has the same bits in any order
of its terms: whichever document comes first, however many processes or machines counted, and
whether the counts come from memory, from a file or from a training loop.

There are three ways. `math.fsum` sums a few thousand numbers. `exact_sum_by` sums millions of
numbers by label, in NumPy. `condense` keeps a sum open: numbers that are added later, on whatever
machine, still count with all of their digits.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Floats, Ints, first_of_run, sum_by

Parts = list[list[float]]
"""For each column, a few numbers with the same exact sum as all numbers that were added."""

_HALF = 30
_EXACT = 2.0**53


def exact_sum(rows: NDArray[Any]) -> Floats:
    """Sum each column of some rows."""
    return np.array([math.fsum(column.tolist()) for column in rows.T])


def exact_sum_by(label: Ints, values: NDArray[Any], labels: int) -> Floats:
    """Sum the values of each label to the same bits in any order.

    Each value is rounded to 60 binary digits below the largest value of its label, and cut into
    two halves of 30 digits. The sums of the halves are exact, up to eight million values. Sums of
    integers are exact without this.
    """
    if values.dtype.kind in "biu" or _are_small_integers(values):
        return sum_by(label, values, labels)
    _, exponent = np.frexp(_largest_by(label, np.abs(values), labels))
    # A number of this size has no digits below the upper half: adding it rounds.
    coarse = np.ldexp(1.5, exponent + 52 - _HALF)
    fine = np.ldexp(coarse, -_HALF)[label]
    coarse = coarse[label]
    upper = (values + coarse) - coarse
    lower = ((values - upper) + fine) - fine
    return sum_by(label, upper, labels) + sum_by(label, lower, labels)


def _largest_by(label: Ints, values: Floats, labels: int) -> Floats:
    largest = np.zeros(labels)
    if (label[1:] < label[:-1]).any():
        np.maximum.at(largest, label, values)
    elif len(label):
        first = np.flatnonzero(first_of_run(label))
        largest[label[first]] = np.maximum.reduceat(values, first)
    return largest


def _are_small_integers(values: Floats) -> bool:
    return bool(np.abs(values).sum() < _EXACT and np.array_equal(values, np.floor(values)))


def condense(values: list[float]) -> list[float]:
    """Return a few numbers with the same exact sum, largest first.

    The first number is the rounded sum, the next is the rounding error, and so on.
    """
    parts: list[float] = []
    while rest := math.fsum([*values, *(-part for part in parts)]):
        parts.append(rest)
    return parts
