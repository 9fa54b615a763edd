"""CorefEvaluator with the very numbers of e2e-coref's evaluator: singletons, repeated mentions."""

from __future__ import annotations

from scoref import compat

__all__ = ["CorefEvaluator"]


class E2ECorefEvaluator(compat.CorefEvaluator):
    """The same with the numbers of e2e-coref by default.

    A mention that is twice in one entity counts once; the old evaluator counts it twice.
    """

    def __init__(self, counting: compat.Counting = "e2e") -> None:
        super().__init__(counting)


CorefEvaluator = E2ECorefEvaluator
