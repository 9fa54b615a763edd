"""Write a report as one HTML file.

The report has the scores of one or several systems with intervals, the comparison of the systems,
the errors with their cost, and every document with the entities of key and response. It requires
no server and no network connection.

NAME=FILE,FILE,... are several runs of one system: scores are means over the runs, and errors and
documents are those of the first run.

The words of the documents are included only with --with-text, because many corpora are licensed.
Files are shown by their names, without their folders, unless --show-paths is given.

Example commands:
  scoref report key.conll response.conll -o report.html
  scoref report key.conll base=old.conll ours=new.conll -o report.html --with-text
  scoref report key.conll response.conll -o report.html --figures figures/
"""

from __future__ import annotations

from scoref.cli import options
from scoref.cli.command import Arguments, Command, Option, number
from scoref.cli.options import scoring_keywords
from scoref.cli.output import print_notes
from scoref.cli.systems import split_key, split_systems
from scoref.exceptions import UsageError

COMMAND = Command(
    __doc__,
    options.SYSTEMS,
    options.PAGE,
    {
        "--with-text": "include the words of the documents",
        "--figures DIR": "also write the figures as SVG and PNG files",
        "--show-paths": "show the paths of the files, not only their names",
    },
    Option(
        "--budget MB = 8",
        "largest size of the documents in the report, in megabytes; documents with the lowest"
        " scores come first",
        type=number(float, most=2000),
    ),
    *options.SCORING,
)


def run(arguments: Arguments) -> int:
    """Analyse the systems, write the report, print its path."""
    from scoref.counts.counted import is_counts_file
    from scoref.pages.report import report

    key, systems = split_key(arguments.files)
    runs = split_systems(systems)
    counts_files = [path for paths in runs.values() for path in paths if is_counts_file(path)]
    if key is None or counts_files:
        raise UsageError(
            f"{counts_files[0]} is a counts file, which has no mentions to report on",
            "name the response that it was counted from",
        )
    made = report(key, runs, **scoring_keywords(arguments))
    content = made.content
    print_notes(content.notes, arguments.like, content.comparison.signature)
    if arguments.with_text and not content.has_words:
        print_notes(["the files have no words, so the report has none"])
    made.save(
        arguments.out,
        with_text=arguments.with_text,
        budget=int(arguments.budget * 1e6),
        show_paths=arguments.show_paths,
    )
    if arguments.figures:
        for path in made.draw(arguments.figures):
            print(path)
    print(arguments.out)
    return 0
