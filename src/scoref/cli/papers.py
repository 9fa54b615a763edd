"""`scoref papers [NAME]`: published tables and figures, regenerated."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from scoref.exceptions import UsageError
from scoref.render import OUTPUTS

if TYPE_CHECKING:
    from scoref.cli.types import Commands

_DESCRIPTION = """\
List the published tables and figures that can be regenerated, or regenerate some: each table
with our exact value beside the printed one and the reason where they differ, each figure with
its data. Values are computed by the measures, never typed in.

  scoref papers                         what there is
  scoref papers rh2011-table1           a table, as text
  scoref papers ms2016 -o DIR           all of a paper, as files, with a page DIR/index.html
  scoref papers all -o DIR              everything
"""
_EPILOG = """\
Figures as SVG and PNG need matplotlib: pip install 'scoref[figures]'. Tables, and the data of
figures as text, need nothing.
"""


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "papers",
        help="regenerate published tables and figures",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "name",
        nargs="?",
        metavar="NAME",
        help="a table or figure, a paper such as luo2005, `tables`, `figures`, or `all`",
    )
    parser.add_argument(
        "-o",
        dest="directory",
        metavar="DIR",
        help="write files there: tables as Markdown, CSV and LaTeX, figures as SVG, PNG and CSV,"
        " and a page with all of them",
    )
    parser.add_argument(
        "--output", choices=OUTPUTS, help="how to show it without -o (default: text)"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """List what there is, print some of it, or write it to files."""
    from scoref.papers import EXHIBITS, find

    if arguments.name is None:
        if arguments.directory is not None or arguments.output is not None:
            raise UsageError("no NAME is given", "name a table, a figure or a paper, or say `all`")
        width = max(len(exhibit.name) for exhibit in EXHIBITS)
        for paper in dict.fromkeys(exhibit.paper for exhibit in EXHIBITS):
            print(paper.label)
            for exhibit in find(paper.name):
                print(f"  {exhibit.name:<{width}}  {exhibit.title}")
        print("\n`scoref papers NAME` regenerates one, or all of a paper such as luo2005;")
        print("`scoref papers all -o DIR` writes everything, with a page DIR/index.html")
        return 0
    exhibits = find(arguments.name)
    if arguments.directory is None:
        from scoref.papers.views.exhibit import render_exhibits

        print(render_exhibits(exhibits, arguments.output or "text"))
        return 0
    if arguments.output is not None:
        raise UsageError("-o writes every output, so that --output has no say", "drop one of them")
    from scoref.papers.views.folder import write

    *files, page = write(exhibits, arguments.directory)
    print(f"{len(files)} files written; {page} shows them")
    return 0
