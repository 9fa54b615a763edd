"""CorefEvaluator with the very numbers of e2e-coref's evaluator: singletons, repeated mentions."""

from __future__ import annotations

from scoref import compat

__all__ = ["CorefEvaluator"]


class E2ECorefEvaluator(compat.CorefEvaluator):
    """The same with the numbers of e2e-coref by default.

    A repeated mention counts each time, also if it is twice in one entity.
    """

    def __init__(self, counting: compat.Counting = "e2e") -> None:
        super().__init__(counting)


CorefEvaluator = E2ECorefEvaluator
