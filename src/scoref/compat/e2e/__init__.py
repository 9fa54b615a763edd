"""CorefEvaluator of e2e-coref, which most neural resolvers contain a copy of: join and metrics."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scoref.training.evaluator import E2ECorefEvaluator as CorefEvaluator  # noqa: F401


def __getattr__(name: str) -> Any:
    """Import the evaluator when it is used, as `from scoref.compat.e2e import CorefEvaluator`."""
    if name == "CorefEvaluator":
        return import_module("scoref.training.evaluator").E2ECorefEvaluator
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
