"""How other scorers count, to the last bit, where they differ from scoref."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scoref.training.evaluator import CorefEvaluator as CorefEvaluator
    from scoref.training.evaluator import Evaluator as Evaluator
    from scoref.training.evaluator import b_cubed as b_cubed
    from scoref.training.evaluator import ceafe as ceafe
    from scoref.training.evaluator import lea as lea
    from scoref.training.evaluator import muc as muc

_EVALUATOR = ("CorefEvaluator", "Evaluator", "b_cubed", "ceafe", "lea", "muc")


def __getattr__(name: str) -> Any:
    """Import the evaluator when it is used, as `from scoref.compat import CorefEvaluator`."""
    if name in _EVALUATOR:
        return getattr(import_module("scoref.training.evaluator"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
