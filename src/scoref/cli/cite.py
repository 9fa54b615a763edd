"""Show how to cite scoref and the metrics of a score.

Without -m, the metrics are those that `scoref score` computes by default. Print the signature with
every score: it states how the score was computed.

Example commands:
  scoref cite
  scoref cite -m lea
  scoref cite -m muc,b3,ceafe,conll --output bibtex > paper.bib
"""

from __future__ import annotations

import textwrap

from scoref.cli import options
from scoref.cli.command import Arguments, Command
from scoref.cli.output import print_message
from scoref.version import __version__

_WIDTH = 88
_SELF = f"The scoref developers. scoref: scoring coreference resolution, version {__version__}."
_SELF_BIBTEX = f"""\
@software{{scoref,
  author = {{{{The scoref developers}}}},
  title = {{{{scoref}}: Scoring Coreference Resolution}},
  version = {{{__version__}}},
}}"""

COMMAND = Command(
    __doc__,
    options.metric(),
    {"--output text|bibtex = text": "a list of references, or entries for a .bib file"},
)


def _fill(entry: str) -> str:
    """Return an entry in lines, none of which ends within a link."""
    return textwrap.fill(
        entry, _WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )


def run(arguments: Arguments) -> int:
    """Print the reference of scoref, then those of the metrics."""
    from scoref.metrics import find_metrics
    from scoref.metrics.bibliography import references_of

    metrics = [metric.name for metric in find_metrics(arguments.metrics)]
    unknown = [name for name in metrics if not references_of([name])]
    found = references_of(metrics)
    if arguments.output == "bibtex":
        print("\n\n".join([_SELF_BIBTEX, *(one.bibtex for one in found)]))
    else:
        entries = [_SELF, *map(str, found)]
        print("\n".join(map(_fill, entries)))
    for name in unknown:
        print_message("note", f"no publication is known for the metric {name!r}")
    return 0
