"""Fail if a new response is significantly worse than an old one.

Exit code 1 means that F1 dropped by more than --max-drop and that the paired test finds the drop
significant. Otherwise the exit code is 0, also if there are too few documents for a test; the
output then says so. With --level 1, every drop counts as significant. With several metrics, each
must pass. OLD and NEW can be counts files.

Example commands:
  scoref gate key.conll main.counts.json new.conll --max-drop 0.3
  scoref gate key.conll old.conll new.conll --junit gate.xml --summary "$GITHUB_STEP_SUMMARY"
"""

from __future__ import annotations

from scoref.cli import options
from scoref.cli.command import Arguments, Command
from scoref.cli.keywords import resampling_keywords, scoring_keywords
from scoref.cli.output import append_text, print_result, write_text

COMMAND = Command(
    __doc__,
    options.KEY,
    {"OLD": "response to compare with", "NEW": "response to test"},
    options.metric(default="conll"),
    {
        "--max-drop POINTS = 0": "largest drop of F1 that passes without a test, in points",
        "--junit FILE": "write the result as JUnit XML",
        "--summary FILE": "append the result and the scores as Markdown",
    },
    options.PAIRED_TEST,
    options.VERIFY,
    *options.TESTING,
)


def run(arguments: Arguments) -> int:
    """Compare, check_loss, write the results."""
    import scoref
    from scoref.comparison.gate import check_loss
    from scoref.comparison.views.gate import render_junit, render_line, render_summary

    level = arguments.level
    if level == 1:  # no test is needed, but `compare` requires a level below 1
        arguments.level = 0.05
    arguments.metrics = arguments.metrics or ["conll"]
    keywords = {**scoring_keywords(arguments), **resampling_keywords(arguments)}
    systems = {"old": arguments.old, "new": arguments.new}
    design = {"test": arguments.test, "correction": "none"}
    comparison = scoref.compare(arguments.key, systems, **design, **keywords)
    allowed = arguments.max_drop / 100
    verdicts = [
        check_loss(comparison, "old", "new", metric=metric, allowed=allowed, level=level)
        for metric in comparison.metrics
    ]
    print_result(arguments, comparison, "\n".join(map(render_line, verdicts)))
    if arguments.junit:
        write_text(arguments.junit, render_junit(verdicts))
    if arguments.summary:
        append_text(arguments.summary, render_summary(verdicts, comparison))
    return int(any(verdict.failed for verdict in verdicts))
