"""Counts: what each metric counted in each unit, which is all that scores and statistics need.

The counts of units are concatenated, never added, until a score is requested. Then they are summed
exactly. So no bit of a score depends on the order of documents or on how the work was divided.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from scoref.assignment.solver import time_limit
from scoref.base.arrays import Floats, Ints
from scoref.exceptions import UsageError
from scoref.metrics import find_metrics, portable
from scoref.metrics.base import RATIO, Metric, count_units, divide
from scoref.overlap.table import Table
from scoref.policy import Policy


class Statistic(NamedTuple):
    """A metric as rows that can be summed, and a function that scores sums of rows.

    `rows` are (units, columns); `score` turns (..., columns) into (..., 3). Resampling draws units
    and scores the sums of their rows.
    """

    rows: Floats
    score: Callable[[Floats], Floats]


def exact_sum(rows: Floats) -> Floats:
    """Sum rows with unlimited precision, and round once."""
    return np.array([math.fsum(column.tolist()) for column in rows.T])


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """For each metric, `rows` of shape (units, columns).

    If the time limit of a metric ran out, its `rows` are lower bounds, and `most` holds the upper
    bounds.
    """

    units: tuple[str, ...]
    metrics: tuple[Metric, ...]
    rows: Mapping[str, Floats]
    most: Mapping[str, Floats] = field(default_factory=dict)

    def __eq__(self, other: object) -> bool:
        """Compare units, names of metrics and every count."""
        if not isinstance(other, Counts):
            return NotImplemented
        return (
            self.units == other.units
            and [metric.name for metric in self.metrics] == [m.name for m in other.metrics]
            and _same_rows(self.rows, other.rows)
            and _same_rows(self.most, other.most)
        )

    def __hash__(self) -> int:
        return hash((self.units, tuple(self.rows)))

    def __reduce__(self) -> tuple[Callable[..., Counts], tuple[Any, ...]]:
        """Pickle known metrics by name, since their functions may not be picklable."""
        found = (dict(self.rows), dict(self.most))
        return _rebuild, (self.units, portable(self.metrics), *found)

    @classmethod
    def of(cls, table: Table, metrics: Sequence[Metric], seconds: float | None = None) -> Counts:
        """Count a table with several metrics; parts that metrics share are counted once.

        `seconds` limits the search of each metric for the best alignment of entities.
        """
        known: dict[Callable[[Table], Floats], Floats] = {}
        counts = {metric.name: _count(metric, table, seconds, known) for metric in metrics}
        rows = {name: found for name, (found, _) in counts.items()}
        most = {name: most for name, (found, most) in counts.items() if (most > found).any()}
        return cls(table.units, tuple(metrics), rows, most)

    def where(self, units: Ints) -> Counts:
        """Keep some units, by index."""
        names = tuple(self.units[at] for at in units.tolist())
        rows, most = (
            {name: column[units] for name, column in columns.items()}
            for columns in (self.rows, self.most)
        )
        return Counts(names, self.metrics, rows, most)

    @classmethod
    def concatenate(cls, shards: Sequence[Counts]) -> Counts:
        """Concatenate the counts of consecutive units."""
        names = [metric.name for metric in shards[0].metrics]
        if any([metric.name for metric in shard.metrics] != names for shard in shards):
            raise UsageError("only counts of the same metrics can be concatenated")
        cut_off = [name for name in names if any(name in shard.most for shard in shards)]
        most = [{**shard.rows, **shard.most} for shard in shards]
        return cls(
            tuple(unit for shard in shards for unit in shard.units),
            shards[0].metrics,
            {name: np.concatenate([shard.rows[name] for shard in shards]) for name in names},
            {name: np.concatenate([shard[name] for shard in most]) for name in cut_off},
        )

    @property
    def upper(self) -> Counts:
        """The counts with upper bounds in place of lower bounds."""
        return Counts(self.units, self.metrics, {**self.rows, **self.most})

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


def _same_rows(one: Mapping[str, Floats], other: Mapping[str, Floats]) -> bool:
    return one.keys() == other.keys() and all(
        np.array_equal(rows, other[name], equal_nan=True) for name, rows in one.items()
    )


def _rebuild(
    units: tuple[str, ...],
    metrics: Sequence[str | Metric],
    rows: Mapping[str, Floats],
    most: Mapping[str, Floats],
) -> Counts:
    return Counts(units, find_metrics(metrics), rows, most)


def _count_bounds(metric: Metric, table: Table, seconds: float | None) -> Floats:
    """Count with a metric, and return lower and upper bounds; without a limit they are equal."""
    if seconds is None:
        rows = count_units(metric, table)
        return np.stack([rows, rows])
    with time_limit(seconds) as limit:
        rows = count_units(metric, table)
    most = rows.copy()
    if limit.gap.any():
        totals = [RATIO.index("recall_num"), RATIO.index("precision_num")]
        most[:, totals] += limit.gap[:, None]
    return np.stack([rows, most])


# A recursive inner function would hold the table in a reference cycle until the garbage collector
# runs, which few large arrays do not trigger.
def _count(
    metric: Metric,
    table: Table,
    seconds: float | None,
    known: dict[Callable[[Table], Floats], Floats],
) -> Floats:
    """Return lower and upper bounds as (2, units, columns); `known` has those counted before."""
    if metric.parts:
        parts = [_count(part, table, seconds, known) for part in metric.parts]
        return np.concatenate(parts, axis=-1)
    if metric.count not in known:
        known[metric.count] = _count_bounds(metric, table, seconds)
    return known[metric.count]
