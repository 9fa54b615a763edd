"""Counts: what each metric counted in each unit, which is all that scores and statistics need.

Counts stay apart, one row per unit, until a score is requested. Then they are summed exactly. So no
bit of a score depends on the order of documents or on how the work was divided.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from scoref.base.arrays import Floats, Ints
from scoref.base.exact_sums import exact_sum, exact_sum_by
from scoref.metrics import find_metrics, portable
from scoref.metrics.base import Metric, count_units, divide
from scoref.metrics.table import Table
from scoref.policy import Policy


class Statistic(NamedTuple):
    """A metric as rows that can be summed, and a function that scores sums of rows.

    `rows` are (units, columns); `score` turns (..., columns) into (..., 3). Resampling draws units
    and scores the sums of their rows.
    """

    rows: Floats
    score: Callable[[Floats], Floats]


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """For each metric, `rows` of shape (units, columns)."""

    units: tuple[str, ...]
    metrics: tuple[Metric, ...]
    rows: Mapping[str, Floats]

    def __eq__(self, other: object) -> bool:
        """Compare units, names of metrics and every count."""
        if not isinstance(other, Counts):
            return NotImplemented
        return (
            self.units == other.units
            and [metric.name for metric in self.metrics] == [m.name for m in other.metrics]
            and _same_rows(self.rows, other.rows)
        )

    def __hash__(self) -> int:
        return hash((self.units, tuple(self.rows)))

    def __reduce__(self) -> tuple[Callable[..., Counts], tuple[Any, ...]]:
        """Pickle known metrics by name, since their functions may not be picklable."""
        return _rebuild, (self.units, portable(self.metrics), dict(self.rows))

    @classmethod
    def of(cls, table: Table, metrics: Sequence[Metric]) -> Counts:
        """Count a table with several metrics; parts that metrics share are counted once.

        The counts of the windows of a document are summed, so that documents stay observations.
        """
        known: dict[Callable[[Table], Floats], Floats] = {}
        counted = table.by_window
        rows = {metric.name: _count(metric, counted, known) for metric in metrics}
        if table.windows is not None:
            of = table.windows.unit, len(table.units)
            rows = {name: _sum_rows(*of, column) for name, column in rows.items()}
        return cls(table.units, tuple(metrics), rows)

    def where(self, units: Ints) -> Counts:
        """Keep some units, by index."""
        names = tuple(self.units[at] for at in units.tolist())
        rows = {name: column[units] for name, column in self.rows.items()}
        return Counts(names, self.metrics, rows)

    def statistic(self, metric: Metric, policy: Policy) -> Statistic:
        """Return a metric as rows that can be summed: its counts, or the scores of units.

        The macro average is a ratio of sums too: the sum of the scores that are defined, and
        their number.
        """
        if policy.average == "micro":
            rows = self.rows[metric.name]
            return Statistic(rows, lambda sums: metric.scores(sums, policy.undefined))
        scores = self.unit_scores(metric, policy)
        rows = np.concatenate([np.nan_to_num(scores), ~np.isnan(scores)], axis=1)
        return Statistic(rows, lambda sums: divide(sums[..., :3], sums[..., 3:]))

    def scores(self, metric: Metric, policy: Policy) -> Floats:
        """Return recall, precision and F1 over all units."""
        rows, score = self.statistic(metric, policy)
        return score(exact_sum(rows))

    def unit_scores(self, metric: Metric, policy: Policy) -> Floats:
        """Return recall, precision and F1 of each unit, as (units, 3).

        A unit without anything in the slice of `where` has no score: its scores are NaN.
        """
        rows = self.rows[metric.name]
        scores = metric.scores(rows, policy.undefined)
        if policy.where != "all":
            scores[~rows.any(axis=1)] = np.nan
        return scores


def _sum_rows(unit: Ints, units: int, rows: Floats) -> Floats:
    """Sum rows into those of larger units."""
    return np.stack([exact_sum_by(unit, column, units) for column in rows.T], axis=1)


def _same_rows(one: Mapping[str, Floats], other: Mapping[str, Floats]) -> bool:
    return one.keys() == other.keys() and all(
        np.array_equal(rows, other[name], equal_nan=True) for name, rows in one.items()
    )


def _rebuild(
    units: tuple[str, ...], metrics: Sequence[str | Metric], rows: Mapping[str, Floats]
) -> Counts:
    return Counts(units, find_metrics(metrics), rows)


# A recursive inner function would hold the table in a reference cycle until the garbage collector
# runs, which few large arrays do not trigger.
def _count(metric: Metric, table: Table, known: dict[Callable[[Table], Floats], Floats]) -> Floats:
    """Return the counts of a metric; `known` has those counted before."""
    if metric.parts:
        return np.concatenate([_count(part, table, known) for part in metric.parts], axis=-1)
    if metric.count not in known:
        known[metric.count] = count_units(metric, table)
    return known[metric.count]
