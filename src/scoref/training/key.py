"""Key: a reference annotation that is prepared once and scores many responses."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from scoref.corpus.corpus import Corpus
from scoref.metrics import MetricLike, find_metrics, portable
from scoref.policy import Policy, PolicyLike
from scoref.preparation.inputs import (
    CachedInput,
    Input,
    OneOrTwo,
    ReadOptions,
    as_corpus,
    is_read_once,
)
from scoref.preparation.needs import columns_of_key, needs_of
from scoref.preparation.same_text import AUTO, Checks
from scoref.result import Result
from scoref.scoring import score_with


class Key:
    """A key for many responses, such as the checkpoints of a training loop.

    `Key(key).score(response)` returns the same result as `scoref.score(key, response)`, but the key
    is read, checked, sorted and hashed only once.
    """

    def __init__(
        self,
        key: Input,
        metrics: Iterable[MetricLike] | None = None,
        policy: PolicyLike | None = None,
        format: OneOrTwo = None,  # noqa: A002  # what the command line calls it
        *,
        encoding: OneOrTwo = None,
        check_words: Checks = AUTO,
    ) -> None:
        self.metrics = find_metrics(metrics)
        self.policy = Policy.of(policy)
        self._options = ReadOptions.under(self.policy, format, encoding, check_words)
        self._input = CachedInput(key)
        self.corpus  # noqa: B018  # refuse an invalid key before hours of training

    @property
    def corpus(self) -> Corpus:
        """The corpus of the key, as it was read."""
        columns = columns_of_key(
            self.policy,
            needs_of(self.metrics),
            self._options.check_words,
            once=is_read_once(self._input),
        )
        return as_corpus(self._input, "key", self._options, columns)

    def score(self, response: Input) -> Result:
        """Score a response: a path, a Corpus, or `{"doc": [[(start, end), ...], ...]}`."""
        return score_with(self._input, response, self.metrics, self.policy, self._options)

    def __getstate__(self) -> dict[str, Any]:
        """Pickle known metrics by name, since their functions may not be picklable."""
        return {**self.__dict__, "metrics": portable(self.metrics)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.metrics = find_metrics(state["metrics"])
