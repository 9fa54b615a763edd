"""Score a response against a key.

KEY and RESPONSE are files, directories of files, or - for standard input. Files can be gzipped.
The format of each is detected from its content, and the two formats can differ; `scoref convert
--help` lists the formats. RESPONSE can also be a counts file that `scoref count` wrote.
Documents are paired by name and part.

Example commands:
  scoref score key.conll response.conll
  scoref score key.conll response.conll -m muc,b3 -m 'blanc(alpha=0.2)' --singletons drop
  scoref score key/ response/ --per-document -o scores.csv
  scoref score key.conll response.conll --intervals
  scoref score -q -m conll key.conll response.conll
  scoref score key.conll response.conll --like 'scoref|key:d5995bee|match:exact|...'
  scoref score key.conll response.conll -m my_metrics:exact_entities
"""

from __future__ import annotations

from scoref.cli import options
from scoref.cli.command import Arguments, Command
from scoref.cli.options import refuse_together, resampling_keywords, score_pair
from scoref.cli.output import note_left_out, print_notes, print_result
from scoref.exceptions import UsageError

COMMAND = Command(
    __doc__,
    {
        "--per-document": "also show the scores of each document",
        "-q, --quiet": "print only the F1 of one metric in percent (default: conll); notes still go"
        " to standard error",
        "--intervals": "show a confidence interval for every score, computed by resampling"
        " documents",
    },
    options.OUTPUT,
    options.DIGITS,
    options.STYLE,
    *options.PAIR,
    options.RESAMPLING,
    *options.COUNTING,
)


def run(arguments: Arguments) -> int:
    """Score, print notes, print the result."""
    refuse_together(arguments, "quiet", "to", "per_document", "intervals")
    refuse_together(arguments, "style", "per_document", "intervals", "quiet")
    if arguments.quiet:
        arguments.metrics = arguments.metrics or ["conll"]
        if len(arguments.metrics) > 1 or "all" in arguments.metrics:
            several = "--quiet prints one number, but -m names several metrics"
            raise UsageError(several, "use one -m")
    result = score_pair(arguments)
    if arguments.quiet:
        (metric,) = result.counts.metrics
        f1 = metric.scale * result[metric.name].f1
        return print_result(arguments, result, f"{f1:.{arguments.digits}f}")
    intervals = result.intervals(**resampling_keywords(arguments)) if arguments.intervals else None
    if intervals and arguments.to == "csv":  # csv has no column for warnings
        print_notes(intervals.cautions)
    shown = {"per_document": arguments.per_document, "digits": arguments.digits}
    text = result.render(arguments.to, intervals=intervals, style=arguments.style, **shown)
    note_left_out(arguments, result.scores)
    return print_result(arguments, result, text)
