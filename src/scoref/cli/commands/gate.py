"""Test whether a new response lost more than it may.

The loss is the F1 of OLD minus the F1 of NEW. The gate tests it against the margin --max-drop,
with one-sided bounds at --level:

  exit code 0  passed: the loss is at most --max-drop
  exit code 1  failed: the loss is more than --max-drop, or more than --max-drop-hard
  exit code 2  invalid usage or input, such as an undefined F1
  exit code 3  undecided: there are too few documents; with --undecided pass, the code is 0

With several metrics, each must pass. OLD and NEW can be counts files; if both are, KEY can be left
out. Several runs of a system are separated by commas.

Example commands:
  scoref gate key.conll main.counts.json new.conll --max-drop 0.5
  scoref gate main.counts.json new.counts.json --max-drop 0.5 --max-drop-hard 2
  scoref gate key.conll old.conll new.conll --junit gate.xml --summary "$GITHUB_STEP_SUMMARY"
  scoref gate key.conll old1.conll,old2.conll,old3.conll new1.conll,new2.conll,new3.conll
"""

from __future__ import annotations

from scoref.cli import options
from scoref.cli.command import Arguments, Command, Option
from scoref.cli.options import resampling_keywords, scoring_keywords
from scoref.cli.output import append_text, print_notes, print_result, write_text
from scoref.cli.systems import split_runs
from scoref.exceptions import UsageError

COMMAND = Command(
    __doc__,
    Option(
        "[KEY] OLD NEW",
        "the reference, the response to compare with, and the response to test; the reference can"
        " be left out if both responses are counts files",
        dest="files",
        nargs="+",
        metavar="FILE",
    ),
    options.metric(default="conll"),
    {
        "--max-drop POINTS = 1": "loss of F1 that is allowed, in points",
        "--max-drop-hard POINTS": "loss of F1 that fails without a test, in points (default: 5, or"
        " --max-drop if that is more)",
        "--undecided fail|pass = fail": "what to do if the test does not decide: exit with code 3,"
        " or with code 0",
        **options.output("text", "json"),
        "--junit FILE": "write the result as JUnit XML",
        "--summary FILE": "append the result and the scores as Markdown",
        "--test randomisation|bootstrap = randomisation": "paired test in the table of --summary;"
        " the gate itself tests the margin",
    },
    options.FORMAT,
    options.JOBS,
    options.READING,
    options.POLICY,
    options.RESAMPLING,
)


def run(arguments: Arguments) -> int:
    """Compare, judge, write the results."""
    import scoref
    from scoref.comparison.gate import EXIT_CODES, Margin, judge, worst
    from scoref.views.gate import (
        render_json,
        render_junit,
        render_line,
        render_summary,
    )

    if arguments.level > 0.5:
        raise UsageError(
            f"the level is {arguments.level:g}, but must be above 0 and at most 0.5",
            "--max-drop-hard POINTS fails a loss without a test",
        )
    hard = None if arguments.max_drop_hard is None else arguments.max_drop_hard / 100
    margin = Margin.of(arguments.max_drop / 100, hard, arguments.level)
    key, old, new = _inputs(arguments.files)
    arguments.metrics = arguments.metrics or ["conll"]
    keywords = {**scoring_keywords(arguments), **resampling_keywords(arguments)}
    systems = {"old": split_runs(old), "new": split_runs(new)}
    comparison = scoref.compare(key, systems, test=arguments.test, correction="none", **keywords)
    verdicts = judge(comparison, "old", "new", margin)
    text = "\n".join(render_line(verdict, margin) for verdict in verdicts)
    outcome, passes = worst(verdicts), arguments.undecided == "pass"
    code = 0 if outcome == "undecided" and passes else EXIT_CODES[outcome]
    if arguments.to == "json":
        text = render_json(verdicts, margin, comparison, code)
    print_notes(comparison.cautions)
    print_result(arguments, comparison, text)
    if arguments.junit:
        write_text(arguments.junit, render_junit(verdicts, margin, undecided_passes=passes))
    if arguments.summary:
        append_text(arguments.summary, render_summary(verdicts, margin, comparison))
    return code


def _inputs(files: list[str]) -> tuple[str | None, str, str]:
    """Return the key, or None if it is left out, and the two responses."""
    if len(files) == 3:
        return files[0], files[1], files[2]
    from scoref.counts.counted import is_counts_file

    if len(files) != 2:
        raise UsageError(f"expected KEY OLD NEW, found {len(files)} files")
    runs = [run for file in files for run in split_runs(file)]
    if not all(map(is_counts_file, runs)):
        raise UsageError(
            "expected KEY OLD NEW, found 2 files", "only counts files can be compared without KEY"
        )
    return None, files[0], files[1]
