"""CorefEvaluator with the very numbers of e2e-coref's evaluator: singletons, repeated mentions."""

from __future__ import annotations

from scoref.compat.evaluator import E2ECorefEvaluator as CorefEvaluator

__all__ = ["CorefEvaluator"]
