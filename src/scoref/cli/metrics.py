"""List the metrics, or describe one.

Metrics of other installed packages are listed too. The description of a metric has its formula,
its paper, what it rewards and what it ignores.

Example commands:
  scoref metrics
  scoref metrics 'blanc(alpha=0.2)'
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from scoref.cli.command import Arguments, Command, Option
from scoref.cli.output import print_message

if TYPE_CHECKING:
    from scoref.metrics import Metric

_WIDTH = 88

COMMAND = Command(__doc__, Option("[NAME]", "a metric, such as b3 or 'blanc(alpha=0.2)'"))


def run(arguments: Arguments) -> int:
    """Print one line per metric, or a paragraph on one metric."""
    from scoref.metrics import find_metric

    if arguments.name is None:
        _print_all()
    else:
        _describe(find_metric(arguments.name))
    return 0


def _print_all() -> None:
    from scoref.metrics import DEFAULT, FAMILIES, Family
    from scoref.metrics.names import format_parameter
    from scoref.metrics.registry import plugin_families

    plugins = list(plugin_families())
    found = [family for family in plugins if isinstance(family, Family)]
    width = max(len(family.name) for family in (*FAMILIES.values(), *found))
    for family in (*FAMILIES.values(), *found):
        about = family.metric({}).about
        mark = "*" if family.name in DEFAULT else "+" if family in found else " "
        title, parameters = about.title if about else "", family.parameters.items()
        if defaults := ", ".join(f"{name}={format_parameter(value)}" for name, value in parameters):
            title += f"  [{defaults}]"
        print(f"{mark} {family.name:<{width}} {title}".rstrip())
    print("\n* scored by default; [parameters and their defaults]")
    if found:
        print("+ from another installed package")
    print("`scoref metrics NAME` describes a metric; write parameters as in 'blanc(alpha=0.2)'")
    for error in plugins:
        if not isinstance(error, Family):
            print_message("warning", error.message, error.hint)


def _describe(metric: Metric) -> None:
    rows = [("counts", ", ".join(metric.columns))]
    if metric.needs:
        rows.append(("requires", ", ".join(sorted(metric.needs))))
    if about := metric.about:
        print(f"{metric.name}: {about.title}\n")
        names = ("formula", "paper", "rewards", "ignores")
        rows = [*((name, getattr(about, name)) for name in names), *rows]
    for name, text in rows:
        print(textwrap.fill(text, _WIDTH, initial_indent=f"{name:<9}", subsequent_indent=" " * 9))
