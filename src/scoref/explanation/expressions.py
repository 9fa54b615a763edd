"""Formulas whose terms are what is computed: an expression is written once, shown and evaluated.

Numbers are fractions wherever a measure allows it; logarithms cannot be, and are floats.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

Number = Fraction | float

ZERO, ONE, TWO = Fraction(0), Fraction(1), Fraction(2)


@dataclass(frozen=True, slots=True)
class Over:
    """A ratio; 0/0 does not exist."""

    top: Expression
    bottom: Expression


@dataclass(frozen=True, slots=True)
class Sum:
    """Some terms, less some others."""

    terms: tuple[Expression, ...]
    less: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class Product:
    """Some factors."""

    factors: tuple[Expression, ...]


Expression = Number | Over | Sum | Product


def evaluate(expression: Expression) -> Number | None:
    """Return the value of an expression, or None if a 0/0 in it keeps it from having one."""
    if isinstance(expression, Over):
        top, bottom = evaluate(expression.top), evaluate(expression.bottom)
        return None if top is None or bottom is None or bottom == 0 else top / bottom
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


def exact_sum(values: Iterable[Number]) -> Number:
    """Sum without rounding; fractions of one denominator first, so that large sums stay cheap."""
    by_denominator: dict[int, int] = {}
    rounded: list[float] = []
    for value in values:
        if isinstance(value, Fraction):
            before = by_denominator.get(value.denominator, 0)
            by_denominator[value.denominator] = before + value.numerator
        else:
            rounded.append(value)
    total = sum((Fraction(top, bottom) for bottom, top in by_denominator.items()), start=ZERO)
    return math.fsum([*rounded, float(total)]) if rounded else total


def fractions(tops: Iterable[int], bottoms: Iterable[int]) -> list[Fraction]:
    """Divide whole numbers by whole numbers, pair by pair."""
    return [Fraction(top, bottom) for top, bottom in zip(tops, bottoms, strict=True)]


def whole(values: Sequence[int]) -> list[Fraction]:
    """Take whole numbers for fractions."""
    return [Fraction(value) for value in values]


def decimal(value: float) -> Fraction:
    """Return the number that a user wrote: 0.2 is 1/5, which no float is."""
    return Fraction(str(value))


def said(value: float) -> str:
    """Write a number that a user wrote as a fraction, or as it was if it is a long one."""
    fraction = str(decimal(value))
    return fraction if len(fraction) <= len("1234/56789") else str(value)


def pairs(size: int) -> Fraction:
    """Return the number of pairs among some mentions."""
    return Fraction(size * (size - 1) // 2)


def exact(value: float) -> Number:
    """Return a whole number as a fraction, and any other float as it is."""
    return Fraction(int(value)) if math.isfinite(value) and value == int(value) else value
