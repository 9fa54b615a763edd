"""Recompute published tables and figures.

Without NAME, the tables and figures are listed. A table shows the exact value next to the printed
value, and the reason if they differ. A figure comes with its data. All values are computed by the
metrics. Figures as SVG and PNG require matplotlib: pip install 'scoref[figures]'.

Example commands:
  scoref papers                   list the tables and figures
  scoref papers rh2011-table1     print one table
  scoref papers ms2016 -o DIR     write everything from one paper, with DIR/index.html
  scoref papers all -o DIR        write everything
"""

from __future__ import annotations

from scoref.cli.command import Arguments, Command, Option
from scoref.exceptions import UsageError

COMMAND = Command(
    __doc__,
    Option("[NAME]", "a table or figure, a paper such as luo2005, `tables`, `figures`, or `all`"),
    Option(
        "-o DIR",
        "directory to write to: tables as Markdown, CSV and LaTeX, figures as SVG, PNG and CSV,"
        " and an HTML page with all of them",
        dest="directory",
    ),
    {"--output text|json|csv|latex|markdown": "output format without -o (default: text)"},
)


def run(arguments: Arguments) -> int:
    """List the tables and figures, print some of them, or write them to files."""
    from scoref.papers import find

    if arguments.name is None:
        if arguments.directory is not None or arguments.output is not None:
            hint = "name a table, a figure or a paper, or `all`"
            raise UsageError("-o and --output require a NAME", hint)
        _print_list()
    elif arguments.directory is None:
        from scoref.papers.views.exhibit import render_exhibits

        print(render_exhibits(find(arguments.name), arguments.output or "text"))
    elif arguments.output is not None:
        raise UsageError(
            "-o writes every output format and cannot be combined with --output",
            "leave out -o or --output",
        )
    else:
        from scoref.papers.views.folder import write

        *files, page = write(find(arguments.name), arguments.directory)
        print(f"{len(files)} files written; {page} shows them")
    return 0


def _print_list() -> None:
    from scoref.papers import EXHIBITS, find

    width = max(len(exhibit.name) for exhibit in EXHIBITS)
    for paper in dict.fromkeys(exhibit.paper for exhibit in EXHIBITS):
        print(paper.label)
        for exhibit in find(paper.name):
            print(f"  {exhibit.name:<{width}}  {exhibit.title}")
    print("\n`scoref papers NAME` recomputes a table, a figure, or a whole paper such as luo2005;")
    print("`scoref papers all -o DIR` writes everything, with a page DIR/index.html")
