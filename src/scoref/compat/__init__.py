"""Drop-in replacements for the evaluators that other people's code contains."""

from __future__ import annotations

from scoref.compat.evaluator import CorefEvaluator, Evaluator, b_cubed, ceafe, lea, muc

__all__ = ["CorefEvaluator", "Evaluator", "b_cubed", "ceafe", "lea", "muc"]
