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

import shutil

from scoref.cli import options
from scoref.cli.command import Arguments, Command
from scoref.cli.keywords import refuse_together, scoring_keywords
from scoref.cli.output import print_result, uses_colour

COMMAND = Command(
    __doc__,
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
        **options.RAW,
    },
    *options.PAIR,
)


def run(arguments: Arguments) -> int:
    """Find errors, print notes, print the result."""
    import scoref
    from scoref.analysis.errors.summary import summarise
    from scoref.analysis.views.errors import ErrorsView
    from scoref.analysis.views.reader import show
    from scoref.metrics import find_metrics
    from scoref.preparation.needs import needs_of

    refuse_together(arguments, "show", "output", "document")
    keywords = scoring_keywords(arguments)
    metrics = find_metrics(keywords.pop("metrics"))
    cost_metrics = find_metrics([arguments.by]) if arguments.by else ()
    keywords["needs"] = needs_of([*metrics, *cost_metrics])
    found = scoref.errors(arguments.key, arguments.response, arguments.mode, **keywords)
    selected = found.where(arguments.kind, arguments.type, arguments.document)
    if arguments.show is not None:
        columns = shutil.get_terminal_size().columns
        text = show(selected, arguments.show, columns, colour=uses_colour())
    elif arguments.output in ("jsonl", "csv"):
        text = ErrorsView(selected).render(arguments.output)
    else:
        summary = summarise(selected, metrics, arguments.by, arguments.top)
        text = ErrorsView(summary).render(arguments.output)
    return print_result(arguments, found, text or None)
