"""Counts: what each metric counted in each unit; all that scores and statistics need.

Counts are never summed before the end, and then exactly: a score does not depend, to the
last bit, on how the work was divided or on the order of documents.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from scoref.arrays import Floats
from scoref.exceptions import UsageError
from scoref.metrics.base import Metric, count_units, divide
from scoref.policy import Policy
from scoref.table import Table


class Statistic(NamedTuple):
    """A score as statistics see it: what each unit adds, and the score of any sum of that.

    `rows` are (units, columns); `score` turns (..., columns) into (..., 3).
    """

    rows: Floats
    score: Callable[[Floats], Floats]


def exact_sum(rows: Floats) -> Floats:
    """Sum rows as if with unlimited precision, and round once."""
    return np.array([math.fsum(column.tolist()) for column in rows.T])


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """An array of shape (units, columns) for each metric."""

    units: tuple[str, ...]
    metrics: tuple[Metric, ...]
    rows: Mapping[str, Floats]

    @classmethod
    def of(cls, table: Table, metrics: Sequence[Metric]) -> Counts:
        """Count a table with several metrics; what an average needs is counted once."""
        known: dict[Callable[[Table], Floats], Floats] = {}
        rows = {metric.name: _count(metric, table, known) for metric in metrics}
        return cls(table.units, tuple(metrics), rows)

    @classmethod
    def concatenate(cls, shards: Sequence[Counts]) -> Counts:
        """Put the counts of consecutive units together."""
        names = [metric.name for metric in shards[0].metrics]
        if any([metric.name for metric in shard.metrics] != names for shard in shards):
            raise UsageError("only counts of the same metrics can be put together")
        return cls(
            tuple(unit for shard in shards for unit in shard.units),
            shards[0].metrics,
            {name: np.concatenate([shard.rows[name] for shard in shards]) for name in names},
        )

    def statistic(self, metric: Metric, policy: Policy) -> Statistic:
        """Return a metric as rows that can be summed: its counts, or the units' scores.

        The mean of the units' scores is a ratio of sums as well: of the scores that exist,
        and of how many do.
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
        """Return recall, precision and F1 of each unit, as (units, 3)."""
        return metric.scores(self.rows[metric.name], policy.undefined)


# A function within a function that calls itself would keep the table until the garbage collector
# comes by, which it does not do for a few large arrays.
def _count(metric: Metric, table: Table, known: dict[Callable[[Table], Floats], Floats]) -> Floats:
    """Count a metric, or look up what was counted for another one."""
    if metric.parts:
        return np.concatenate([_count(part, table, known) for part in metric.parts], axis=-1)
    if metric.count not in known:
        known[metric.count] = count_units(metric, table)
    return known[metric.count]
