"""Show the computation of metrics on a document, step by step.

The steps are the entities of key and response, the mentions they share, each term as an exact
fraction, the sums, and recall, precision and F1. Without --document, the first document that has
mentions is explained, and the sums over all documents follow.

Example commands:
  scoref explain key.conll response.conll -m b3
  scoref explain key.conll response.conll -m muc -m 'blanc(alpha=0.2)' --document wsj_0001
  scoref explain key.conll response.conll -m ceafe --top 0 -o ceafe.tex
"""

from __future__ import annotations

from scoref.cli import options
from scoref.cli.command import Arguments, Command
from scoref.cli.options import scoring_keywords
from scoref.cli.output import print_result

COMMAND = Command(
    __doc__,
    {
        "--document NAME": "document to explain",
        "--top N = 10": "show the N largest terms of each table, and the exact sum of the others;"
        " 0 shows all terms",
        "--no-words": "show only token positions of mentions, for texts that must not be published",
        **options.output("text", "json", "latex", "markdown"),
    },
    *options.PAIR,
)


def run(arguments: Arguments) -> int:
    """Print notes, then the explanation."""
    import scoref

    explanation = scoref.explain(
        arguments.key,
        arguments.response,
        document=arguments.document,
        limit=arguments.top,
        words=not arguments.no_words,
        **scoring_keywords(arguments),
    )
    return print_result(arguments, explanation, explanation.render(arguments.to))
