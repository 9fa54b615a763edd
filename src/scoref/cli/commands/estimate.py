"""Estimate scores on a whole corpus from a sample of its key entities.

SAMPLE has some entities of the key, each with all of its records. RESPONSE is the whole response:
a table of any size, such as the output of splink or dedupe, or a file in any other format. Use a
sample that `scoref sample` has drawn: it states how it was drawn.

Example commands:
  scoref estimate sample.csv response.parquet
  scoref estimate sample.csv clusters.csv --weights size --to json
"""

from __future__ import annotations

from scoref.cli import options
from scoref.cli.command import Arguments, Command, Option
from scoref.cli.output import print_notes

COMMAND = Command(
    __doc__,
    Option("SAMPLE", "annotated entities: a file, or -"),
    Option("RESPONSE", "the whole response: a file, a directory, or -"),
    options.OUTPUT,
    Option(
        "--weights uniform|size|[COLUMN]",
        "entities were drawn with equal probabilities (uniform), or by their records (size); or the"
        " column of SAMPLE with the weight of each entity, 1 / the probability of a draw (default:"
        " what SAMPLE states)",
    ),
    {
        "--missing refuse|singleton = refuse": "records of SAMPLE that RESPONSE lacks: refuse them,"
        " or count each as an entity of its own",
        "--level P = 0.05": "intervals cover 1 - P",
    },
    options.DIGITS,
    options.FORMAT,
    options.SAMPLE_READING,
)


def run(arguments: Arguments) -> int:
    """Print notes, and a row per score."""
    from scoref.analysis.estimation import estimate
    from scoref.cli.options import reading_keywords
    from scoref.views.estimates import EstimatesView

    names = ("weights", "missing", "level")
    asked = {name: getattr(arguments, name) for name in names}
    found = estimate(arguments.sample, arguments.response, **asked, **reading_keywords(arguments))
    print_notes(found.notes)
    print(EstimatesView(found, arguments.digits).render(arguments.to))
    return 0
