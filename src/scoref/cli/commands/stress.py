"""Show how metrics react to a better or worse response.

The response is changed as in Moosavi & Strube (2016, section 2): wrong links are removed ("more
precise"), wrong links are added ("less precise"), and extreme responses are made, such as one
entity per document. The output names the metrics that reward a response that is certainly worse.

Example commands:
  scoref stress key.conll response.conll
  scoref stress key.conll response.conll -m b3 -m lea --to markdown
"""

from __future__ import annotations

from scoref.cli import options
from scoref.cli.command import Arguments, Command
from scoref.cli.options import scoring_keywords
from scoref.cli.output import print_result

COMMAND = Command(__doc__, options.OUTPUT, *options.PAIR)


def run(arguments: Arguments) -> int:
    """Print the F1 after each change, and the metrics that reward a worse response."""
    from scoref.analysis.stress import stress
    from scoref.views.stress import StressView

    result = stress(arguments.key, arguments.response, **scoring_keywords(arguments))
    return print_result(arguments, result, StressView(result).render(arguments.to))
