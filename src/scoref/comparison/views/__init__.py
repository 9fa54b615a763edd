"""Every way to show a comparison: one table of systems, laid out once and styled by each."""

from __future__ import annotations

from importlib import import_module

from scoref.comparison.comparison import Comparison
from scoref.exceptions import UsageError
from scoref.render import OUTPUTS


def render(comparison: Comparison, output: str, *, details: bool = False, digits: int = 2) -> str:
    """Render a comparison; `details` adds every pair and the agreement of metrics."""
    if output not in OUTPUTS:
        raise UsageError(f"unknown output {output!r}", f"one of: {', '.join(OUTPUTS)}")
    renderer = import_module(f"scoref.comparison.views.{output}")
    shown: str = renderer.render(comparison, details=details, digits=digits)
    return shown
