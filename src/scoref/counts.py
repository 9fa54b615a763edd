"""Counts: what each metric counted in each unit; all that scores and statistics need.

Counts are never summed before the end. Shards are concatenated in document order and
summed once, so a score does not depend, to the last bit, on how the work was divided.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scoref.arrays import Floats
from scoref.exceptions import UsageError
from scoref.metrics.base import Metric, count_units, mean_of_defined
from scoref.policy import Policy
from scoref.table import Table


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

        def count(metric: Metric) -> Floats:
            if metric.parts:
                return np.concatenate([count(part) for part in metric.parts], axis=-1)
            if metric.count not in known:
                known[metric.count] = count_units(metric, table)
            return known[metric.count]

        return cls(table.units, tuple(metrics), {m.name: count(m) for m in metrics})

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

    def scores(self, metric: Metric, policy: Policy) -> Floats:
        """Return recall, precision and F1 over all units."""
        if policy.average == "macro":
            return mean_of_defined(self.unit_scores(metric, policy), axis=0)
        return metric.scores(self.rows[metric.name].sum(axis=0), policy.undefined)

    def unit_scores(self, metric: Metric, policy: Policy) -> Floats:
        """Return recall, precision and F1 of each unit, as (units, 3)."""
        return metric.scores(self.rows[metric.name], policy.undefined)
