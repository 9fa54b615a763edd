"""Draw a sample of records or entities to annotate, for `scoref estimate`.

TABLE is a table of records of any size: CSV, TSV or Parquet. The sample has its columns, and
columns that state how it was drawn. The same seed draws the same sample, whatever the order of
rows and the format.

Example commands:
  scoref sample records.parquet -n 400 -o sample.csv
  scoref sample clusters.csv -n 400 --by size -o sample.csv
  scoref sample clusters.csv -n 1000 --by size --pilot pilot.csv -o sample.csv
"""

from __future__ import annotations

from scoref.cli import options
from scoref.cli.command import Arguments, Command, Option
from scoref.cli.output import print_notes

COMMAND = Command(
    __doc__,
    Option("TABLE", "records, or records with entities: a file, or a directory of Parquet files"),
    {
        "-n, --draws N = 400": "number of draws",
        "--by entity|size|record = record": "draw records, all equally likely (record), also with"
        " all records of their entities in TABLE (size); or entities, all equally likely (entity)",
        "--seed N = 0": "seed of the draw",
        "--pilot PILOT": "an annotated sample: show the precision to expect of this one",
        "--response RESPONSE": "the response that the pilot evaluates (default: TABLE)",
        "--level P = 0.05": "the expected intervals cover 1 - P",
    },
    options.OUTPUT,
    options.DIGITS,
    options.FORMAT,
    options.TABLE_READING,
)


def run(arguments: Arguments) -> int:
    """Print notes, and the sample or what it is like."""
    from scoref.analysis.sampling import sample
    from scoref.cli.options import reading_keywords
    from scoref.views.estimates import DrawnSampleView
    from scoref.views.writers.csv import raw_texts

    names = ("by", "seed", "pilot", "response", "level")
    asked = {name: getattr(arguments, name) for name in names}
    found = sample(arguments.table, arguments.draws, **asked, **reading_keywords(arguments))
    print_notes(found.notes)
    with raw_texts():  # ids stay as they are, since the annotated sample is read again
        print(DrawnSampleView(found, arguments.digits).render(arguments.to))
    return 0
