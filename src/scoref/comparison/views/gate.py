"""The verdict of a gate: a line for the log, JUnit for the runner, Markdown for the summary."""

from __future__ import annotations

from collections.abc import Sequence

from scoref.comparison.comparison import Comparison
from scoref.comparison.gate import Verdict
from scoref.render.formatting import percent


def render_line(verdict: Verdict) -> str:
    """Say in one line whether a metric passed, and why."""
    outcome = "failed" if verdict.failed else "passed"
    return (
        f"gate {outcome}: {verdict.metric} {percent(verdict.old, 2)} -> {percent(verdict.new, 2)}"
        f" ({percent(verdict.change, 2, '+')}): {verdict.reason}"
    )


def render_junit(verdicts: Sequence[Verdict]) -> str:
    """Render a test suite with a test for each metric."""
    from xml.sax.saxutils import quoteattr  # noqa: PLC0415  # only this needs it

    failures = sum(verdict.failed for verdict in verdicts)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuites tests="{len(verdicts)}" failures="{failures}">',
        f'  <testsuite name="scoref gate" tests="{len(verdicts)}" failures="{failures}">',
    ]
    for verdict in verdicts:
        test = f'    <testcase classname="scoref.gate" name={quoteattr(verdict.metric)}'
        if verdict.failed:
            failure = f"<failure message={quoteattr(render_line(verdict))}/>"
            lines += [f"{test}>", f"      {failure}", "    </testcase>"]
        else:
            lines.append(f"{test}/>")
    return "\n".join([*lines, "  </testsuite>", "</testsuites>"]) + "\n"


def render_summary(verdicts: Sequence[Verdict], comparison: Comparison) -> str:
    """Render the verdicts and the comparison as GitHub-flavoured Markdown."""
    failed = any(verdict.failed for verdict in verdicts)
    lines = [f"## scoref gate: {'failed' if failed else 'passed'}", ""]
    lines += [f"- {render_line(verdict)}" for verdict in verdicts]
    return "\n".join([*lines, "", comparison.to_markdown(), ""])
