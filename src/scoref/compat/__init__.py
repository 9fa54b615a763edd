"""CorefEvaluator: the interface of the evaluator of e2e-coref, for resolvers that contain a copy.

A resolver that has `from metrics import CorefEvaluator` needs one other line instead:

    from scoref.compat import CorefEvaluator

The line for the very numbers of the old evaluator is:

    from scoref.compat.e2e import CorefEvaluator
"""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from scoref.accumulator import Accumulator
from scoref.corpus.corpus import Entities
from scoref.exceptions import UsageError
from scoref.metrics.base import RATIO
from scoref.policy import Policy

__all__ = ["CorefEvaluator", "Evaluator", "b_cubed", "ceafe", "lea", "muc"]

Counting: TypeAlias = Literal["scoref", "e2e"]

muc, b_cubed, ceafe, lea = "muc", "b3", "ceafe", "lea"
"""The metrics, under the names that they have in e2e-coref."""


class Evaluator:
    """One metric over documents.

    * `metric`: `muc`, `b_cubed`, `ceafe` or `lea`, or another metric that is a ratio of counts.
    * `beta`: The weight of recall in F1 (F-beta).
    * `counting`: `scoref` counts as the reference scorer does. `e2e` gives the numbers of
      e2e-coref, which skips singletons; it is `compat:e2e` in a signature.
    * `accumulator`: Has the documents, if they are added to several evaluators at once.
    """

    def __init__(
        self,
        metric: str,
        beta: float = 1,
        *,
        counting: Counting = "scoref",
        accumulator: Accumulator | None = None,
    ) -> None:
        self.metric, self.beta = metric, beta
        self._accumulator = accumulate((metric,), counting) if accumulator is None else accumulator
        if tuple(self._accumulator.totals(metric)) != RATIO:
            raise UsageError(f"{metric} is not a ratio of counts", "use scoref.Accumulator")

    def update(
        self,
        predicted: Entities,
        gold: Entities,
        mention_to_predicted: object = None,  # noqa: ARG002  # callers of e2e-coref pass it
        mention_to_gold: object = None,  # noqa: ARG002
    ) -> None:
        """Add a document. The mappings are ignored, because the clusters contain all of it."""
        self._accumulator.add(gold, predicted)

    def get_counts(self) -> tuple[float, float, float, float]:
        """Return numerator and denominator of precision, then of recall, of all documents."""
        r_num, r_den, p_num, p_den = self._accumulator.totals(self.metric).values()
        return p_num, p_den, r_num, r_den

    def get_precision(self) -> float:
        """Return the precision, from 0 to 1."""
        right, total, _, _ = self.get_counts()
        return right / total if total else 0.0

    def get_recall(self) -> float:
        """Return the recall, from 0 to 1."""
        _, _, right, total = self.get_counts()
        return right / total if total else 0.0

    def get_f1(self) -> float:
        """Return F1, or F-beta, from 0 to 1."""
        precision, recall = self.get_precision(), self.get_recall()
        weight = self.beta * self.beta
        both = weight * precision + recall
        return (1 + weight) * precision * recall / both if both else 0.0

    def get_prf(self) -> tuple[float, float, float]:
        """Return precision, recall and F1."""
        return self.get_precision(), self.get_recall(), self.get_f1()


class CorefEvaluator:
    """MUC, B³ and CEAF_e over documents, and their averages: `get_f1()` is the CoNLL average.

    * `counting`: `scoref` counts as the reference scorer does. `e2e` gives the numbers of
      e2e-coref, which skips singletons.
    """

    def __init__(self, counting: Counting = "scoref") -> None:
        metrics = (muc, b_cubed, ceafe)
        self._accumulator = accumulate(metrics, counting)
        self.evaluators = [Evaluator(m, accumulator=self._accumulator) for m in metrics]

    def update(
        self,
        predicted: Entities,
        gold: Entities,
        mention_to_predicted: object = None,  # noqa: ARG002  # callers of e2e-coref pass it
        mention_to_gold: object = None,  # noqa: ARG002
    ) -> None:
        """Add a document. The mappings are ignored, because the clusters contain all of it."""
        self._accumulator.add(gold, predicted)

    def get_f1(self) -> float:
        """Return the average F1: the CoNLL average."""
        return self.get_prf()[2]

    def get_recall(self) -> float:
        """Return the average recall."""
        return self.get_prf()[1]

    def get_precision(self) -> float:
        """Return the average precision."""
        return self.get_prf()[0]

    def get_prf(self) -> tuple[float, float, float]:
        """Return the averages of precision, recall and F1."""
        columns = zip(*(evaluator.get_prf() for evaluator in self.evaluators), strict=True)
        precision, recall, f1 = (sum(column) / len(column) for column in columns)
        return precision, recall, f1


def accumulate(metrics: tuple[str, ...], counting: Counting) -> Accumulator:
    """Return an accumulator that counts as the evaluator of e2e-coref, or as scoref does."""
    if counting not in get_args(Counting):
        raise UsageError(f"counting is {counting!r}, but must be scoref or e2e")
    return Accumulator(metrics, Policy(compat="e2e") if counting == "e2e" else None)
