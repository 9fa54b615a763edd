"""Every way to show an explanation. Renderers never compute: they lay out what it says."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from scoref.exceptions import UsageError

if TYPE_CHECKING:
    from scoref.explanation import Explanation

OUTPUTS = ("text", "markdown", "latex", "json")


def render(explanation: Explanation, output: str) -> str:
    """Render an explanation."""
    if output not in OUTPUTS:
        raise UsageError(f"unknown output {output!r}", f"one of: {', '.join(OUTPUTS)}")
    renderer = import_module(f"scoref.explanation.views.{output}")
    shown: str = renderer.render(explanation)
    return shown
