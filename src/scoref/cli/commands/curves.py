"""Show how the score changes with the part of the text that was read, and with distance.

The first table has the F1 of the first 5 %, 10 %, ... of each text: mentions that start there, with
entities cut at its end. The second table has the F1 of links from a mention to the closest earlier
mention of its entity, by their distance in tokens. With several documents, every F1 has an interval
over documents.

Example commands:
  scoref curves key.conll response.conll
  scoref curves key.conll response.conll -m muc,b3,lea --points 100 --figure curves.svg
  scoref curves key.conll response.conll -o curves.csv
"""

from __future__ import annotations

from scoref.cli import options
from scoref.cli.command import Arguments, Command
from scoref.cli.options import scoring_keywords
from scoref.cli.output import print_result

COMMAND = Command(
    __doc__,
    options.OUTPUT,
    *options.PAIR,
    {
        "--points N = 20": "number of parts of the text",
        "--level P = 0.05": "intervals cover 1 - P",
        "--figure FILE": "draw both curves, as .svg or .png",
    },
)


def run(arguments: Arguments) -> int:
    """Print the points, and draw them."""
    from scoref.analysis.curves import curves
    from scoref.views.curves import CurvesView

    result = curves(
        arguments.key,
        arguments.response,
        points=arguments.points,
        level=arguments.level,
        **scoring_keywords(arguments),
    )
    if arguments.figure:
        result.draw(arguments.figure)
    return print_result(arguments, result, CurvesView(result).render(arguments.to))
