"""Accumulator: scores of a training loop that are updated document by document.

It stores the exact sum of the counts of all documents. An exact sum does not depend on the order
of its terms. So documents in any order, in any batches and from any processes have the same scores,
to the last bit, as all documents at once. Documents that are added one by one are counted together
later, because counting a document by itself costs far more than one of many.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Self, Unpack

import numpy as np

from scoref.base import html
from scoref.base.arrays import Ints
from scoref.base.exact_sums import Parts, condense
from scoref.base.phrases import counted, listed
from scoref.base.viewed import pandas_table, polars_table
from scoref.corpus.corpus import Corpus, Entities
from scoref.corpus.fingerprint import digest
from scoref.corpus.from_entities import check_entities, list_mentions
from scoref.counts.counted import as_counted
from scoref.counts.counts import Counts
from scoref.exceptions import UsageError
from scoref.formats.objects import is_one_document
from scoref.formats.objects.lists import UnnamedId
from scoref.formats.objects.rows import is_row
from scoref.key import Key
from scoref.matching.document_pairing import find_key_documents
from scoref.matching.inputs import Input, as_corpus
from scoref.matching.regrouping import regroup
from scoref.metrics import Metric, MetricLike, find_metric, find_metrics, portable
from scoref.metrics.table import NOWHERE
from scoref.policy import Policy, PolicyLike, PolicyOptions
from scoref.result import Result, Score, flat_scores, show_f1

_BUFFER = 512
"""How many documents wait until they are counted, unless a score is requested before."""


class Accumulator:
    """Accumulates the scores of documents: `acc.add(key, response); acc["conll"].f1`.

    Adding document by document costs as much as adding a batch. Reading a score takes the same
    time after one document and after a million. Accumulators merge with `+=` and can be pickled.
    Two accumulators are equal if they have the same metrics, policy, documents and sums.

    * `metrics`: Names such as `"b3"` or `"blanc(alpha=0.2)"`, `Metric` objects, or functions from a
      `Table` to counts of shape (units, 4). By default, those of `scoref score`.
    * `policy`: A `Policy`, or a dict of its fields.
    * `choices`: Fields of the policy as keywords, such as `singletons="drop"`.
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
        self._hash_total = 0
        self._resolved: set[Policy] = set()

    def add(self, key: Any, response: Any, document: str | None = None) -> None:
        """Add one document: its entities in the key and in the response.

        Invalid entities are refused when documents are counted, which is when a score is requested,
        at the latest.

        * `key`: A list of entities, or another object of one document, such as a spaCy document.
        * `response`: The response to it, in the same way.
        * `document`: Its name. A named document cannot be added twice, not even in different
          processes.
        """
        self._admit(set() if document is None else {document}, 1)
        name = UnnamedId(("", self.documents)) if document is None else document
        self._waiting.append((name, _copy_document(key), _copy_document(response)))
        if len(self._waiting) >= _BUFFER:
            self._count_waiting()

    def _count_waiting(self) -> None:
        """Count the documents that were added one by one."""
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        keys = {name: key for name, key, _ in waiting}
        responses = {name: response for name, _, response in waiting}
        key = Key(keys, self.metrics, self.policy)
        self._add_result(key, key.score(responses))

    def update(self, key: Input | Key, response: Input) -> None:
        """Add a batch of documents: any inputs of `score`. No document can be added twice.

        * `key`: A key, as in `score`. If it is a `Key`, only the documents of the response are
          added; other batches or other processes may add the other documents of the key.
        * `response`: The response, as in `score`.
        """
        of_batch = not isinstance(key, Key)
        if not isinstance(key, Key):
            key = Key(key, self.metrics, self.policy)
        if not self._matches(key):
            raise UsageError(
                "the key has other metrics or another policy than the accumulator",
                "make it with Accumulator(key.metrics, key.policy)",
            )
        result = key.score(response)
        documents = None if of_batch else _documents_of_response(result)
        units = result.counts.units
        if documents is not None:
            units = tuple(units[at] for at in documents.tolist())
        self._admit(set(units), len(units))
        self._add_result(key, result, documents)

    def _add_result(self, key: Key, result: Result, documents: Ints | None = None) -> None:
        """Add all documents of a result, or some."""
        counts = result.counts
        self._add_counts(counts if documents is None else counts.where(documents))
        corpus = regroup(key.corpus, self.policy.unit)
        self._hash_total += _hash_total(corpus, documents)
        self._resolved.add(result.policy)

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
        self._hash_total += other._hash_total
        self._resolved |= other._resolved

    def __iadd__(self, other: Accumulator) -> Self:
        self.merge(other)
        return self

    def reset(self) -> None:
        """Remove all documents."""
        self.documents = 0
        self._names = set()
        self._parts = {}
        self._waiting = []
        self._hash_total = 0
        self._resolved = set()

    @property
    def signature(self) -> str:
        """The signature of `scoref.score` on all documents so far.

        Documents without a name count as those of a list: the first, the second, and so on.
        """
        self._count_waiting()
        resolved = next(iter(self._resolved)) if len(self._resolved) == 1 else self.policy
        return resolved.signature(digest(self._hash_total))

    def to_dict(self, *, flat: bool = False, prefix: str = "") -> dict[str, Any]:
        """Return the signature, the number of documents and the scores.

        With `flat`, return one number per name for loggers, as `Result.to_dict` does.
        """
        if flat:
            return dict(flat_scores(self.scores, prefix))
        scores = {name: score.to_dict() for name, score in self.scores.items()}
        return {"signature": self.signature, "documents": self.documents, "scores": scores}

    def records(self) -> Iterator[Sequence[object]]:
        """Return a row per metric, the header first."""
        yield ["metric", *Score._fields, "signature"]
        signature = self.signature
        yield from ([name, *score, signature] for name, score in self.scores.items())

    def to_pandas(self) -> Any:
        """Return a row per metric as a DataFrame of pandas."""
        return pandas_table(self.records())

    def to_polars(self) -> Any:
        """Return a row per metric as a DataFrame of polars."""
        return polars_table(self.records())

    def __repr__(self) -> str:
        scores, documents = show_f1(self.metrics, self.scores), counted(self.documents, "document")
        return f"<Accumulator: F1 {scores}; {documents}>"

    def _repr_html_(self) -> str:
        """Show the scores in percent, and distances as they are, in a notebook."""
        scores = self.scores
        rows = [
            [one.name, *("" if math.isnan(v) else f"{one.scale * v:.2f}" for v in scores[one.name])]
            for one in self.metrics
        ]
        return html.block(
            html.note(counted(self.documents, "document")),
            html.table(["metric", "recall", "precision", "F1"], rows),
            html.code(self.signature),
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Accumulator):
            return NotImplemented
        self._count_waiting()
        other._count_waiting()
        return self._matches(other) and self._content() == other._content()

    __hash__ = None  # type: ignore[assignment]  # it changes

    def _content(self) -> tuple[object, ...]:
        return self.documents, self._names, self._parts, self._hash_total % (1 << 64)

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


