"""Metric: a function that counts a table, and a function that scores any sum of counts.

A metric of your own is a file such as `exact_entities.py`::

    import numpy as np
    from scoref import Metric, Table

    def count(table: Table) -> np.ndarray:
        equal = (table.count == table.cell_key_size) & (table.count == table.cell_res_size)
        found = table.sum_cells(equal)
        keys = table.sum_keys(np.ones(len(table.key_size)))
        responses = table.sum_responses(np.ones(len(table.res_size)))
        return np.column_stack([found, keys, found, responses])

    EXACT = Metric("exact", count, by_sums=True)

`scoref score -m exact_entities:EXACT KEY RESPONSE` takes it from the file. A package gives it a
name for `scoref score -m exact`, with an entry point in its `pyproject.toml`::

    [project.entry-points."scoref.metrics"]
    exact = "exact_entities:EXACT"
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Floats, Ints
from scoref.exceptions import UsageError
from scoref.metrics.table import Table

Count = Callable[[Table], Floats]

RATIO = ("recall_num", "recall_den", "precision_num", "precision_den")
RECALL, PRECISION, F1 = range(3)


class About(NamedTuple):
    """What a user should know about a metric before citing it."""

    title: str
    formula: str
    paper: str
    rewards: str
    ignores: str


def divide(numerator: Floats, denominator: Floats) -> Floats:
    """Divide; 0/0 is undefined and becomes NaN, for the policy to decide on."""
    nan = np.full(np.broadcast(numerator, denominator).shape, np.nan)
    quotient: Floats = np.divide(numerator, denominator, out=nan, where=denominator != 0)
    return quotient


def f1(recall: Floats, precision: Floats) -> Floats:
    """Return the harmonic mean of recall and precision.

    It is defined if either is: where only one is 0/0, nothing is correct, and F1 is 0.
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
    """A name and two pure functions: one counts, the other scores.

    * `name`: The name in results and on the command line.
    * `count`: Turns a `Table` into counts of shape (units, columns).
    * `score`: Turns counts of shape (..., columns) into (..., 3): recall, precision and F1, with
      NaN for 0/0. Because it takes any leading axes, one call scores a corpus, each document, or
      every bootstrap draw. By default, the ratios of four columns.
    * `columns`: The names of the counts, by default the numerator and denominator of recall, then
      of precision.
    * `about`: What `scoref metrics` shows: title, formula, paper, what it rewards and ignores.
    * `symmetric`: Whether swapping key and response swaps recall and precision.
    * `parts`: The metrics of which this metric is the mean of F1, if it is a mean.
    * `needs`: What a corpus must have in addition to entities (`scoref.metrics.needs`).
    * `lowest`: The lowest score that is possible.
    * `has_sides`: Whether the metric has recall and precision, not only F1.
    * `keeps_undefined`: Whether the score is undefined where it is 0/0, whatever the policy is.
    * `by_sums`: Whether the metric needs only the sums and sizes of the table, so that a histogram
      of the table is enough.
    * `takes_several`: Whether the metric is defined for mentions in several entities.
    * `is_distance`: Whether 0 is best, without an upper bound; shown as it is, not in percent.
    """

    name: str
    count: Count
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
    takes_several: bool = False
    is_distance: bool = False

    @property
    def scale(self) -> float:
        """What a score is multiplied by where it is shown: percent, but a distance as it is."""
        return 1.0 if self.is_distance else 100.0

    def __repr__(self) -> str:
        return f"<Metric {self.name}>"

    def scores(self, counts: Floats, undefined: str = "zero") -> Floats:
        """Score counts, with 0/0 replaced as the policy says: `zero`, `one` or `skip` (NaN)."""
        if self.parts:
            return self._mean_of_parts(counts, undefined)
        scores = self.score(counts)
        if undefined == "skip" or self.keeps_undefined:
            return scores
        exists = np.array([self.has_sides, self.has_sides, True])
        return np.where(np.isnan(scores) & exists, 1.0 if undefined == "one" else 0.0, scores)

    def split_parts(self, counts: Floats) -> Iterator[tuple[Metric, Floats]]:
        """Return the parts of a mean with their columns of the counts, or the metric itself."""
        if not self.parts:
            return iter([(self, counts)])
        ends = np.cumsum([len(part.columns) for part in self.parts])
        return zip(self.parts, np.split(counts, ends[:-1], axis=-1), strict=True)

    def _mean_of_parts(self, counts: Floats, undefined: str) -> Floats:
        f1s = [part.scores(one, undefined)[..., F1] for part, one in self.split_parts(counts)]
        return only_f1(mean_of_defined(np.stack(f1s, axis=-1), axis=-1))


def ratio_counts(
    table: Table, recall: Floats, keys: Floats | Ints, precision: Floats, responses: Floats | Ints
) -> Floats:
    """Return the columns RATIO: numerators per unit, and the sums of one value per entity."""
    return np.column_stack(
        [recall, table.sum_keys(keys), precision, table.sum_responses(responses)]
    )


def mean_of_defined(values: Floats, axis: int) -> Floats:
    """Average the values that are not NaN; the average of no values is NaN."""
    defined = ~np.isnan(values)
    return divide(np.nan_to_num(values).sum(axis=axis), defined.sum(axis=axis).astype(np.float64))


def only_f1(values: Floats) -> Floats:
    """Return the scores of a metric that has no recall and precision."""
    undefined = np.full_like(values, np.nan)
    return np.stack([undefined, undefined, values], axis=-1)


def average(name: str, parts: Sequence[Metric], about: About | None = None) -> Metric:
    """Return the metric that is the mean F1 of other metrics."""

    def count(table: Table) -> Floats:
        return np.concatenate([part.count(table) for part in parts], axis=-1)

    names = tuple(f"{part.name}.{column}" for part in parts for column in part.columns)
    symmetric = all(part.symmetric for part in parts)
    return Metric(name, count, columns=names, about=about, symmetric=symmetric, parts=tuple(parts))


def count_units(metric: Metric, table: Table) -> Floats:
    """Count with a metric, and check the shape of the counts."""
    if table.best is not None and not metric.by_sums:
        raise UsageError(
            f"{metric.name} requires single mentions or entities, but only a histogram is left",
            "score a table that fits into memory, or leave the metric out",
        )
    counts = np.asarray(metric.count(table), dtype=np.float64)
    expected = (len(table.units), len(metric.columns))
    if counts.shape != expected:
        raise UsageError(
            f"the metric {metric.name} returned counts of shape {counts.shape}, expected"
            f" {expected}: a row for each unit, a column for each of {', '.join(metric.columns)}"
        )
    return counts


def links(size: Floats | Ints) -> Floats:
    """Return the number of pairs among some mentions."""
    size = np.asarray(size, dtype=np.float64)
    return size * (size - 1) / 2
