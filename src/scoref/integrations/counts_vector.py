"""CountsVector: the counts of a document as one row of numbers that a harness can collect.

A harness scores samples apart and combines them by a rule of its own. The mean of the scores of
documents is not the score of a corpus. Sums of counts are, so each adapter turns a document into
a row of counts, lets the harness collect rows, and scores their sum:

    vector = CountsVector(["muc", "b3", "ceafe", "conll"])
    rows = vector.count(key, response)            # (documents, columns)
    vector.scores(rows)["conll"].f1               # as scoref.score, to the last bit
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from scoref.base.arrays import Floats
from scoref.base.exact_sums import exact_sum
from scoref.counts.counted import as_counted
from scoref.counts.counts import Counts
from scoref.exceptions import UsageError
from scoref.matching.inputs import Input
from scoref.metrics import Metric, MetricLike, find_metrics, portable
from scoref.policy import Policy, PolicyLike
from scoref.result import Score
from scoref.scoring import score


class CountsVector:
    """Metrics and a policy, as columns in a fixed order: `muc.recall_num`, `muc.recall_den`, ...

    The columns are those of the metrics, one metric after the other in the order given. With the
    policy `average="macro"`, a metric has the scores of documents and the number of those that are
    defined instead.

    * `metrics`: Names such as `"b3"` or `"blanc(alpha=0.2)"`, `Metric` objects, or functions from a
      `Table` to counts of shape (units, 4). By default, those of `scoref score`.
    * `policy`: A `Policy`, or a dict of its fields.
    """

    def __init__(
        self, metrics: Iterable[MetricLike] | None = None, policy: PolicyLike | None = None
    ) -> None:
        self.policy = Policy.of(policy)
        if self.policy.unit != "document":
            raise UsageError(
                f"counts of documents cannot be added if the unit is {self.policy.unit}",
                "collect all documents, and score them with scoref.score",
            )
        chosen = find_metrics(metrics, "an adapter of a harness")
        self.metrics = as_counted(chosen, self.policy)
        self.columns = tuple(
            f"{metric.name}.{column}" for metric in self.metrics for column in self._columns(metric)
        )

    def __reduce__(self) -> tuple[type[CountsVector], tuple[Any, ...]]:
        """Pickle known metrics by name, since their functions may not be picklable."""
        return CountsVector, (portable(self.metrics), self.policy)

    def _columns(self, metric: Metric) -> Sequence[str]:
        if self.policy.average == "micro":
            return metric.columns
        parts = ("recall", "precision", "f1")
        return [*parts, *(f"{part}_defined" for part in parts)]

    def count(self, key: Input, response: Input, **keywords: Any) -> Floats:
        """Count any inputs of `score`, and return a row for each document of the key."""
        counts = score(key, response, self.metrics, self.policy, **keywords).counts
        parts = [counts.statistic(one, self.policy).rows for one in self.metrics]
        return np.concatenate(parts, axis=1)

    def scores(self, rows: Any) -> dict[str, Score]:
        """Return the scores of some rows together; the order of rows does not matter."""
        widths = [len(self._columns(metric)) for metric in self.metrics]
        parts = np.split(exact_sum(self._checked(rows)), np.cumsum(widths)[:-1])
        return {
            metric.name: Score(*_empty(metric).statistic(metric, self.policy).score(part).tolist())
            for metric, part in zip(self.metrics, parts, strict=True)
        }

    def _checked(self, rows: Any) -> Floats:
        """Return rows as an array; no rows have the columns of this vector too."""
        array = np.asarray(rows, dtype=np.float64)
        array = array.reshape(0, len(self.columns)) if array.size == 0 else array
        if array.ndim != 2 or array.shape[1] != len(self.columns):
            raise UsageError(
                f"found rows of shape {array.shape}, expected {len(self.columns)} columns:"
                f" {', '.join(self.columns[:4])}, ...",
                "score rows with the metrics and the policy that they were counted with",
            )
        return array


def _empty(metric: Metric) -> Counts:
    """Return the counts of zero documents."""
    return Counts((), (metric,), {metric.name: np.zeros((0, len(metric.columns)))})
