"""Accumulator: scores of a training loop, document by document, at any moment.

What is kept is the exact sum of what each document adds. An exact sum does not depend on its
order, so documents in any order, in any batches and from any processes give the very bits
that scoring them at once gives.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Self

import numpy as np

from scoref.alignment.document_pairing import ABSENT, find_key_documents
from scoref.base.phrases import listed
from scoref.compat.counting import as_counted
from scoref.corpus.corpus import Entities
from scoref.counts.counts import Counts
from scoref.exceptions import UsageError
from scoref.metrics import Metric, MetricLike, find_metric, find_metrics, portable
from scoref.policy import Policy
from scoref.preparation.inputs import Input
from scoref.result import Score
from scoref.scoring import score
from scoref.training.key import Key

Parts = list[list[float]]
"""For each column, a few numbers whose exact sum is that of all that was added."""


class Accumulator:
    """Adds documents and answers for their scores: `acc.add(key, response); acc["conll"].f1`.

    Adding costs as much as scoring the document; asking costs no more with a million
    documents than with one. Accumulators merge with `+=` and can be pickled.
    """

    def __init__(
        self, metrics: Iterable[MetricLike] | None = None, policy: Policy | None = None
    ) -> None:
        self.policy = policy or Policy()
        self.metrics = as_counted(find_metrics(metrics), self.policy)
        self.documents = 0
        self._names: set[str] = set()
        self._parts: dict[str, Parts] = {}

    def add(self, key: Entities, response: Entities, document: str | None = None) -> None:
        """Add one document: its entities in the key and in the response.

        A document that is named cannot be added twice, in whatever process.
        """
        name = "document" if document is None else document
        counts = score({name: key}, {name: response}, self.metrics, self.policy).counts
        self._add(counts, set() if document is None else {document})

    def update(self, key: Input | Key, response: Input) -> None:
        """Add a batch of documents: whatever `score` takes. They cannot be added twice.

        Of a `Key`, only those documents are added that the response has: the others may come
        in other batches, or in other processes.
        """
        if isinstance(key, Key):
            counts = self._of_batch(key, response)
        else:
            counts = score(key, response, self.metrics, self.policy).counts
        self._add(counts, set(counts.units))

    def _of_batch(self, key: Key, response: Input) -> Counts:
        """Count the documents of a key that the response has."""
        names = [metric.name for metric in key.metrics]
        if [metric.name for metric in self.metrics] != names or key.policy != self.policy:
            raise UsageError(
                "the key has other metrics or another policy than the accumulator",
                "make it with Accumulator(key.metrics, key.policy)",
            )
        result = key.score(response)
        alignment = result.alignment
        if alignment is None or alignment.key_corpus is None or alignment.res_corpus is None:
            return result.counts  # of a counts file, which has all documents
        here = find_key_documents(alignment.key_corpus, alignment.res_corpus)
        return result.counts.where(np.unique(here[here != ABSENT]))

    def merge(self, other: Accumulator) -> None:
        """Add all that another accumulator has, from another process for example."""
        names = [metric.name for metric in self.metrics]
        if [metric.name for metric in other.metrics] != names or other.policy != self.policy:
            raise UsageError("only accumulators of the same metrics and policy can be merged")
        self._take(other._names)
        self.documents += other.documents
        for name, parts in other._parts.items():
            ours = self._parts.get(name, [[] for _ in parts])
            self._parts[name] = [
                condense([*mine, *theirs]) for mine, theirs in zip(ours, parts, strict=True)
            ]

    def __iadd__(self, other: Accumulator) -> Self:
        self.merge(other)
        return self

    def reset(self) -> None:
        """Forget everything that was added."""
        self.documents = 0
        self._names = set()
        self._parts = {}

    def __len__(self) -> int:
        return self.documents

    def __iter__(self) -> Iterator[str]:
        return (metric.name for metric in self.metrics)

    def __getitem__(self, metric: str) -> Score:
        names = {one.name: one for one in self.metrics}
        one = names.get(metric) or names.get(find_metric(metric).name)
        if one is None:
            raise UsageError(
                f"this accumulator has no metric {metric!r}", f"it has: {listed(list(names))}"
            )
        empty, scored = _nothing(one).statistic(one, self.policy)
        columns = self._parts.get(one.name, [[]] * empty.shape[1])
        return Score(*scored(np.array([math.fsum(parts) for parts in columns])).tolist())

    @property
    def scores(self) -> Mapping[str, Score]:
        """The scores of all documents so far, by metric."""
        return {name: self[name] for name in self}

    def _take(self, names: set[str]) -> None:
        if again := sorted(names & self._names):
            raise UsageError(
                f"documents are added twice: {listed(again)}",
                "samplers of distributed training repeat documents to fill the last batch;"
                " leave those out",
            )
        self._names |= names

    def _add(self, counts: Counts, names: set[str]) -> None:
        added = {m.name: counts.statistic(m, self.policy).rows for m in self.metrics}
        for name, rows in added.items():
            if not np.isfinite(rows).all():
                raise UsageError(f"{name} counted something that is not a number")
        self._take(names)
        for name, rows in added.items():
            ours = self._parts.get(name, [[] for _ in range(rows.shape[1])])
            self._parts[name] = [
                condense([*parts, *column])
                for parts, column in zip(ours, rows.T.tolist(), strict=True)
            ]
        self.documents += len(counts.units)

    def __getstate__(self) -> dict[str, Any]:
        """Pickle known metrics by their names: their functions need not be picklable."""
        return {**self.__dict__, "metrics": portable(self.metrics)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.metrics = as_counted(find_metrics(state["metrics"]), self.policy)


def condense(values: list[float]) -> list[float]:
    """Return a few numbers with the very same exact sum, the largest first.

    The first is the sum rounded, the next what rounding left, and so on until nothing is.
    """
    parts: list[float] = []
    while rest := math.fsum([*values, *(-part for part in parts)]):
        parts.append(rest)
    return parts


def _nothing(metric: Metric) -> Counts:
    """Return the counts of no documents."""
    return Counts((), (metric,), {metric.name: np.zeros((0, len(metric.columns)))})
