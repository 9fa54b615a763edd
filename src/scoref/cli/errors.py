"""List the errors of a response, what they cost, and where they are.

The summary has the number of errors of each kind (Kummerfeld & Klein 2013), what each kind costs
in every metric, the entities that cost most, and how well mentions of each type are resolved.

Example commands:
  scoref errors key.conll response.conll
  scoref errors key.conll response.conll --kind divided --type pronoun --output jsonl
  scoref errors key.conll response.conll --show harbour/ferry | less -R
  scoref errors key.conll response.conll --mode kk2013 --singletons drop
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.cli import options
from scoref.cli.command import Arguments, Command
from scoref.cli.keywords import scoring_keywords
from scoref.cli.output import print_result
from scoref.exceptions import UsageError

if TYPE_CHECKING:
    from scoref.analysis.errors import Errors

COMMAND = Command(
    __doc__,
    *options.PAIR,
    {
        "--mode strict|kk2013 = strict": "strict: repairing every error gives the key; kk2013:"
        " count as the analyser of Kummerfeld & Klein does, which ignores some differences",
        "--kind span|conflated|extra_mention|extra_entity|divided|missing_mention|missing_entity": (
            "show only errors of this kind"
        ),
        "--type name|nominal|pronoun": "show only errors in mentions of this type",
        "--document NAME": "show only errors in this document",
        "--show NAME": "print the text of a document with its mentions and errors",
        "--by NAME": "metric for the cost of entities (default: conll)",
        "--top N = 10": "number of entities to list",
        "--output text|json|jsonl|csv|latex|markdown = text": "output format; jsonl and csv list"
        " every error",
    },
    options.METRIC,
    *options.INPUT,
    options.POLICY,
)


def run(arguments: Arguments) -> int:
    """Find errors, print notes, print the result."""
    import scoref
    from scoref.analysis.errors.summary import summarise
    from scoref.analysis.views.errors import render
    from scoref.metrics import find_metrics
    from scoref.scoring import needs_of

    if arguments.show is not None and arguments.output != "text":
        raise UsageError("--show prints text, without --output", "leave out --output")
    if arguments.show is not None and arguments.document is not None:
        raise UsageError("--show names a document itself", "leave out --document")
    keywords = scoring_keywords(arguments)
    metrics = find_metrics(keywords.pop("metrics"))
    cost_metrics = find_metrics([arguments.by]) if arguments.by else ()
    found = scoref.errors(
        arguments.key,
        arguments.response,
        arguments.mode,
        needs=needs_of([*metrics, *cost_metrics]),
        **keywords,
    )
    if arguments.show is not None:
        selected = found.where(arguments.kind, arguments.type)
        return print_result(arguments, found, _annotated_text(selected, arguments.show))
    selected = found.where(arguments.kind, arguments.type, arguments.document)
    if arguments.output in ("jsonl", "csv"):
        return print_result(arguments, found, render(selected, arguments.output) or None)
    summary = summarise(selected, metrics, arguments.by, arguments.top)
    return print_result(arguments, found, render(summary, arguments.output))


def _annotated_text(errors: Errors, document: str) -> str:
    import os
    import shutil
    import sys

    from scoref.analysis.views.reader import show

    colour = not os.environ.get("NO_COLOR") and (
        sys.stdout.isatty() or bool(os.environ.get("FORCE_COLOR"))
    )
    return show(errors, document, shutil.get_terminal_size().columns, colour=colour)
