"""What a metric is: a way to count documents, and a way to score any sum of counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from scoref.base.arrays import Floats, Ints
from scoref.exceptions import UsageError
from scoref.overlap.table import Table

RATIO = ("recall_num", "recall_den", "precision_num", "precision_den")
RECALL, PRECISION, F1 = range(3)
TYPES, ORDER, SAME_MENTIONS = "mention types", "mention order", "the same mentions"
ENTITY_TYPES, HEADS, SPANS = "entity types", "heads of mentions", "spans of mentions"
KEY_HEADS, LEAST, PARSES = "heads of key mentions", "minimal spans or heads", "parses"
ZEROS, BRIDGING, NON_REFERRING = "zeros", "bridging", "non-referring mentions"


@dataclass(frozen=True, slots=True)
class About:
    """What a user may want to know of a metric before citing it."""

    title: str
    formula: str
    paper: str
    rewards: str
    ignores: str


def divide(numerator: Floats, denominator: Floats) -> Floats:
    """Divide; 0/0 does not exist and is NaN, for the policy to decide on."""
    nan = np.full(np.broadcast(numerator, denominator).shape, np.nan)
    quotient: Floats = np.divide(numerator, denominator, out=nan, where=denominator != 0)
    return quotient


def f1(recall: Floats, precision: Floats) -> Floats:
    """Return the harmonic mean of recall and precision.

    It exists if either does: with one of them 0/0, nothing was right, and it is 0.
    """
    product = np.nan_to_num(recall) * np.nan_to_num(precision)
    total = np.nan_to_num(recall) + np.nan_to_num(precision)
    mean = 2 * product / np.where(total == 0, 1.0, total)
    return np.where(np.isnan(recall) & np.isnan(precision), np.nan, mean)


def score_ratio(counts: Floats) -> Floats:
    """Score (..., 4) counts as recall, precision and F1."""
    recall = divide(counts[..., 0], counts[..., 1])
    precision = divide(counts[..., 2], counts[..., 3])
    return np.stack([recall, precision, f1(recall, precision)], axis=-1)


@dataclass(frozen=True, slots=True, eq=False)
class Metric:
    """A name and two pure functions.

    `count` turns a table into counts of shape (units, columns). `score` turns counts of
    shape (..., columns) into (..., 3): recall, precision, F1, with NaN for what is 0/0.
    Because `score` takes any leading axes, one call scores a corpus, each document, or
    every bootstrap draw.

    A metric with `parts` is the mean of their F1. Swapping key and response swaps recall
    and precision if the metric is `symmetric`. `needs` names what a corpus must have besides
    entities: TYPES of mentions, their ORDER in the text, or the SAME_MENTIONS on both sides.
    No score is below `lowest`. A measure without `has_sides` has no recall and precision; one
    that `keeps_undefined` has no score where it is undefined, whatever the policy says. Where
    counts are made `by_sums` of the table alone, or are CEAF, a histogram is enough for them.
    """

    name: str
    count: Callable[[Table], Floats]
    score: Callable[[Floats], Floats] = score_ratio
    columns: tuple[str, ...] = RATIO
    about: About | None = None
    symmetric: bool = True
    parts: tuple[Metric, ...] = ()
    needs: frozenset[str] = frozenset()
    lowest: float = 0.0
    has_sides: bool = True
    keeps_undefined: bool = False
    by_sums: bool = False

    def scores(self, counts: Floats, undefined: str = "zero") -> Floats:
        """Score counts, with 0/0 counted as the policy says: `zero`, `one` or `skip` (NaN)."""
        if self.parts:
            return self._mean_of_parts(counts, undefined)
        scores = self.score(counts)
        if undefined == "skip" or self.keeps_undefined:
            return scores
        exists = np.array([self.has_sides, self.has_sides, True])
        return np.where(np.isnan(scores) & exists, 1.0 if undefined == "one" else 0.0, scores)

    def _mean_of_parts(self, counts: Floats, undefined: str) -> Floats:
        ends = np.cumsum([len(part.columns) for part in self.parts])
        split = np.split(counts, ends[:-1], axis=-1)
        f1s = [
            part.scores(columns, undefined)[..., F1]
            for part, columns in zip(self.parts, split, strict=True)
        ]
        return only_f1(mean_of_defined(np.stack(f1s, axis=-1), axis=-1))


def mean_of_defined(values: Floats, axis: int) -> Floats:
    """Average what is not NaN; the average of nothing is NaN."""
    defined = ~np.isnan(values)
    return divide(np.nan_to_num(values).sum(axis=axis), defined.sum(axis=axis).astype(np.float64))


def average(name: str, parts: Sequence[Metric], about: About | None = None) -> Metric:
    """Make the metric that is the mean F1 of others."""

    def count(table: Table) -> Floats:
        return np.concatenate([part.count(table) for part in parts], axis=-1)

    columns = tuple(f"{part.name}.{column}" for part in parts for column in part.columns)
    symmetric = all(part.symmetric for part in parts)
    return Metric(
        name, count, columns=columns, about=about, symmetric=symmetric, parts=tuple(parts)
    )


def count_units(metric: Metric, table: Table) -> Floats:
    """Count with a metric, and check that it returned what a metric must return."""
    if table.times is not None and not metric.by_sums:
        raise UsageError(
            f"{metric.name} looks at single mentions or entities, of which only a histogram is"
            " left here",
            "score a table that fits into memory, or leave the measure out",
        )
    counts = np.asarray(metric.count(table), dtype=np.float64)
    expected = (len(table.units), len(metric.columns))
    if counts.shape != expected:
        raise UsageError(
            f"the metric {metric.name} returned counts of shape {counts.shape}, expected"
            f" {expected}: a row for each unit, a column for each of {', '.join(metric.columns)}"
        )
    return counts


def only_f1(values: Floats) -> Floats:
    """Make scores of a measure that has no recall and precision."""
    nothing = np.full_like(values, np.nan)
    return np.stack([nothing, nothing, values], axis=-1)


def check_same_mentions(table: Table, metric: str, instead: str) -> None:
    """Refuse to compare partitions of different mentions, and name what can be had instead."""
    missing = int(table.sum_keys(table.key_size - table.key_kept).sum())
    spurious = int(table.sum_responses(table.res_size - table.res_kept).sum())
    if missing or spurious:
        raise UsageError(
            f"{metric} compares partitions of the same mentions, but the response lacks"
            f" {missing} and adds {spurious}",
            f"{instead} leaves those out that only one side has",
        )


def links(size: Floats | Ints) -> Floats:
    """Return the number of pairs among some mentions."""
    size = np.asarray(size, dtype=np.float64)
    return size * (size - 1) / 2
