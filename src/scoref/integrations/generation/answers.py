"""Answers of a language model: from a sample and an answer to counts that can be added."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from typing import Any, TypedDict

from scoref.corpus.corpus import Corpus
from scoref.exceptions import ScorefError, UsageError
from scoref.generated.align import align
from scoref.integrations.counts_vector import CountsVector
from scoref.integrations.generation.samples import CorefSample, corpus_of
from scoref.metrics import MetricLike, portable
from scoref.policy import Policy, PolicyLike
from scoref.result import Score, flat_scores
from scoref.scoring import score


class AnswerCounts(TypedDict):
    """What is counted of an answer, as a harness can store it.

    * `counts`: For each metric, a row of counts.
    * `policy`: The choices that differ from the defaults.
    * `f1`: For each metric, the F1 of this document alone, for display.
    * `tokens`, `kept`: The tokens of the source, and those that the answer kept.
    * `unusable`: Why no mention could be read from the answer, or an empty string. Such an answer
      counts as one without mentions.
    """

    counts: dict[str, list[float]]
    policy: dict[str, str]
    f1: dict[str, float]
    tokens: int
    kept: int
    unusable: str


class AnswerScorer:
    """Counts answers in a markup, and scores counts of all samples together."""

    def __init__(
        self,
        metrics: Iterable[MetricLike] | None = None,
        policy: PolicyLike | None = None,
    ) -> None:
        choices = Policy.of(policy)
        self.policy = choices if choices.markup != "none" else replace(choices, markup="brackets")
        self.metrics = CountsVector(metrics, self.policy).metrics
        self._vectors = {one.name: CountsVector([one], self.policy) for one in self.metrics}

    def __reduce__(self) -> tuple[type[AnswerScorer], tuple[Any, ...]]:
        """Pickle known metrics by name, since their functions may not be picklable."""
        return AnswerScorer, (portable(self.metrics), self.policy)

    @classmethod
    def of(cls, answers: Sequence[AnswerCounts]) -> AnswerScorer:
        """Return the scorer that counted some answers, which must be the same for all."""
        if not answers:
            raise UsageError("no answers were counted")
        first, *others = answers
        if any(
            one["policy"] != first["policy"] or one["counts"].keys() != first["counts"].keys()
            for one in others
        ):
            raise UsageError("the answers were counted with different metrics or policies")
        return cls(first["counts"], first["policy"])

    def count(self, sample: CorefSample, answer: str) -> AnswerCounts:
        """Align an answer with the words of its sample, and count it."""
        key = corpus_of(sample)
        kept, unusable, tokens = 0, "", len(key.text or ())
        response = Corpus.without_mentions(key.documents, "the answer")
        try:
            found = align(
                key, {sample["doc_id"]: answer}, self.policy.markup, self.policy.unclosed_tags
            )
            response, kept = found.corpus, found.fidelity.kept
        except ScorefError as error:
            unusable = error.message
        result = score(key, response, self.metrics, self.policy)
        counts = result.counts
        rows = {one.name: counts.statistic(one, self.policy).rows[0] for one in self.metrics}
        return AnswerCounts(
            counts={name: row.tolist() for name, row in rows.items()},
            policy=_choices(self.policy),
            f1={name: found.f1 for name, found in result.scores.items()},
            tokens=tokens,
            kept=kept,
            unusable=unusable,
        )

    def score(self, metric: str, rows: Iterable[Iterable[float]]) -> Score:
        """Return the score of a metric over the counts of several answers."""
        return self._vectors[metric].scores([list(row) for row in rows])[metric]

    def scores(self, answers: Sequence[AnswerCounts]) -> dict[str, float]:
        """Return all scores by name, such as `b3/recall`, and `words_kept` and `unusable`."""
        flat = flat_scores(
            {
                metric: self.score(metric, [one["counts"][metric] for one in answers])
                for metric in self._vectors
            }
        )
        flat["words_kept"] = share_kept((one["kept"], one["tokens"]) for one in answers)
        flat["unusable"] = sum(bool(one["unusable"]) for one in answers)
        return flat


def share_kept(pairs: Iterable[tuple[int, int]]) -> float:
    """Return the share of words that answers kept, from pairs of kept words and all words."""
    kept, tokens = map(sum, zip(*pairs, strict=True))
    return kept / tokens if tokens else 1.0


def _choices(policy: Policy) -> dict[str, str]:
    """Return the choices of a policy that differ from the defaults."""
    return {
        field.name: value
        for field in fields(policy)
        if (value := getattr(policy, field.name)) != field.default
    }
