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

from pathlib import Path

from scoref.cli.command import Arguments, Command, Option
from scoref.cli.options import is_given
from scoref.exceptions import UsageError
from scoref.views import OUTPUTS

COMMAND = Command(
    __doc__,
    Option("[NAME]", "a table or figure, a paper such as luo2005, `tables`, `figures`, or `all`"),
    {
        "-o, --out DIR": "directory to write to: tables as Markdown, CSV and LaTeX, figures as SVG,"
        " PNG and CSV, and an HTML page with all of them. With --to or an ending such as .csv, a"
        " file",
        f"--to {'|'.join(OUTPUTS)}": "format to print, or to write to a file (default: text)",
    },
)


def run(arguments: Arguments) -> int:
    """List the tables and figures, print some of them, or write them to files."""
    from scoref.papers import find

    is_printed = arguments.out is None or is_given(arguments, "to")
    if arguments.name is None:
        if arguments.out is not None or is_given(arguments, "to"):
            hint = "name a table, a figure or a paper, or `all`"
            raise UsageError("--out and --to require a NAME", hint)
        _print_list()
    elif is_printed or Path(arguments.out).suffix:
        from scoref.views.exhibit import render_exhibits

        print(render_exhibits(find(arguments.name), arguments.to))
    else:
        from scoref.pages.papers import write

        *files, page = write(find(arguments.name), arguments.out)
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
