"""The verdict of a gate: a line for the log, JUnit for the runner, Markdown for the summary."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scoref.comparison.comparison import Comparison
from scoref.comparison.gate import Margin, Verdict, worst
from scoref.views.formatting import bounds, percent, pick
from scoref.views.model import write_json

_FIELDS = (
    *("old", "new", "loss", "interval", "outcome", "reason", "p_above", "p_below"),
    "units_to_decide",
)


def render_line(verdict: Verdict, margin: Margin) -> str:
    """Say in one line whether a metric passed, and why."""
    interval = ""
    if verdict.interval is not None:
        confidence = f"{100 * (1 - 2 * margin.level):.10g} % interval"
        interval = f", {confidence} of the loss {bounds(verdict.interval, 2)}"
    return (
        f"gate {verdict.outcome}: {verdict.metric} {percent(verdict.old, 2)} ->"
        f" {percent(verdict.new, 2)} ({percent(verdict.change, 2, '+')}){interval}:"
        f" {verdict.reason}"
    )


def render_junit(verdicts: Sequence[Verdict], margin: Margin, *, undecided_passes: bool) -> str:
    """Render a test suite with a test for each metric.

    A metric that is undecided is a failure of the type `undecided`, or skipped if it passes.
    """
    from xml.sax.saxutils import escape, quoteattr  # noqa: PLC0415  # only this needs it

    skipped = sum(one.outcome == "undecided" for one in verdicts) if undecided_passes else 0
    failures = sum(one.outcome != "passed" for one in verdicts) - skipped
    totals = f'tests="{len(verdicts)}" failures="{failures}" skipped="{skipped}"'
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuites tests="{len(verdicts)}" failures="{failures}">',
        f'  <testsuite name="scoref gate" {totals}>',
    ]
    for verdict in verdicts:
        line = render_line(verdict, margin)
        lines.append(f'    <testcase classname="scoref.gate" name={quoteattr(verdict.metric)}>')
        if verdict.outcome == "undecided" and undecided_passes:
            lines.append(f"      <skipped message={quoteattr(line)}/>")
        elif verdict.outcome != "passed":
            kind = quoteattr(verdict.outcome)
            lines.append(f"      <failure type={kind} message={quoteattr(line)}/>")
        lines += [f"      <system-out>{escape(line)}</system-out>", "    </testcase>"]
    return "\n".join([*lines, "  </testsuite>", "</testsuites>"]) + "\n"


def render_summary(verdicts: Sequence[Verdict], margin: Margin, comparison: Comparison) -> str:
    """Render the verdicts and the comparison as GitHub-flavoured Markdown."""
    lines = [f"## scoref gate: {worst(verdicts)}", ""]
    lines += [f"- {render_line(verdict, margin)}" for verdict in verdicts]
    return "\n".join([*lines, "", comparison.to_markdown(), ""])


def render_json(
    verdicts: Sequence[Verdict], margin: Margin, comparison: Comparison, exit_code: int
) -> str:
    """Render everything that a gate has."""
    content: dict[str, Any] = {
        "signature": comparison.signature,
        "outcome": worst(verdicts),
        "exit_code": exit_code,
        "max_drop": margin.allowed,
        "max_drop_hard": margin.hard,
        "level": margin.level,
        "unit": comparison.units.kind,
        "units": len(comparison.units),
        "metrics": {one.metric: pick(one, *_FIELDS) for one in verdicts},
        **pick(comparison, "notes", "cautions"),
    }
    return write_json(content)
