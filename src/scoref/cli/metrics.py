"""`scoref metrics [NAME]`: the measures, or what one of them is."""

from __future__ import annotations

import argparse
import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scoref.cli.types import Commands
    from scoref.metrics import Family

_WIDTH = 88


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "metrics",
        help="list the measures, or explain one",
        description="List the measures, or tell one's formula, its paper, what it rewards"
        " and what it ignores.",
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help="such as b3 or 'blanc(alpha=0.2)'")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print a line per metric, or a paragraph on one."""
    from scoref.metrics import DEFAULT, FAMILIES
    from scoref.metrics.names import find

    if arguments.name is None:
        width = max(map(len, FAMILIES))
        for family in FAMILIES.values():
            metric = family.metric({})
            mark = "*" if family.name in DEFAULT else " "
            title = metric.about.title if metric.about else ""
            print(f"{mark} {family.name:<{width}} {title}{_parameters(family)}")
        print("\n* scored by default; [parameters and their defaults]")
        print("`scoref metrics NAME` explains one; write parameters as in 'blanc(alpha=0.2)'")
        return 0
    metric = find(arguments.name, FAMILIES)
    about = metric.about
    rows = [("counts", ", ".join(metric.columns))]
    if metric.needs:
        rows.append(("needs", ", ".join(sorted(metric.needs))))
    if about:
        print(f"{metric.name}: {about.title}\n")
        rows = [
            ("formula", about.formula),
            ("paper", about.paper),
            ("rewards", about.rewards),
            ("ignores", about.ignores),
            *rows,
        ]
    for name, text in rows:
        print(textwrap.fill(text, _WIDTH, initial_indent=f"{name:<9}", subsequent_indent=" " * 9))
    return 0


def _parameters(family: Family) -> str:
    from scoref.metrics.names import write

    defaults = ", ".join(f"{name}={write(value)}" for name, value in family.parameters.items())
    return f"  [{defaults}]" if defaults else ""
