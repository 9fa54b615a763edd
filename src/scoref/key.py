"""Key: a reference annotation that is prepared once and scores many responses."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Unpack

from scoref.base import html
from scoref.base.visible import visible
from scoref.corpus.corpus import Corpus
from scoref.corpus.in_short import show_in_notebook, summarise
from scoref.matching.inputs import (
    CachedInput,
    Input,
    OneOrTwo,
    ReadOptions,
    as_corpus,
)
from scoref.matching.requirements import Requirements
from scoref.matching.same_text import AUTO, Checks
from scoref.metrics import MetricLike, find_metrics, portable
from scoref.policy import Policy, PolicyLike, PolicyOptions
from scoref.result import Result
from scoref.scoring import score_with


class Key:
    """A key for many responses, such as the checkpoints of a training loop.

    `Key(key).score(response)` returns the same result as `scoref.score(key, response)`, but the key
    is read, checked, sorted and hashed only once.

    * `key`: The reference, as in `scoref.score`.
    * `metrics`: Names such as `"b3"` or `"blanc(alpha=0.2)"`, `Metric` objects, or functions from a
      `Table` to counts of shape (units, 4). By default, those of `scoref score`.
    * `policy`: A `Policy`, or a dict of its fields.
    * `format`: The name of the format, by default detected; a pair of names for key and response.
    * `encoding`: The text encoding, by default UTF-8; a pair for key and response.
    * `check_words`: Whether to compare words, as in `scoref.score`.
    * `choices`: Fields of the policy as keywords, such as `singletons="drop"`.
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
        **choices: Unpack[PolicyOptions],
    ) -> None:
        self.metrics = find_metrics(metrics)
        self.policy = Policy.of(policy, **choices)
        self._options = ReadOptions.under(self.policy, format, encoding, check_words)
        self._input = CachedInput(key)
        self.corpus  # noqa: B018  # refuse an invalid key before hours of training

    @property
    def corpus(self) -> Corpus:
        """The corpus of the key, as it was read."""
        requirements = Requirements.of(self.metrics, self.policy, self._options)
        columns = requirements.reading(self._input).of_key
        return as_corpus(self._input, "key", self._options, columns)

    def score(self, response: Input) -> Result:
        """Score a response: a path, a Corpus, or `{"doc": [[(start, end), ...], ...]}`."""
        return score_with(self._input, response, self.metrics, self.policy, self._options)

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers of the key, its fingerprint, the metrics and the policy."""
        corpus = self.corpus
        return {
            "source": corpus.source,
            "documents": len(corpus.documents),
            "mentions": len(corpus),
            "entities": corpus.entity_count,
            "fingerprint": corpus.fingerprint(),
            "metrics": [metric.name for metric in self.metrics],
            "policy": self.policy.to_dict(),
        }

    def __eq__(self, other: object) -> bool:
        """Two keys are equal if they score every response equally."""
        if not isinstance(other, Key):
            return NotImplemented
        names = [metric.name for metric in other.metrics]
        return (
            [metric.name for metric in self.metrics] == names
            and (self.policy, self._options) == (other.policy, other._options)
            and self.corpus == other.corpus
        )

    def __hash__(self) -> int:
        return hash((self.policy, self._options, self.corpus))

    def __repr__(self) -> str:
        names = ", ".join(metric.name for metric in self.metrics)
        source = visible(self.corpus.source)
        return f"<Key {source}: {summarise(self.corpus)}; {names}; {self.policy!r}>"

    def _repr_html_(self) -> str:
        """Show the corpus, the metrics and the policy in a notebook."""
        names = ", ".join(metric.name for metric in self.metrics)
        corpus = show_in_notebook(self.corpus)
        return html.block(corpus, html.note(f"metrics: {names}"), html.code(repr(self.policy)))

    def __getstate__(self) -> dict[str, Any]:
        """Pickle known metrics by name, since their functions may not be picklable."""
        return {**self.__dict__, "metrics": portable(self.metrics)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.metrics = find_metrics(state["metrics"])
