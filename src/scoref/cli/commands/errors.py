"""List the errors of a response, what they cost, and where they are.

The summary has the number of errors of each kind (Kummerfeld & Klein 2013), what each kind costs
in every metric, the entities that cost most, and how well mentions of each type are resolved.
The formats jsonl and csv list every error instead.

Kinds of errors: span, conflated, extra_mention, extra_entity, divided, missing_mention,
missing_entity. Types of mentions: name, nominal, pronoun.

Example commands:
  scoref errors key.conll response.conll
  scoref errors key.conll response.conll --where kind=divided --where type=pronoun -o errors.jsonl
  scoref errors key.conll response.conll --show harbour/ferry | less -R
  scoref errors key.conll response.conll --mode kk2013 --singletons drop
"""

from __future__ import annotations

import shutil
from functools import partial
from typing import TYPE_CHECKING, Any

from scoref.cli import options
from scoref.cli.command import Arguments, Command, Option
from scoref.cli.options import refuse_together, scoring_keywords
from scoref.cli.output import print_result, uses_colour

if TYPE_CHECKING:
    from scoref.analysis.errors import Error, Errors

COMMAND = Command(
    __doc__,
    {
        "--mode strict|kk2013 = strict": "strict: repairing every error gives the key; kk2013:"
        " count as the analyser of Kummerfeld & Klein does, which ignores some differences",
        "--show NAME": "print the text of a document with its mentions and errors",
        "--by NAME": "metric for the cost of entities (default: conll)",
        "--top N = 10": "number of entities to list",
        **options.output("text", "json", "jsonl", "csv", "latex", "markdown"),
        **options.RAW,
    },
    Option(
        "--where FIELD=VALUE",
        "show only some errors: kind=divided, type=pronoun, document=NAME, or != instead of =;"
        " repeat the flag for several conditions",
        action="append",
    ),
    options.KEY,
    options.RESPONSE,
    options.METRIC,
    options.FORMAT,
    options.READING,
    options.policy("where"),
)


def run(arguments: Arguments) -> int:
    """Find errors, print notes, print the result."""
    import scoref
    from scoref.analysis.errors.summary import summarise
    from scoref.matching.requirements import needs_of
    from scoref.metrics import find_metrics
    from scoref.views.errors import ErrorsView
    from scoref.views.marked_document import show

    refuse_together(arguments, "show", "to", "where")
    conditions, arguments.where = arguments.where or [], None  # conditions on errors: no policy
    keywords = scoring_keywords(arguments)
    metrics = find_metrics(keywords.pop("metrics"))
    cost_metrics = find_metrics([arguments.by]) if arguments.by else ()
    keywords["needs"] = needs_of([*metrics, *cost_metrics])
    found = scoref.errors(arguments.key, arguments.response, arguments.mode, **keywords)
    selected = _select(found, conditions)
    if arguments.show is not None:
        columns = shutil.get_terminal_size().columns
        text = show(selected, arguments.show, columns, colour=uses_colour())
    elif arguments.to in ("jsonl", "csv"):
        text = ErrorsView(selected).render(arguments.to)
    else:
        summary = summarise(selected, metrics, arguments.by, arguments.top)
        text = ErrorsView(summary).render(arguments.to)
    return print_result(arguments, found, text or None)


def _select(errors: Errors, where: list[str]) -> Errors:
    """Select the errors that fulfil all conditions."""
    from scoref.matching.where import parse_conditions

    for field, sign, value in parse_conditions("&".join(where), ("kind", "type", "document"), ()):
        asked: dict[str, Any] = {field: value}
        chosen = errors.where(**asked)  # refuses an unknown value
        if sign == "!=":
            chosen = errors.where(test=partial(_differs, field, value))
        errors = chosen
    return errors


def _differs(field: str, value: str, error: Error) -> bool:
    return bool(getattr(error, field) != value)
