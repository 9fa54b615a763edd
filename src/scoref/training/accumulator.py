"""Accumulator: scores of a training loop that are updated document by document.

It stores the exact sum of the counts of all documents. An exact sum does not depend on the order
of its terms. So documents in any order, in any batches and from any processes have the same scores,
to the last bit, as all documents at once. Documents that are added one by one are counted together
later, because counting a document by itself costs far more than one of many.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any, Self, Unpack

import numpy as np

from scoref.alignment.document_pairing import ABSENT, find_key_documents
from scoref.base.phrases import listed
from scoref.compat.counting import as_counted
from scoref.corpus.corpus import Entities
from scoref.counts.counts import Counts
from scoref.exceptions import UsageError
from scoref.metrics import Metric, MetricLike, find_metric, find_metrics, portable
from scoref.policy import Policy, PolicyLike, PolicyOptions
from scoref.preparation.inputs import Input
from scoref.result import Score
from scoref.scoring import score
from scoref.training.key import Key

_BUFFER = 512
"""How many documents wait until they are counted, unless a score is requested before."""

Parts = list[list[float]]
"""For each column, a few numbers with the same exact sum as all numbers that were added."""


class Accumulator:
    """Accumulates the scores of documents: `acc.add(key, response); acc["conll"].f1`.

    Adding document by document costs as much as adding a batch. Reading a score takes the same
    time after one document and after a million. Accumulators merge with `+=` and can be pickled.
    """

    def __init__(
        self,
        metrics: Iterable[MetricLike] | None = None,
        policy: PolicyLike | None = None,
        **choices: Unpack[PolicyOptions],
    ) -> None:
        self.policy = Policy.of(policy, **choices)
        self.metrics = as_counted(find_metrics(metrics), self.policy)
        self.documents = 0
        self._names: set[str] = set()
        self._parts: dict[str, Parts] = {}
        self._waiting: list[tuple[Hashable, Entities, Entities]] = []

    def add(self, key: Entities, response: Entities, document: str | None = None) -> None:
        """Add one document: its entities in the key and in the response.

        A named document cannot be added twice, not even in different processes. Invalid entities
        are refused when documents are counted, which is when a score is requested, at the latest.
        """
        self._admit(set() if document is None else {document}, 1)
        name = ("", self.documents) if document is None else document
        self._waiting.append((name, _copy(key), _copy(response)))
        if len(self._waiting) >= _BUFFER:
            self._count_waiting()

    def _count_waiting(self) -> None:
        """Count the documents that were added one by one."""
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        keys = {name: key for name, key, _ in waiting}
        responses = {name: response for name, _, response in waiting}
        self._add_counts(score(keys, responses, self.metrics, self.policy).counts)

    def update(self, key: Input | Key, response: Input) -> None:
        """Add a batch of documents: any inputs of `score`. No document can be added twice.

        If the key is a `Key`, only the documents of the response are added. Other batches or other
        processes may add the other documents of the key.
        """
        if isinstance(key, Key):
            counts = self._count_batch(key, response)
        else:
            counts = score(key, response, self.metrics, self.policy).counts
        self._admit(set(counts.units), len(counts.units))
        self._add_counts(counts)

    def _count_batch(self, key: Key, response: Input) -> Counts:
        """Count the documents of a key that the response has."""
        if not self._matches(key):
            raise UsageError(
                "the key has other metrics or another policy than the accumulator",
                "make it with Accumulator(key.metrics, key.policy)",
            )
        result = key.score(response)
        alignment = result.alignment
        if alignment is None or alignment.key_corpus is None or alignment.res_corpus is None:
            return result.counts  # a counts file has all documents of the key
        present = find_key_documents(alignment.key_corpus, alignment.res_corpus)
        return result.counts.where(np.unique(present[present != ABSENT]))

    def _matches(self, other: Accumulator | Key) -> bool:
        """Whether another accumulator, or a key, has the same metrics and policy."""
        names = [metric.name for metric in other.metrics]
        return [metric.name for metric in self.metrics] == names and self.policy == other.policy

    def merge(self, other: Accumulator) -> None:
        """Add all documents of another accumulator, for example from another process."""
        if not self._matches(other):
            raise UsageError("only accumulators of the same metrics and policy can be merged")
        other._count_waiting()
        self._admit(other._names, other.documents)
        self._add_parts(other._parts)

    def __iadd__(self, other: Accumulator) -> Self:
        self.merge(other)
        return self

    def reset(self) -> None:
        """Remove all documents."""
        self.documents = 0
        self._names = set()
        self._parts = {}
        self._waiting = []

    def __len__(self) -> int:
        return self.documents

    def __iter__(self) -> Iterator[str]:
        return (metric.name for metric in self.metrics)

    def __getitem__(self, metric: str) -> Score:
        one = self._find(metric)
        _, score_sums = _no_counts(one).statistic(one, self.policy)
        return Score(*score_sums(np.array(self._sums(one))).tolist())

    def totals(self, metric: str) -> dict[str, float]:
        """Return the sums of what a metric counted: numerator and denominator of recall, ..."""
        one = self._find(metric)
        if self.policy.average != "micro":
            raise UsageError("with average macro, scores of documents are added, not their counts")
        return dict(zip(one.columns, self._sums(one), strict=True))

    def _find(self, metric: str) -> Metric:
        names = {one.name: one for one in self.metrics}
        one = names.get(metric) or names.get(find_metric(metric).name)
        if one is None:
            raise UsageError(
                f"this accumulator has no metric {metric!r}", f"it has: {listed(list(names))}"
            )
        return one

    def _sums(self, metric: Metric) -> list[float]:
        self._count_waiting()
        empty, _ = _no_counts(metric).statistic(metric, self.policy)
        columns = self._parts.get(metric.name, [[]] * empty.shape[1])
        return [math.fsum(parts) for parts in columns]

    @property
    def scores(self) -> Mapping[str, Score]:
        """The scores of all documents so far, by metric."""
        return {name: self[name] for name in self}

    def _admit(self, names: set[str], documents: int) -> None:
        """Add to the documents that are known, unless one of them is known already."""
        if again := sorted(names & self._names):
            raise UsageError(
                f"documents were added twice: {listed(again)}",
                "samplers of distributed training repeat documents to fill the last batch; remove"
                " the repetitions",
            )
        self._names |= names
        self.documents += documents

    def _add_counts(self, counts: Counts) -> None:
        rows = {m.name: counts.statistic(m, self.policy).rows for m in self.metrics}
        for name, values in rows.items():
            if not np.isfinite(values).all():
                raise UsageError(f"{name} has counts that are not finite")
        columns = {name: values.T.tolist() for name, values in rows.items()}
        self._add_parts(columns)

    def _add_parts(self, added: Mapping[str, Parts]) -> None:
        for name, columns in added.items():
            before = self._parts.get(name, [[] for _ in columns])
            self._parts[name] = [
                condense([*parts, *more]) for parts, more in zip(before, columns, strict=True)
            ]

    def __getstate__(self) -> dict[str, Any]:
        """Pickle known metrics by name, since their functions may not be picklable."""
        self._count_waiting()
        return {**self.__dict__, "metrics": portable(self.metrics)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.metrics = as_counted(find_metrics(state["metrics"]), self.policy)


def _copy(entities: Entities) -> Entities:
    """Copy entities, which may change or be used up before they are counted."""
    if isinstance(entities, Mapping):
        return {name: list(mentions) for name, mentions in entities.items()}
    return [list(mentions) for mentions in entities]


def condense(values: list[float]) -> list[float]:
    """Return a few numbers with the same exact sum, largest first.

    The first number is the rounded sum, the next is the rounding error, and so on.
    """
    parts: list[float] = []
    while rest := math.fsum([*values, *(-part for part in parts)]):
        parts.append(rest)
    return parts


def _no_counts(metric: Metric) -> Counts:
    """Return the counts of zero documents."""
    return Counts((), (metric,), {metric.name: np.zeros((0, len(metric.columns)))})