def _no_counts(metric: Metric) -> Counts:
    """Return the counts of zero documents."""
    return Counts((), (metric,), {metric.name: np.zeros((0, len(metric.columns)))})


def _copy_document(document: Any) -> Entities:
    """Copy the entities of a document, which may change or be used up before they are counted."""
    if isinstance(document, list | tuple) or not (
        isinstance(document, Mapping) or is_one_document(document)
    ):
        check_entities(document, "the document")
        return [list_mentions(entity) for entity in document]
    if isinstance(document, Mapping) and not is_row(document):
        return {name: list_mentions(entity) for name, entity in document.items()}
    documents = list(as_corpus(document, "document").entities().values())
    if len(documents) != 1:
        raise UsageError(
            f"found {counted(len(documents), 'document')}, but `add` takes one",
            "use `update` for several documents",
        )
    return documents[0]


def _documents_of_response(result: Result) -> Ints | None:
    """Return the documents of a key that the response has, or None if it has all of them."""
    alignment = result.alignment
    if alignment is None or alignment.key_corpus is None or alignment.res_corpus is None:
        return None  # a counts file has all documents of the key
    present = find_key_documents(alignment.key_corpus, alignment.res_corpus)
    return np.unique(present[present != NOWHERE])


def _hash_total(corpus: Corpus, documents: Ints | None) -> int:
    """Return what all documents of a corpus, or some in order, add to a fingerprint."""
    if documents is None:
        return corpus.hash_total()
    part = corpus.where(np.isin(corpus.document, documents))
    return replace(
        part,
        documents=[corpus.documents[at] for at in documents.tolist()],
        document=np.searchsorted(documents, part.document),
    ).hash_total()
