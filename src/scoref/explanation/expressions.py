"""Formulas whose terms are what is computed: an expression is written once, shown and evaluated.

Numbers are fractions wherever a metric allows it; logarithms are floats. Columns of numbers are
NumPy arrays of fractions: formulas of sizes and overlaps read as they do in a paper.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Ints

Number = Fraction | float
Fractions = NDArray[Any]
"""A column of fractions."""

_SHORT = 64
"""The largest denominator of a fraction that a float is taken for."""

ZERO, ONE, TWO = Fraction(0), Fraction(1), Fraction(2)


@dataclass(frozen=True, slots=True)
class Over:
    """A ratio; 0/0 does not exist."""

    top: Expression
    bottom: Expression


@dataclass(frozen=True, slots=True)
class Sum:
    """The sum of some terms, less some others."""

    terms: tuple[Expression, ...]
    less: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class Product:
    """A product of factors."""

    factors: tuple[Expression, ...]


Expression = Number | Over | Sum | Product


def evaluate(expression: Expression) -> Number | None:
    """Return the value of an expression, or None if it contains 0/0."""
    if isinstance(expression, Over):
        top, bottom = evaluate(expression.top), evaluate(expression.bottom)
        return None if top is None or not bottom else top / bottom
    if isinstance(expression, Sum):
        terms = [evaluate(term) for term in expression.terms]
        less = [evaluate(term) for term in expression.less]
        if None in terms or None in less:
            return None
        return exact_sum(defined(terms)) - exact_sum(defined(less))
    if isinstance(expression, Product):
        factors = [evaluate(factor) for factor in expression.factors]
        return None if None in factors else math.prod(defined(factors), start=ONE)
    return expression


def defined(values: Iterable[Number | None]) -> list[Number]:
    """Return the values that exist."""
    return [value for value in values if value is not None]


def exact_sum(values: Iterable[Any]) -> Number:
    """Sum without rounding; fractions of one denominator first, which keeps large sums cheap."""
    values = values.tolist() if isinstance(values, np.ndarray) else values
    by_denominator: dict[int, int] = {}
    rounded: list[float] = []
    for value in values:
        if isinstance(value, Fraction | int):
            before = by_denominator.get(value.denominator, 0)
            by_denominator[value.denominator] = before + value.numerator
        else:
            rounded.append(value)
    total = sum((Fraction(top, bottom) for bottom, top in by_denominator.items()), start=ZERO)
    return math.fsum([*rounded, float(total)]) if rounded else total


def fractions(values: Iterable[Any]) -> Fractions:
    """Make a column of whole numbers or fractions a column of fractions."""
    return _column([Fraction(value) for value in np.asarray(values).tolist()])


def ratios(tops: Ints, bottoms: Ints) -> Fractions:
    """Divide whole numbers by whole numbers, row by row."""
    pairs = zip(tops.tolist(), bottoms.tolist(), strict=True)
    return _column([Fraction(top, bottom) for top, bottom in pairs])


def decimals(values: Iterable[float]) -> Fractions:
    """Make a column of the numbers that a user wrote."""
    return _column([decimal(value) for value in values])


def _column(values: list[Fraction]) -> Fractions:
    column = np.empty(len(values), dtype=np.object_)
    column[:] = values
    return column


def choose(condition: Any, yes: Any, no: Any) -> Fractions:
    """Take one or the other, row by row."""
    return np.asarray(np.where(condition, yes, no), dtype=np.object_)


def sum_groups(group: Ints, values: Fractions, groups: int) -> Fractions:
    """Sum the values of each group."""
    sums = np.full(groups, ZERO, dtype=np.object_)
    np.add.at(sums, group, values)
    return sums


def decimal(value: float) -> Fraction:
    """Return the number that a user wrote: 0.2 is 1/5, unlike the float."""
    return Fraction(str(value))


def written(value: float) -> str:
    """Write a number of the user as a fraction, or as a decimal if the fraction is long."""
    fraction = str(decimal(value))
    return fraction if len(fraction) <= len("1234/56789") else str(value)


def links(size: Any) -> Any:
    """Return the number of pairs among some mentions, for one number or for a column."""
    pairs = size * (size - 1) // 2
    return Fraction(pairs) if isinstance(pairs, int) else pairs


def exact(value: float) -> Number:
    """Return a number such as 3 or 0.75, which a float holds exactly, as a fraction."""
    if not math.isfinite(value):
        return value
    fraction = Fraction(value)
    return fraction if fraction.denominator <= _SHORT else float(value)
