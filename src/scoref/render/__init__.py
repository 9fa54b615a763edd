"""Every way to show a result. Renderers never compute: they lay out what a result says."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from scoref.exceptions import UsageError

if TYPE_CHECKING:
    from scoref.resampling.intervals import Intervals
    from scoref.result import Result

# The modules of this package, each with a function `render`. Only the one that is asked for
# is imported: the csv and json modules alone cost as much as scoring a small corpus.
OUTPUTS = ("text", "json", "csv", "latex", "markdown")


def render(
    result: Result,
    output: str,
    *,
    per_document: bool = False,
    digits: int = 2,
    intervals: Intervals | None = None,
) -> str:
    """Render a result, with scores in percent to some digits where people read it."""
    if output not in OUTPUTS:
        raise UsageError(f"unknown output {output!r}", f"one of: {', '.join(OUTPUTS)}")
    renderer = import_module(f"scoref.render.{output}")
    shown: str = renderer.render(
        result, per_document=per_document, digits=digits, intervals=intervals
    )
    return shown
