"""List the metrics, or describe one.

The description of a metric has its formula, its paper, what it rewards and what it ignores.

Example commands:
  scoref metrics
  scoref metrics 'blanc(alpha=0.2)'
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from scoref.cli.command import Arguments, Command, Option

if TYPE_CHECKING:
    from scoref.metrics import Family

_WIDTH = 88

COMMAND = Command(__doc__, Option("[NAME]", "a metric, such as b3 or 'blanc(alpha=0.2)'"))


def run(arguments: Arguments) -> int:
    """Print a line per metric, or a paragraph on one."""
    if arguments.name is None:
        _print_list()
    else:
        _print_description(arguments.name)
    return 0


def _print_list() -> None:
    from scoref.metrics import DEFAULT, FAMILIES

    width = max(map(len, FAMILIES))
    for family in FAMILIES.values():
        about = family.metric({}).about
        mark = "*" if family.name in DEFAULT else " "
        title = about.title if about else ""
        print(f"{mark} {family.name:<{width}} {title}{_parameters(family)}")
    print("\n* scored by default; [parameters and their defaults]")
    print("`scoref metrics NAME` describes a metric; write parameters as in 'blanc(alpha=0.2)'")


def _parameters(family: Family) -> str:
    from scoref.metrics.names import write

    defaults = ", ".join(f"{name}={write(value)}" for name, value in family.parameters.items())
    return f"  [{defaults}]" if defaults else ""


def _print_description(name: str) -> None:
    from scoref.metrics import FAMILIES
    from scoref.metrics.names import find

    metric = find(name, FAMILIES)
    rows = {}
    if about := metric.about:
        print(f"{metric.name}: {about.title}\n")
        rows = {
            "formula": about.formula,
            "paper": about.paper,
            "rewards": about.rewards,
            "ignores": about.ignores,
        }
    rows["counts"] = ", ".join(metric.columns)
    if metric.needs:
        rows["requires"] = ", ".join(sorted(metric.needs))
    for title, text in rows.items():
        print(textwrap.fill(text, _WIDTH, initial_indent=f"{title:<9}", subsequent_indent=" " * 9))
