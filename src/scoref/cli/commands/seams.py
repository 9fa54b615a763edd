"""Show where the score of long texts is lost: in detection, inside windows, or across windows.

Each loss is repaired alone in the response, and its price is what the score of whole documents
gains. Two more tables show how well mentions are resolved by the distance of their closest
antecedent, and by the span of their entity in the text, both in tokens.

Example commands:
  scoref seams key.conll response.conll --window 2000
  scoref seams key.jsonl response.jsonl --window 100s -m conll -m lea
"""

from __future__ import annotations

from scoref.cli import options
from scoref.cli.command import Arguments, Command
from scoref.cli.options import scoring_keywords
from scoref.cli.output import print_result

COMMAND = Command(__doc__, options.OUTPUT, *options.PAIR)


def run(arguments: Arguments) -> int:
    """Print the price of each loss, and the slices."""
    from scoref.analysis.seams import seams
    from scoref.views.seams import SeamsView

    result = seams(arguments.key, arguments.response, **scoring_keywords(arguments))
    return print_result(arguments, result, SeamsView(result).render(arguments.to))
